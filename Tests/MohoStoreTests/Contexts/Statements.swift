import GRDB
import MohoRows
import MohoSQLite
import Synchronization

/// Returns the statements that an in-memory store executes while a closure
/// runs, including repetitions, without transaction statements.
func statements<Result>(
  of store: ModelStore, _ body: () throws -> Result
) throws -> (statements: [String], result: Result) {
  let log = Log()
  try store.writer.writeWithoutTransaction { database in
    database.trace(options: .statement) { event in
      if case .statement(let statement) = event {
        log.statements.withLock { $0.append(statement.sql) }
      }
    }
  }
  let result = try body()
  try store.writer.writeWithoutTransaction { $0.trace(options: []) }
  let words = ["SELECT", "INSERT", "UPDATE", "DELETE"]
  return (
    log.statements.withLock { $0 }.filter { sql in words.contains { sql.hasPrefix($0) } }, result
  )
}

private final class Log: Sendable {
  let statements = Mutex<[String]>([])
}

/// Returns the number of statements of a kind that are executed while a closure
/// runs.
func count(
  _ word: String, of store: ModelStore, _ body: () throws -> Void
) throws -> Int {
  try statements(of: store, body).statements.count { $0.hasPrefix(word) }
}
