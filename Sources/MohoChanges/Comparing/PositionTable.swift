/// Where each row stands in a list.
///
/// Row identities are mostly handed out one after another. Then an array by
/// identity serves, at a few percent of the cost of hashing.
struct PositionTable {
  private enum Storage {
    case dense(base: Int64, positions: [Int32])
    case sparse([Int64: Int])
  }

  private let storage: Storage

  init(_ rowIDs: [Int64]) {
    storage = Self.dense(rowIDs) ?? Self.sparse(rowIDs)
  }

  /// The place of a row counted through all sections.
  ///
  /// - Complexity: O(1).
  func position(of rowID: Int64) -> Int? {
    switch storage {
    case .sparse(let positions):
      return positions[rowID]
    case .dense(let base, let positions):
      let (offset, overflow) = rowID.subtractingReportingOverflow(base)
      guard !overflow, offset >= 0, offset < positions.count else { return nil }
      let position = positions[Int(offset)]
      return position < 0 ? nil : Int(position)
    }
  }

  private static func dense(_ rowIDs: [Int64]) -> Storage? {
    guard let least = rowIDs.min(), let greatest = rowIDs.max() else { return nil }
    let (span, overflow) = greatest.subtractingReportingOverflow(least)
    guard !overflow, span < Int64(rowIDs.count) * 8, span < Int32.max else { return nil }
    var positions = [Int32](repeating: -1, count: Int(span) + 1)
    for (position, rowID) in rowIDs.enumerated() {
      positions[Int(rowID - least)] = Int32(truncatingIfNeeded: position)
    }
    return .dense(base: least, positions: positions)
  }

  private static func sparse(_ rowIDs: [Int64]) -> Storage {
    var positions: [Int64: Int] = [:]
    positions.reserveCapacity(rowIDs.count)
    for (position, rowID) in rowIDs.enumerated() { positions[rowID] = position }
    return .sparse(positions)
  }
}
