import Fixtures
import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

/// Tests temporary tables, whose names SQLite looks up before those of the store.
@Suite struct TemporaryTableTests {
  private let all = ModelRequest<Episode>().order(by: \.id)

  /// Calls a closure with stores in a file and in memory.
  private func withStores(_ body: (ModelStore) throws -> Void) throws {
    try withStorePath { path in
      let store = try ModelStore(path: path, models: Episode.self)
      try store.write { try $0.save(Episode.number(1)) }
      try body(store)
    }
    let store = try ModelStore(inMemory: Episode.self)
    try store.write { try $0.save(Episode.number(1)) }
    try body(store)
  }

  private func checkConnection(
    _ error: StoreError?, _ name: String = "Episode", _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(error?.code == .invalidConnection, sourceLocation: location)
    #expect(
      error?.subject == "temporary table or view `\(name)`", sourceLocation: location)
    #expect(error?.suggestion == "give it another name, or drop it", sourceLocation: location)
  }

  @Test(arguments: [
    "CREATE TEMP TABLE Episode (x)", "create temporary table if not exists \"episode\" (x)",
    "CREATE TEMP TABLE Episode AS SELECT * FROM Episode", "CREATE TABLE temp.EPISODE (x)",
    "CREATE TEMP VIEW Episode AS SELECT 1", "CREATE VIEW 'temp'.Episode AS SELECT 1",
    "CREATE VIRTUAL TABLE temp.Episode USING fts5(x)", "CREATE TEMP TABLE _moho_entities (x)",
    "CREATE TEMP VIEW \"_MOHO new Episode\" AS SELECT 1", "SELECT 1; CREATE TEMP TABLE Episode (x)",
  ])
  func sqlDoesNotCreateOneThatHidesATable(sql: String) throws {
    try withStores { store in
      let error = #expect(throws: StoreError.self) {
        try store.write { writer in
          try writer.execute(sql: "DELETE FROM Episode")
          try writer.execute(sql: sql)
        }
      }

      #expect(error?.code == .invalidRequest)
      #expect(error?.subject?.hasPrefix("temporary table or view `") == true)
      let isReserved = sql.lowercased().contains("_moho")
      #expect(
        error?.reason
          == (isReserved
            ? "names that start with `_moho` are reserved for the store"
            : "it hides a table of the store"))
      #expect(throws: StoreError.self) { try store.fetchPartials(Episode.self, sql: sql) }
      let stored = try store.fetch(all)
      #expect(stored == [.number(1)])
    }
  }

  @Test func othersCanBeUsed() throws {
    try withStores { store in
      try store.write { writer in
        try writer.save([Episode.number(2), .number(3)])
        try writer.execute(
          sql: """
            CREATE TEMP TABLE other AS SELECT id FROM Episode WHERE id < 3;
            CREATE TEMP VIEW seen AS SELECT id FROM other;
            DELETE FROM Episode WHERE id IN (SELECT id FROM seen)
            """)
      }
      let stored = try store.fetch(all)
      #expect(stored == [.number(3)])
      try store.write { try $0.execute(sql: "DROP VIEW seen; DROP TABLE other") }
    }
  }

  @Test func oneThatIsRenamedIsAnErrorAndUndone() throws {
    try withStores { store in
      let rename = "CREATE TEMP TABLE other (x); ALTER TABLE other RENAME TO Episode"
      checkConnection(
        #expect(throws: StoreError.self) { try store.write { try $0.execute(sql: rename) } })
      try store.write { writer in
        checkConnection(#expect(throws: StoreError.self) { try writer.execute(sql: rename) })
        try writer.save(Episode.number(2))
      }

      #expect(try store.fetch(all) == [.number(1), .number(2)])
      let sql = "SELECT count(*) FROM temp.sqlite_schema"
      #expect(try store.writer.read { try Int.fetchOne($0, sql: sql) } == 0)
    }
  }

  @Test func oneOfTheWriterIsAnErrorUntilItIsDropped() throws {
    try withStores { store in
      for (kind, definition) in [("TABLE", "Episode (x)"), ("VIEW", "Episode AS SELECT 1")] {
        try store.writer.write { try $0.execute(sql: "CREATE TEMP \(kind) \(definition)") }

        checkConnection(
          #expect(throws: StoreError.self) { try store.write { try $0.save(Episode.number(2)) } })
        checkConnection(#expect(throws: StoreError.self) { try store.commits() })
        if store.path == nil {
          checkConnection(#expect(throws: StoreError.self) { try store.fetch(all) })
        } else {
          // Readers have connections of their own.
          let stored = try store.fetch(all)
          #expect(stored == [.number(1)])
        }

        try store.writer.write { try $0.execute(sql: "DROP \(kind) temp.Episode") }
        try store.write { try $0.save(Episode.number(1)) }
        let stored = try store.fetch(all)
        #expect(stored == [.number(1)])
      }
    }
  }

  @Test func oneThatIsCreatedDuringAWriteIsUndone() throws {
    try withStores { store in
      checkConnection(
        #expect(throws: StoreError.self) {
          try store.write { writer in
            try writer.save(Episode.number(2))
            try store.writer.unsafeReentrantWrite {
              try $0.execute(sql: "CREATE TEMP TABLE Episode (x)")
            }
          }
        })
      let stored = try store.fetch(all)
      #expect(stored == [.number(1)])
    }
  }

  /// The schema version of the temporary database is used to find changes. Undone changes do not
  /// increase it.
  @Test func changesThatAreUndoneAreNotMissed() throws {
    let store = try ModelStore(inMemory: Episode.self)
    func execute(_ sql: String, undoing: Bool = false) throws {
      try store.writer.writeWithoutTransaction { database in
        try database.inTransaction {
          try database.execute(sql: sql)
          // The names are read in the transaction.
          if sql.contains(" other") { _ = try store.fetch(all) }
          return undoing ? .rollback : .commit
        }
      }
    }
    _ = try store.fetch(all)
    for _ in 1...3 {
      try execute("CREATE TEMP TABLE other (x)", undoing: true)
      try execute("CREATE TEMP TABLE Episode (x)")
      checkConnection(#expect(throws: StoreError.self) { try store.fetch(all) })
      try execute("DROP TABLE temp.Episode")
      _ = try store.fetch(all)
    }
  }

  @Test func aDatabaseWithOneIsNotAdopted() throws {
    let queue = try DatabaseQueue()
    try queue.write { try $0.execute(sql: "CREATE TEMP TABLE episode (x)") }

    checkConnection(
      #expect(throws: StoreError.self) { try ModelStore(adopting: queue, models: Episode.self) },
      "episode")

    let sql = "SELECT count(*) FROM main.sqlite_schema"
    #expect(try queue.read { try Int.fetchOne($0, sql: sql) } == 0)
    try queue.write { try $0.execute(sql: "DROP TABLE episode") }
    let store = try ModelStore(adopting: queue, models: Episode.self)
    #expect(try store.fetch(all) == [])
  }

  @Test func aStoreOfOtherTablesIsNotAffected() throws {
    let queue = try DatabaseQueue()
    let episodes = try ModelStore(adopting: queue, models: Episode.self)
    let prices = try ModelStore(adopting: queue, models: Price.self)
    try queue.write { try $0.execute(sql: "CREATE TEMP TABLE Episode (x)") }

    #expect(try prices.fetch(ModelRequest<Price>()).isEmpty)
    checkConnection(#expect(throws: StoreError.self) { try episodes.fetch(all) })
  }

  @Test func aStepOfAMigrationDoesNotCreateOne() throws {
    let queue = try DatabaseQueue()
    _ = try ModelStore(adopting: queue, models: Episode.self)
    let steps: [(inout MigrationSteps) -> Void] = [
      { $0.sql("CREATE TEMP TABLE Episode (x)") },
      { $0.sql("CREATE TEMP TABLE other (x); ALTER TABLE other RENAME TO Episode") },
      { $0.run("hide") { try $0.execute(sql: "CREATE TEMP VIEW Episode AS SELECT 1") } },
    ]
    for declare in steps {
      var configuration = StoreConfiguration()
      configuration.migrations = [Migration("hide", declare)]
      let error = #expect(throws: StoreError.self) {
        try ModelStore(adopting: queue, models: Episode.self, configuration: configuration)
      }
      #expect(
        error?.description.contains("it hides a table of the store") == true,
        "\(String(describing: error))")
      let sql = "SELECT count(*) FROM temp.sqlite_schema"
      #expect(try queue.read { try Int.fetchOne($0, sql: sql) } == 0)
    }
    var configuration = StoreConfiguration()
    configuration.migrations = [
      Migration("use others") { $0.sql("CREATE TEMP TABLE other (x); DROP TABLE other") }
    ]
    let store = try ModelStore(
      adopting: queue, models: Episode.self, configuration: configuration)
    #expect(try store.fetch(all) == [])
  }
}
