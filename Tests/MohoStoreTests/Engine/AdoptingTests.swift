import Fixtures
import Foundation
import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

@Suite struct AdoptingTests {
  private let prices = ModelRequest<Price>().filter { $0.amount > Decimal(9) }
    .order(by: \.amount)
  private let matches = ModelRequest<Episode>().filter {
    $0.title.contains("EPI", .caseInsensitive)
  }

  private func price(_ id: Int, _ amount: Decimal) -> Price { Price(id: id, amount: amount) }

  @Test(arguments: [true, false])
  func aWriterIsSharedWithTablesOfOthers(isPool: Bool) throws {
    try withStorePath { path in
      let writer: any DatabaseWriter =
        try isPool ? DatabasePool(path: path) : DatabaseQueue(path: path)
      try writer.write {
        try $0.execute(sql: "CREATE TABLE other (x); INSERT INTO other VALUES (1)")
      }

      let store = try ModelStore(adopting: writer, models: Episode.self, Price.self)
      try store.write { try $0.save([Episode.number(1)]) }
      try store.write { try $0.save([price(1, 10), price(2, 9), price(3, 9.5)]) }

      #expect(try store.fetch(matches) == [.number(1)])
      #expect(try store.fetch(prices).map(\.id) == [3, 1])
      #expect(try writer.read { try Int.fetchOne($0, sql: "SELECT x FROM other") } == 1)
      #expect(try ModelStore(path: path, models: Episode.self).fetch(matches) == [.number(1)])
    }
  }

  @Test(arguments: ["UTF-16le", "UTF-16be"])
  func aDatabaseWithTextInUTF16IsRefused(encoding: String) throws {
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA encoding = '\(encoding)'; CREATE TABLE other (x)")
    }

    let error = #expect(throws: StoreError.self) {
      try ModelStore(adopting: queue, models: Episode.self)
    }

    #expect(error?.code == .incompatibleSchema)
    #expect(error?.reason == "the database stores text as \(encoding), expected UTF-8")
    #expect(try queue.read { try $0.tableExists("Episode") } == false)
  }

  @Test func everyConnectionOfAPoolHasTheFunctions() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let pool = try DatabasePool(path: folder.appending(path: "store.sqlite").path)
    let store = try ModelStore(adopting: pool, models: Episode.self, Price.self)
    try await store.write { writer in
      try writer.save(Episode.number(1))
      try writer.save(price(1, 10))
    }

    // A pool has five reader connections by default. Use all of them.
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<50 {
        group.addTask { try store.fetch(matches).count + store.fetch(prices).count }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }

    #expect(counts == Array(repeating: 2, count: 50))
    // Connections that are opened after others were closed also have the
    // functions.
    pool.releaseMemory()
    #expect(try await store.fetch(matches).count == 1)
  }

  @Test func statementsStayPrepared() throws {
    let queue = try DatabaseQueue()
    let sql = "SELECT count(*) FROM sqlite_schema WHERE name = 'x'"
    func reprepared() throws -> Int32 {
      try queue.unsafeReentrantWrite { database in
        let statement = try database.cachedStatement(sql: sql)
        _ = try Int.fetchOne(statement)
        return sqlite3_stmt_status(statement.sqliteStatement, SQLITE_STMTSTATUS_REPREPARE, 0)
      }
    }
    let store = try ModelStore(adopting: queue, models: Episode.self)
    let before = try reprepared()

    for _ in 0..<3 { _ = try store.fetch(matches) }

    #expect(try reprepared() == before)
  }

  @Test func twoStoresMayShareAWriter() throws {
    let queue = try DatabaseQueue()
    let one = try ModelStore(adopting: queue, models: Episode.self)
    let other = try ModelStore(adopting: queue, models: Price.self)

    try one.write { outer in
      try outer.save(Episode.number(1))
      try other.write { try $0.save(price(1, 10)) }
    }

    #expect(try one.fetch(matches).count == 1)
    #expect(try other.fetch(prices).count == 1)
  }

  @Test func aWriterMayBeAdoptedInsideItsOwnTransaction() throws {
    let queue = try DatabaseQueue()
    let store = try queue.write { _ in try ModelStore(adopting: queue, models: Episode.self) }

    try store.write { try $0.save(Episode.number(1)) }

    #expect(try store.fetch(matches) == [.number(1)])
  }

  @Test func aConnectionThatDoesNotEnforceLinksIsRefused() throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(configuration: configuration)

    let error = #expect(throws: StoreError.self) {
      try ModelStore(adopting: queue, models: Episode.self)
    }

    #expect(error?.code == .invalidConnection)
    #expect(error?.suggestion == "leave `foreignKeysEnabled` of GRDB's `Configuration` true")
    #expect(try queue.read { try $0.tableExists("Episode") } == false)
  }

  @Test func linksAreEnforcedAfterAMigration() throws {
    let queue = try DatabaseQueue()
    _ = try ModelStore(adopting: queue, entities: [.list, .task, .tag])

    #expect(try queue.read { try Bool.fetchOne($0, sql: "PRAGMA foreign_keys") } == true)
    #expect(throws: DatabaseError.self) {
      try queue.write { try $0.execute(sql: "INSERT INTO Task (text, list) VALUES ('t', 1)") }
    }
  }

  @Test func aWriterThatIsClosedThrows() throws {
    try withStorePath { path in
      for writer in try [DatabaseQueue(), DatabasePool(path: path)] as [any DatabaseWriter] {
        let store = try ModelStore(adopting: writer, models: Episode.self)
        try writer.close()

        #expect(throws: StoreError.self) { try store.fetch(matches) }
        #expect(throws: StoreError.self) { try store.write { try $0.save(Episode.number(1)) } }
      }
    }
  }

  @Test func closingAStoreLeavesAnAdoptedDatabaseOpen() async throws {
    let queue = try DatabaseQueue()
    let store = try ModelStore(adopting: queue, models: Episode.self)
    var commits = try await store.commits().makeAsyncIterator()
    try await store.write { try $0.save(Episode.number(1)) }

    try await store.close()
    try await queue.write { try $0.execute(sql: "UPDATE Episode SET title = 'Loess'") }

    await #expect(throws: StoreError.self) { try await store.fetchCount(matches) }
    #expect(try await commits.next()?.rows == ["Episode": [1]])
    #expect(try await commits.next() == nil)
  }

  @Test func theApplicationIdentifierOfAnAdoptedDatabaseIsItsOwn() throws {
    let queue = try DatabaseQueue()
    try queue.write { try $0.execute(sql: "PRAGMA application_id = 77") }

    _ = try ModelStore(adopting: queue, models: Episode.self)

    #expect(try queue.read { try Int.fetchOne($0, sql: "PRAGMA application_id") } == 77)
  }
}
