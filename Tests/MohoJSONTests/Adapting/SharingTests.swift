import Foundation
import MohoJSON
import MohoMapping
import Testing

@Suite struct SharingTests {
  // Run with `--sanitize=thread` to see that nothing is shared unguarded.
  @Test func oneAdapterServesEightThreads() async throws {
    let adapter = JSONAdapter<Episode>()
    let episodes = (0..<50).map { number in
      Episode(id: number, title: "№ \(number)", kind: .paid, duration: Double(number) / 8)
    }
    let data = try adapter.data(from: episodes)
    let document = try JSONDocument(parsing: data)
    let wrong = Data(#"[{"id":"1"}]"#.utf8)

    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { () throws in
          for _ in 0..<20 {
            #expect(try adapter.models(from: data) == episodes)
            #expect(try adapter.models(from: document) == episodes)
            #expect(try adapter.data(from: episodes) == data)
            #expect(throws: MappingError.self) { _ = try adapter.models(from: wrong) }
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
