import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

/// The statements that recording adds to a write.
@Suite struct HistoryCostTests {
  private func statements(
    _ history: HistoryPolicy, _ write: (StoreWriter) throws -> Void
  ) throws -> [String] {
    var configuration = StoreConfiguration()
    configuration.history = history
    let store = try ModelStore(inMemory: RecordedTag.self, configuration: configuration)
    try store.write { try $0.save((0..<1_000).map { RecordedEpisode(id: $0) }) }
    let trace = StatementTrace()
    try store.writer.writeWithoutTransaction { database in
      database.trace { event in
        // SQLite reports the statements of triggers as comments.
        if case .statement(let statement) = event, !statement.sql.hasPrefix("--") {
          trace.add(statement.sql)
        }
      }
    }
    try store.write(write)
    return trace.statements
  }

  @Test func aWriteOf1000RowsRunsThreeMoreStatements() throws {
    let write = { (writer: StoreWriter) in
      try writer.execute(sql: "UPDATE Episode SET title = 'x'")
      try writer.save((1_000..<2_000).map { RecordedEpisode(id: $0) })
    }
    let (off, on) = (try statements(.unchanged, write), try statements(.enabled(), write))

    #expect(off.count > 1_000)
    #expect(on.count == off.count + 3)
    #expect(!off.contains { $0.contains("history") })
  }

  @Test func aWriteWithoutChangesWritesNoHistory() throws {
    let write = { (writer: StoreWriter) in
      _ = try writer.save((0..<1_000).map { RecordedEpisode(id: $0) })
    }
    let (off, on) = (try statements(.unchanged, write), try statements(.enabled(), write))

    #expect(on.count == off.count + 2)
    #expect(!on.contains { $0.hasPrefix("INSERT INTO \"_moho history") })
  }
}
