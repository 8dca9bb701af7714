import MohoRows

extension PostgresConnection {
  /// Executes statements that an app has written, in the current transaction.
  ///
  /// The server executes them in a `DO` block, which refuses statements that control
  /// transactions before they run. No text comparison can do this reliably, and the status of
  /// the transaction shows a `COMMIT` only when it is too late.
  ///
  /// - Throws: A ``StoreError`` if a statement fails or controls transactions.
  func execute(appSQL sql: String) throws {
    let (block, text) = (Self.quote(in: sql, "block"), Self.quote(in: sql, "sql"))
    do {
      try execute("DO \(block) BEGIN EXECUTE \(text)\(sql)\(text); END \(block)")
    } catch let error as StoreError where error.isTransactionControl {
      throw StoreError(
        .invalidRequest, reason: "SQL of the app must not control transactions",
        suggestion: "the store commits and rolls back the migration",
        underlying: error.underlying)
    }
  }

  /// Returns a dollar quote that does not occur in a text.
  private static func quote(in sql: String, _ name: String) -> String {
    var tag = "$moho_\(name)"
    while sql.contains(tag) { tag += "_" }
    return tag + "$"
  }
}

extension StoreError {
  /// Whether the server has refused to control the transaction in a function.
  fileprivate var isTransactionControl: Bool {
    guard let error = underlying as? PostgresError else { return false }
    return error.sqlState == "2D000"
      || error.sqlState == "0A000" && error.message.contains("transaction commands")
  }
}
