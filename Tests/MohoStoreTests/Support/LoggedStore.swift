import MohoMapping
import MohoRows
import StoreTesting
import Synchronization

/// An empty store whose log counts executed statements.
struct LoggedStore {
  let store: ModelStore
  private let messages = LogMessages()

  init(_ models: any MappedModel.Type...) throws {
    store = try emptyStore(Schema(models), log: StatementLog(messages.logger))
  }

  /// Returns the statements that the store executes while a closure runs, each as
  /// often as it is executed, without those that begin or end transactions and
  /// savepoints.
  func executions(_ body: (ModelStore) throws -> Void) throws -> [String] {
    messages.all.withLock { $0 = [] }
    try body(store)
    let words = ["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "SET"]
    return messages.all.withLock { $0 }.map(\.sql).filter { sql in
      // Rows are copied in a savepoint.
      sql.contains("COPY ") || !words.contains { sql.hasPrefix("\($0) ") || sql == $0 }
    }
  }
}
