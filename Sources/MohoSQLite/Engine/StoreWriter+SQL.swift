import GRDB
public import MohoMapping
public import MohoRows

extension StoreWriter {
  /// Runs one or more SQL statements in the transaction.
  ///
  /// ```swift
  /// try writer.execute(
  ///   sql: "UPDATE Episode SET title = upper(title) WHERE publishedAt < ?", arguments: [Date.now])
  /// ```
  ///
  /// Statements that control transactions, connections or files are refused before
  /// they run: `BEGIN`, `COMMIT`, `END`, `ROLLBACK`, `SAVEPOINT`, `RELEASE`, `ATTACH`,
  /// `DETACH`, and pragmas that change anything but `user_version`. SQLite itself
  /// refuses `VACUUM` in a transaction.
  ///
  /// - Parameters:
  ///   - sql: The statements. Pass values as arguments.
  ///   - arguments: The values of the parameters of all statements, in order.
  ///     They are bound in the form that columns store.
  /// - Throws: A `StoreError` if a statement fails, with the keys of a failed
  ///   constraint, if a statement is refused, if the number of arguments does not
  ///   match, or if the store is not an SQLite database. A `MappingError` if an
  ///   argument cannot be stored.
  public func execute(sql: String, arguments: [any FieldValue] = []) throws {
    try reader.perform { database in
      var arguments = try SQLArguments(arguments)
      var statements = try AppStatements(database, sql)
      while let statement = try statements.next() {
        let statement = PreparedStatement(app: statement, database)
        try arguments.bind(to: statement)
        try statement.execute()
      }
      try arguments.checkEnd()
    }
  }
}
