import MohoMapping
import MohoRows
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres

/// The numbers of deferred statements.
struct DeferredStatementTests {
  @Test func `a statement is removed with those after it until it is executed`() {
    var statements = DeferredStatements()
    let outer = statements.append("a")
    let inner = statements.append("b")
    statements.append("c")

    let hasRemovedInner = statements.remove(from: inner)
    #expect(hasRemovedInner)
    #expect(statements.queries.map(\.sql) == ["a"])
    // The number of a removed statement is used again.
    let next = statements.append("d")
    statements.removeFirst()

    let hasRemovedOuter = statements.remove(from: outer)
    #expect(!hasRemovedOuter)
    #expect(statements.queries.map(\.sql) == ["d"])
    let hasRemovedNext = statements.remove(from: next)
    #expect(hasRemovedNext)
    #expect(statements.queries.isEmpty)
  }

  @Test func `an executed or dropped statement is not removed in place of a later one`() {
    var statements = DeferredStatements()
    let executed = statements.append("a")
    statements.removeFirst()
    let dropped = statements.append("b")
    statements.removeAll()
    statements.append("c")

    for id in [executed, dropped] {
      let hasRemoved = statements.remove(from: id)
      #expect(!hasRemoved)
    }
    #expect(statements.queries.map(\.sql) == ["c"])
  }
}

/// The locks of statements that are sent with deferred ones.
@Suite(.requiresPostgres)
struct DeferredLockTests {
  private let connection: PostgresConnection
  private let locks: StepLocks

  init() throws {
    let url = try PostgresServer.shared().emptySchema()
    let schema = try Schema([LockedNote.self], entities: [])
    _ = try ModelStore(postgres: url, schema)
    connection = try PostgresConnection(url)
    locks = StepLocks(try PostgresLogSchema(schema, schemaName: connection.schemaName))
    connection.stepLocks = locks
    locks.begin(with: [])
    connection.begin(["BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"])
  }

  @Test(arguments: [true, false])
  func `a statement locks its tables`(isPrepared: Bool) throws {
    let result = try connection.query("SELECT id FROM \"Note\"", isPrepared: isPrepared)

    #expect(result.rowCount == 0)
    #expect(locks.hasLocked(["Note"]))
    try connection.endReading()
  }

  @Test(arguments: [true, false])
  func `statements of a pipeline lock their tables`(isPrepared: Bool) throws {
    let queries = ["SELECT 1", "SELECT id FROM \"Note\""].map {
      PostgresQuery($0, isPrepared: isPrepared)
    }

    try connection.queries(queries)

    #expect(locks.hasLocked(["Note"]))
    try connection.endReading()
  }
}
