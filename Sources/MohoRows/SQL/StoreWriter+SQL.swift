public import MohoMapping

extension StoreWriter {
  /// Runs one or more SQL statements in the transaction.
  ///
  /// ```swift
  /// try writer.execute(
  ///   sql: #"UPDATE "Episode" SET title = upper(title) WHERE id = $1"#, arguments: [113])
  /// ```
  ///
  /// The SQL is that of the engine. Both engines have the parameters `$1`, `$2` and so on,
  /// which are the arguments in all statements of the text. SQLite also has `?`: the next
  /// argument. Rules over related rows are checked before the transaction is committed, and
  /// observers receive the changes.
  ///
  /// Statements that control transactions, connections or files are refused:
  ///
  /// - SQLite: `BEGIN`, `COMMIT`, `END`, `ROLLBACK`, `SAVEPOINT`, `RELEASE`, `ATTACH`, `DETACH`,
  ///   and pragmas that change anything but `user_version`. SQLite itself refuses `VACUUM` in a
  ///   transaction. Temporary tables and views must not have the name of a table of the store,
  ///   which they would hide, or a name that starts with `_moho`.
  /// - PostgreSQL: the statements of transactions, `SET` and `RESET` except `SET LOCAL` and
  ///   `SET CONSTRAINTS`, `LISTEN`, `COPY`, `LOAD`, and the statements of cursors and of
  ///   prepared statements. The server itself refuses `VACUUM` and others in a transaction.
  ///
  /// On SQLite, arguments have the form of columns. PostgreSQL infers the type of a parameter
  /// from its use; dates, data and Boolean values have the type of their columns. Where it
  /// cannot infer it, cast the parameter: `$1::int8`.
  ///
  /// - Parameters:
  ///   - sql: The statements. Pass values as arguments.
  ///   - arguments: The values of the parameters of all statements.
  /// - Throws: A ``StoreError`` if a statement fails, with the keys of a failed
  ///   constraint, if a statement is refused, or if the number of arguments does not
  ///   match. A `MappingError` if an argument cannot be stored. No statement has an
  ///   effect in these cases.
  /// - Complexity: On PostgreSQL, each statement takes a round trip, and the call two more.
  public func execute(sql: String, arguments: [any FieldValue] = []) throws {
    try session.execute(AppSQL(sql, arguments))
  }
}
