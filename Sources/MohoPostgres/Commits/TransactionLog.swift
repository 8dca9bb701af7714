import MohoRows

/// Records the changes of a transaction for the transaction itself, which checks rules over the
/// changed rows before it is committed.
///
/// Triggers write the changes of the tables that rules may read to a temporary table, if a
/// setting of the transaction names these tables. Unlike the log of the store, a temporary
/// table makes no serializable transactions conflict.
struct TransactionLog {
  static let table = "pg_temp.\(quotedName(LogName.transactionLog))"

  private let tables: [CompiledTable]

  /// - Returns: Nil if the schema has no rules that need the changes.
  init?(_ schema: Schema) throws {
    guard schema.compiled.hasRulesOverRelations else { return nil }
    tables = try schema.rulesOverRelations.tables
  }

  /// Creates the table, unless the connection has it. Must be called outside of transactions.
  func prepare(_ connection: PostgresConnection) throws {
    if connection.hasTransactionLog || connection.isPooled { return }
    do {
      // Transactions of the connection may be read-only by default.
      try connection.execute("BEGIN READ WRITE; \(Self.creation); COMMIT")
    } catch {
      try? connection.executeUncanceled("ROLLBACK")
      throw error
    }
    connection.hasTransactionLog = true
  }

  /// The statements that begin to record, in a transaction that has begun. A connection of a
  /// pooler may have no table, because each transaction may have another server process.
  func beginning(on connection: PostgresConnection) -> [String] {
    let names = tables.map { quotedName($0.name) }.joined()
    let setting = "SET LOCAL \(LogName.transactionTables) = \(quotedText(names))"
    return connection.isPooled ? [Self.creation, setting] : [setting]
  }

  // The key finds the last entries.
  private static let creation = """
    CREATE TEMPORARY TABLE IF NOT EXISTS \(quotedName(LogName.transactionLog)) (
      seq int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "table" text NOT NULL,
      kind int2 NOT NULL, row_id int8, row_ids int8[], old bytea) ON COMMIT DELETE ROWS
    """
}
