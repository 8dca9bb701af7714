public import GRDB
public import MohoRows

extension StoreWriter {
  /// Runs one or more SQL statements in the transaction.
  ///
  /// - Parameters:
  ///   - sql: The statements. Pass values as arguments.
  ///   - arguments: The values of the parameters of all statements.
  /// - Throws: A `StoreError` if a statement fails, with the keys of a failed
  ///   constraint, or if the store is not an SQLite database.
  public func execute(sql: String, arguments: StatementArguments = StatementArguments()) throws {
    try reader.perform { try $0.execute(sql: sql, arguments: arguments) }
  }
}
