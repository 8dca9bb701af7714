import Campaigns
import Foundation
import MohoJSON
import MohoMapping
import Testing

/// Random documents, most of them slightly damaged, decode with and without the fast
/// path to the same values or errors.
///
/// Each seed is an object, every fifth seed also an array that is streamed, and every
/// tenth an array of tracks.
/// `MOHO_SCAN_CASES=20000000 swift test --filter FuzzTests` runs longer, and
/// `MOHO_FUZZ_SEED` is the first seed. A failure contains its seed.
@Suite struct ScanFuzzTests {
  private let scanning = JSONAdapter<ScannedShow>()
  private let parsing = JSONAdapter<ScannedShow>().withoutFastPath

  @Test func objectsAreReadAlike() throws {
    var (wholeCount, scannedCount) = (0, 0)
    for seed in Campaign.scanSeeds {
      var random = RandomShow(seed: seed)
      let text = random.object()
      if seed.isMultiple(of: 4) {
        let data = Data(text)
        if let model = try? parsing.model(from: data) {
          wholeCount += 1
          if scanning.isScanned(data) { scannedCount += 1 }
          // The text distinguishes 0 and -0.
          #expect(
            try parsing.data(from: model) == scanning.data(from: scanning.model(from: data)),
            comment(seed, text))
          #expect(
            try parsing.data(from: parsing.partial(from: data))
              == scanning.data(from: scanning.partial(from: data)), comment(seed, text))
        }
        check(text, seed)
      } else {
        check(random.mutation(of: text), seed)
      }
    }
    #expect(Double(scannedCount) > Double(wholeCount) * 0.95)
  }

  @Test func arraysAreReadAlike() throws {
    for seed in Campaign.scanSeeds where seed.isMultiple(of: 5) {
      var random = RandomShow(seed: seed)
      let whole = random.array()
      let text = seed.isMultiple(of: 2) ? whole : random.mutation(of: whole)
      let data = Data(exactly: text)
      let (scanned, parsed) = (
        Verdict { try scanning.lossyModels(from: data) },
        Verdict { try parsing.lossyModels(from: data) }
      )
      #expect(scanned == parsed, comment(seed, text))
      // Only a leading U+FEFF is a byte order mark.
      guard case .value(let reading) = parsed, text.first != 0xEF else { continue }
      for (layout, text) in [
        (StreamLayout.rootArray, text),
        (
          .array(at: "a.b"), Array(#"{"x":{"a":"\u0041"},"a":{"b":"#.utf8) + text + Array("}}".utf8)
        ),
      ] {
        // The additional levels of the second layout may exceed the limit of 2,048,
        // which includes the values in the innermost array.
        if depth(of: text) >= 2_048 { continue }
        let streamed = try stream(text, as: layout)
        #expect(streamed.models == reading.models, comment(seed, text))
        #expect(streamed.failures == reading.failures.map(\.index), comment(seed, text))
      }
    }
  }

  /// The number of levels of arrays and objects in a valid document.
  private func depth(of text: [UInt8]) -> Int {
    var (depth, maximum, isInString, isEscaped) = (0, 0, false, false)
    for byte in text {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isInString: isEscaped = true
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "["), UInt8(ascii: "{"): if !isInString { depth += 1 }
      case UInt8(ascii: "]"), UInt8(ascii: "}"): if !isInString { depth -= 1 }
      default: break
      }
      maximum = max(maximum, depth)
    }
    return maximum
  }

  /// The models of a stream, and the indices of the elements that failed.
  private func stream(
    _ text: [UInt8], as layout: StreamLayout
  ) throws -> (models: [ScannedShow], failures: [Int]) {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: text)
    try pipe.fileHandleForWriting.close()
    var elements = scanning.elements(from: pipe.fileHandleForReading, as: layout)
    var (models, failures): ([ScannedShow], [Int]) = ([], [])
    while let element = try elements.next() {
      switch element.result {
      case .success(let model): models.append(model)
      case .failure: failures.append(element.index)
      }
    }
    return (models, failures)
  }

  private func check(_ text: [UInt8], _ seed: UInt64) {
    let data = Data(exactly: text)
    #expect(
      Verdict { try scanning.model(from: data) } == Verdict { try parsing.model(from: data) },
      comment(seed, text))
  }

  private func comment(_ seed: UInt64, _ text: [UInt8]) -> Comment {
    "seed \(seed): \(String(decoding: text, as: UTF8.self))"
  }
}

extension Campaign {
  /// The seeds of the documents that the fast path and the parser read alike.
  static let scanSeeds = seeds(
    from: "MOHO_FUZZ_SEED", count: count("MOHO_SCAN_CASES", short: 1_000, full: 120_000))
}
