import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres

@Suite struct PreparedStatementTests {
  private func key(_ number: Int) -> PreparedStatements.Key {
    PreparedStatements.Key(sql: "SELECT \(number)", types: [])
  }

  /// The number of statements that were run in each way.
  private struct Counts: Equatable {
    var unprepared = 0
    var prepared = 0
    var prepares = 0
    var deallocated = 0
  }

  private func run(_ numbers: Range<Int>, _ statements: inout PreparedStatements) -> Counts {
    var counts = Counts()
    for number in numbers {
      switch statements.use(key(number)) {
      case .unprepared: counts.unprepared += 1
      case .prepared: counts.prepared += 1
      case .prepare(let name, let removed):
        counts.prepares += 1
        counts.deallocated += removed.count
        statements.didPrepare(key(number), name: name)
      }
    }
    return counts
  }

  @Test func aStatementIsPreparedWhenItRunsForTheSecondTime() {
    var statements = PreparedStatements()

    #expect(run(0..<3, &statements) == Counts(unprepared: 3))
    #expect(run(0..<3, &statements) == Counts(prepares: 3))
    #expect(run(0..<3, &statements) == Counts(prepared: 3))
  }

  @Test(arguments: [9, 12, 31, 1_000])
  func statementsThatRunInTurnDoNotReplaceEachOther(count: Int) {
    var statements = PreparedStatements(capacity: 8)
    for _ in 0..<2 { _ = run(0..<count, &statements) }

    for _ in 0..<20 {
      let counts = run(0..<count, &statements)
      #expect(counts.prepares == 0)
      // The last uses of many statements are not recorded.
      #expect(counts.prepared == (count < 32 ? 8 : 0), "\(count)")
    }
  }

  @Test func statementsOfABatchDoNotReplaceEachOther() {
    var statements = PreparedStatements(capacity: 8)
    for _ in 0..<3 { _ = run(0..<8, &statements) }
    _ = run(8..<9, &statements)

    let start = statements.time
    for number in 0..<8 { #expect(statements.use(key(number), inBatchSince: start).isPrepared) }

    #expect(statements.use(key(8), inBatchSince: start) == .unprepared)
    #expect(statements.use(key(9), inBatchSince: start) == .unprepared)
    #expect(statements.use(key(9), inBatchSince: start) == .unprepared)
  }

  @Test func newStatementsReplaceThoseThatAreNoLongerUsed() {
    var statements = PreparedStatements(capacity: 8)
    for _ in 0..<3 { _ = run(0..<8, &statements) }

    #expect(run(8..<16, &statements) == Counts(unprepared: 8))
    #expect(run(8..<16, &statements) == Counts(prepares: 8, deallocated: 8))
    #expect(run(8..<16, &statements) == Counts(prepared: 8))
  }

  @Test(.requiresPostgres)
  func aConnectionDeallocatesTheStatementsThatItReplaces() throws {
    let connection = try PostgresConnection(PostgresServer.shared().emptySchema())
    connection.statements = PreparedStatements(capacity: 8)
    for first in [0, 8, 16] {
      for _ in 0..<3 {
        for number in first..<first + 8 {
          #expect(try connection.query("SELECT \(number)::int8").first?.int64(0) == Int64(number))
        }
      }
    }

    let names = try connection.query(
      "SELECT statement FROM pg_prepared_statements ORDER BY prepare_time", isPrepared: false)

    #expect(names.rows.map { $0.string(0) } == (16..<24).map { "SELECT \($0)::int8" })
  }
}

extension PreparedStatements.Use {
  fileprivate var isPrepared: Bool { if case .prepared = self { true } else { false } }
}
