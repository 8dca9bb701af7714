import Fixtures
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Synchronization
import Testing

extension SessionTests {
  @Test(.engine(.sqlite)) func aReadSeesOneState() throws {
    try withStorePath { path in
      let store = try ModelStore(path: path, models: Episode.self)

      try store.read { reader in
        let before = try reader.fetchCount(all)
        try store.write { try $0.save(Episode.number(1)) }

        #expect(try reader.fetchCount(all) == before)
        #expect(try store.fetchCount(all) == before)
      }
      #expect(try store.fetchCount(all) == 1)
    }
  }

  @Test(.engine(.sqlite), arguments: [true, false])
  func aReadInsideAWriteSeesWhatIsWritten(isInMemory: Bool) throws {
    try withStorePath { path in
      let store =
        isInMemory
        ? try emptyStore(Episode.self) : try ModelStore(path: path, models: Episode.self)

      try store.write { writer in
        try writer.save(Episode.number(1))
        #expect(try store.fetchCount(all) == 1)
        #expect(try writer.reader.fetchCount(all) == 1)
      }
    }
  }

  @Test(.engine(.sqlite)) func anObserverCanReadDuringAReport() throws {
    final class Reader: TransactionObserver {
      let counts: () throws -> Int
      var seen: [Int] = []
      init(_ counts: @escaping () throws -> Int) { self.counts = counts }
      func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
      func databaseDidChange(with event: DatabaseEvent) {}
      func databaseDidRollback(_ database: Database) {}
      func databaseDidCommit(_ database: Database) {
        if seen.count < 10 { seen.append((try? counts()) ?? -1) }
      }
    }
    try withStorePath { path in
      let store = try ModelStore(path: path, models: Episode.self)
      let reader = Reader { try store.fetchCount(all) }
      try store.writer.add(transactionObserver: reader)

      try store.write { try $0.save(Episode.number(1)) }
      try store.write { try $0.save(Episode.number(2)) }

      #expect(reader.seen == [1, 2])
    }
  }

  @Test(.engine(.sqlite)) func databaseErrorsAreStoreErrorsInsideToo() throws {
    try withStorePath { path in
      let store = try ModelStore(path: path, models: Episode.self)
      try store.writer.write { try $0.execute(sql: "ALTER TABLE Episode RENAME TO other") }

      try store.read { reader in
        #expect(throws: StoreError.self) { try reader.fetch(all) }
        #expect(throws: StoreError.self) { try reader.fetchCount(all) }
        #expect(throws: StoreError.self) { try reader.forEachBatch(of: all) { _ in } }
      }
      try store.write { writer in
        #expect(throws: StoreError.self) { try writer.save(Episode.number(1)) }
        #expect(throws: StoreError.self) { try writer.delete(all) }
        #expect(throws: StoreError.self) { try writer.delete([Episode.number(1)]) }
      }
      let error = #expect(throws: StoreError.self) { try store.fetch(all) }
      #expect(error?.subject == path)
      #expect(error?.underlying is DatabaseError)
    }
  }

  @Test(.engine(.sqlite)) func aClosedStoreThrows() throws {
    final class Observer: Sendable {}
    try withStorePath { path in
      for store in try [
        emptyStore(Episode.self), ModelStore(path: path, models: Episode.self),
      ] {
        let observed = try store.observe({ _ in Observer() }) { _, _, _ in }
        try store.writer.close()

        #expect(throws: StoreError.self) { try store.write { try $0.save(Episode.number(1)) } }
        #expect(throws: StoreError.self) { try store.fetch(all) }
        #expect(throws: StoreError.self) { try store.observe({ _ in Observer() }) { _, _, _ in } }
        withExtendedLifetime(observed) {}
      }
    }
  }

  @Test(.engine(.sqlite)) func pagesAreReadByOneStatement() throws {
    let store = try emptyStore(Episode.self)
    try store.write { try $0.save((1...9).map { Episode.number($0) }) }
    let statements = Mutex<Set<String>>([])
    try store.writer.unsafeReentrantWrite { database in
      database.trace { event in
        guard case .statement(let statement) = event else { return }
        statements.withLock { _ = $0.insert(statement.sql) }
      }
    }

    let pages = try (0..<9).map { try store.fetch(all.limit(1).offset($0)).map(\.id) }

    #expect(pages == (1...9).map { [$0] })
    #expect(statements.withLock { $0.count } == 1)
  }
}
