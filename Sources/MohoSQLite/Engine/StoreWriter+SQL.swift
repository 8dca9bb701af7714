public import GRDB
public import MohoRows

extension StoreWriter {
  /// Runs one or more statements of your own SQL in the transaction.
  ///
  /// - Parameters:
  ///   - sql: The statements. Pass values as arguments.
  ///   - arguments: The values of the parameters of all statements.
  /// - Throws: `StoreError`, with the keys whose constraints are violated; also
  ///   if the store is not a SQLite database.
  public func execute(sql: String, arguments: StatementArguments = StatementArguments()) throws {
    try reader.perform { try $0.execute(sql: sql, arguments: arguments) }
  }
}
