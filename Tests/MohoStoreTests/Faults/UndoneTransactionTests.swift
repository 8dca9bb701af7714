import Fixtures
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import Testing

/// Tests writes whose transaction SQLite undoes at once, as it does after an error of the disk.
@Suite struct UndoneTransactionTests {
  private let all = ModelRequest<Episode>()

  /// Calls a closure with a store that undoes the whole transaction if episode 2 is saved.
  private func withStore(
    inMemory: Bool, history: HistoryPolicy = .unchanged, _ body: (ModelStore) throws -> Void
  ) throws {
    var configuration = StoreConfiguration()
    configuration.history = history
    try withStorePath { path in
      let store =
        inMemory
        ? try ModelStore(inMemory: Episode.self, configuration: configuration)
        : try ModelStore(path: path, models: Episode.self, configuration: configuration)
      try store.writer.write { database in
        try database.execute(
          sql: """
            CREATE TRIGGER undo BEFORE INSERT ON Episode WHEN NEW.id = 2
            BEGIN SELECT RAISE(ROLLBACK, 'undone'); END
            """)
      }
      try body(store)
    }
  }

  @Test(arguments: [false, true], [HistoryPolicy.unchanged, .enabled()])
  func aClosureThatCatchesTheErrorSavesNothing(inMemory: Bool, history: HistoryPolicy) throws {
    try withStore(inMemory: inMemory, history: history) { store in
      let error = #expect(throws: StoreError.self) {
        try store.write { writer in
          try writer.save(Episode.number(1))
          _ = try? writer.save(Episode.number(2))
          for id in 3...4 { _ = try? writer.save([Episode.number(id), .number(id + 10)]) }
          _ = try? writer.delete(all)
          _ = try? writer.update([Partial(Episode.number(5))])
        }
      }

      #expect(error?.suggestion == "rethrow the first error in the closure that writes")
      let count = try store.fetchCount(all)
      #expect(count == 0)
    }
  }

  @Test(arguments: [false, true])
  func aStoreThatIsReadAfterTheErrorCanBeWrittenLater(inMemory: Bool) throws {
    try withStore(inMemory: inMemory) { store in
      var counts: [Int?] = []
      #expect(throws: StoreError.self) {
        try store.write { writer in
          _ = try? writer.save(Episode.number(2))
          counts = [try? writer.reader.fetchCount(all), try? store.fetchCount(all)]
        }
      }
      #expect(counts == [nil, nil])

      try store.write { try $0.save(Episode.number(3)) }

      #expect(try store.fetch(all) == [.number(3)])
    }
  }
}
