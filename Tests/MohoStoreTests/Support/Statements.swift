import Foundation
import MohoRows
import StoreTesting

/// Returns a text as a literal of SQL.
func sqlLiteral(_ text: String) -> String {
  "'" + text.replacingOccurrences(of: "'", with: "''") + "'"
}

/// Returns the statements that a store executes while a closure runs, including
/// repetitions, without transaction statements.
func statements<Result>(
  of store: ModelStore, _ body: () throws -> Result
) throws -> (statements: [String], result: Result) {
  var result: Result?
  let words = ["SELECT", "INSERT", "UPDATE", "DELETE"]
  let statements = try store.statements { result = try body() }
  guard let result else { throw CancellationError() }
  return (statements.filter { sql in words.contains { sql.hasPrefix($0) } }, result)
}

/// Returns the number of statements of a kind that are executed while a closure
/// runs.
func count(
  _ word: String, of store: ModelStore, _ body: () throws -> Void
) throws -> Int {
  try statements(of: store, body).statements.count { $0.hasPrefix(word) }
}
