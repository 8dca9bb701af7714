import Foundation
import Moho

/// Generates wells. The same seed gives the same wells.
public struct WellGenerator: Sequence, IteratorProtocol {
  private var state: UInt64
  private var id: Int
  private let end: Int

  /// Creates a generator of wells with the ids 1 to `count`.
  public init(seed: UInt64, count: Int) {
    state = seed
    id = 1
    end = Swift.max(0, count)
  }

  /// The next well.
  public mutating func next() -> Well? {
    guard id <= end else { return nil }
    defer { id += 1 }
    let field = Self.rocks[random(below: Self.rocks.count)]
    return Well(
      id: id, name: "\(field) \(1 + random(below: 99))-\(1 + random(below: 36))",
      county: Self.counties[random(below: Self.counties.count)],
      depth: 300 + random(below: 6_000),
      begunOn: Date(timeIntervalSinceReferenceDate: Double(random(below: 7_000)) * 86_400),
      isActive: random(below: 3) > 0)
  }

  /// A number from the splitmix64 sequence (Steele, Lea and Flood, *Fast
  /// Splittable Pseudorandom Number Generators*, 2014).
  private mutating func random(below bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    bits ^= bits >> 31
    return Int(bits % UInt64(bound))
  }

  private static let rocks = [
    "Anticline", "Basalt", "Chert", "Dolomite", "Gabbro", "Gneiss", "Marl", "Obsidian", "Schist",
    "Shale", "Slate", "Tuff",
  ]
  private static let counties = [
    "Ash", "Boone", "Clay", "Dale", "Elk", "Ford", "Grant", "Hill", "Iron", "Jasper", "Knox",
    "Lake",
  ]
}

extension ModelStore {
  /// Saves generated wells in batches, each in one transaction.
  ///
  /// - Parameter progress: Receives the number of saved wells after each batch.
  /// - Throws: `StoreError`. Earlier batches remain saved.
  public func generateWells(
    seed: UInt64, count: Int, progress: (Int) -> Void = { _ in }
  ) throws {
    var wells = WellGenerator(seed: seed, count: count)
    var saved = 0
    while saved < count {
      var batch: [Well] = []
      while batch.count < 10_000, let well = wells.next() { batch.append(well) }
      try write { try $0.save(batch) }
      saved += batch.count
      progress(saved)
    }
  }
}
