import Campaigns
import Foundation
import MohoJSON
import MohoMapping
import Testing

@Suite struct MemoryTests {
  // Documents that leaked would take 50 MB and more. Full campaigns decode more and
  // smaller documents, so that smaller leaks per document are found.
  @Test(.enabled(if: residentMemory != nil, "the resident memory is not known"))
  func decodingManyTimesLeaksNothing() throws {
    let scale = Campaign.count(short: 1, full: 10)
    let adapter = JSONAdapter<TestModel>()
    let padding = String(repeating: "x", count: 3_000 / scale)
    let good = Data(#"{"username":"foo","nested":{"name":"bar","more":"\#(padding)"}}"#.utf8)
    let wrong = Data(#"{"username":5,"more":"\#(padding)"}"#.utf8)
    let cut = Data(#"{"username":5,"more":"\#(padding)"#.utf8)
    func decode(_ count: Int) throws {
      for _ in 0..<count {
        _ = try adapter.model(from: good)
        #expect((try? adapter.model(from: wrong)) == nil)
        #expect((try? adapter.model(from: cut)) == nil)
      }
    }

    // Other tests run in the same process and take memory as well, but not in
    // each of the rounds. A leak would be 5 MB a round.
    try decode(100 * scale)
    let growths = try (0..<10).map { _ in
      let before = try #require(residentMemory)
      try decode(330 * scale)
      return try #require(residentMemory) - before
    }

    #expect(growths.sorted()[2] < 1_000_000, "\(growths)")
  }
}
