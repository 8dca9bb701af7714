import Dispatch
import Foundation
import MohoChanges
import MohoResults
import MohoRows
import MohoSQLite
import Testing

@Suite(.timeLimit(.minutes(20))) struct SecondConnectionTests {
  private func withTwoStores(
    _ body: (ModelStore, ModelStore) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "store.sqlite").path
    try await body(
      ModelStore(path: path, models: Card.self), ModelStore(path: path, models: Card.self))
  }

  @Test func commitsOfASecondConnectionAreExactUpdates() async throws {
    try await withTwoStores { store, other in
      try await store.write { try $0.save((1...5).map { Card(id: $0, rank: $0, title: "\($0)") }) }
      let controller = try await ResultsController(
        ModelRequest<Card>().order(by: \.rank), in: store)
      var updates = controller.updates.makeAsyncIterator()

      try await other.write { writer in
        try writer.save(Card(id: 5, rank: 0, title: "first"))
        try writer.save(Card(id: 2, rank: 2, title: "2", note: "new"))
        try writer.delete([Card(id: 3, rank: 0, title: "")])
      }

      let update = try await updates.next()
      #expect(
        update?.changes.description == """
          delete [0, 2]
          move [0, 4] → [0, 0] changed rank, title
          update [0, 1] → [0, 2] changed note
          """)
    }
  }

  @Test func commitsOfBothConnectionsAreFollowed() async throws {
    try await withTwoStores { store, other in
      let controller = try await ResultsController(
        ModelRequest<Card>().order(by: \.rank), in: store)
      let known = controller.snapshot
      for id in 1...50 {
        try await other.write { try $0.save(Card(id: id, rank: -id, title: "other")) }
        try await store.write { try $0.save(Card(id: id + 100, rank: id, title: "own")) }
        try await other.write { try $0.save(Card(id: id + 100, rank: id, title: "both")) }
      }

      var snapshot = known
      for try await update in controller.updates(since: known) {
        snapshot = update.after
        // If a row cannot be read, another update follows.
        let titles = (try? snapshot.models())?.map(\.title)
        if let titles, titles.count == 100, !titles.contains("own") { break }
      }

      #expect(try await snapshot.models() == store.fetch(ModelRequest<Card>().order(by: \.rank)))
    }
  }

  @Test func readersSeeConsistentStatesDuringAnImport() async throws {
    try await withTwoStores { store, _ in
      let controller = try await ResultsController(
        ModelRequest<Card>().order(by: \.rank), in: store)
      let writing = Task.detached {
        for round in 1...100 {
          try store.write { writer in
            try writer.save((1...20).map { Card(id: $0, rank: $0 * round % 23, title: "\(round)") })
          }
        }
      }

      for _ in 0..<1_000 {
        let models = try await store.fetch(ModelRequest<Card>().order(by: \.rank))
        #expect(Set(models.map(\.title)).count <= 1)
        do {
          let shown = try controller.snapshot.models()
          #expect(Set(shown.map(\.title)).count <= 1)
          #expect(shown.map(\.rank) == shown.map(\.rank).sorted())
        } catch let error as ResultsError {
          #expect(error.code == .rowChanged)
        }
      }
      try await writing.value
      #expect(try controller.snapshot.models().first?.title == "100")
    }
  }

  @Test func aSnapshotInsideAnOlderReadReadsItsOwnState() async throws {
    try await withTwoStores { store, _ in
      try store.write { try $0.save(Card(id: 1, rank: 1, title: "old")) }
      let controller = try ResultsController(ModelRequest<Card>().order(by: \.rank), in: store)

      try store.read { reader in
        let count = try reader.fetchCount(ModelRequest<Card>())
        #expect(count == 1)
        let isWritten = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          _ = try? store.write { try $0.save(Card(id: 1, rank: 1, title: "new")) }
          isWritten.signal()
        }
        isWritten.wait()

        #expect(try reader.fetchFirst(ModelRequest<Card>())?.title == "old")
        #expect(try controller.snapshot.models().map(\.title) == ["new"])
      }
    }
  }
}
