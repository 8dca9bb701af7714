import MohoRows

/// Records the changes of a transaction for the transaction itself, which checks rules over the
/// changed rows before it is committed.
///
/// The triggers that write the log of the store write the changes also to a temporary table, if
/// a setting of the transaction names their table. Unlike the log of the store, a temporary
/// table makes no serializable transactions conflict.
struct TransactionLog {
  static let table = "pg_temp.\(quotedName(LogName.transactionLog))"

  private let tables: [CompiledTable]

  /// - Returns: Nil if the schema has no rules that need the changes.
  init?(_ schema: Schema) throws {
    guard schema.compiled.hasRulesOverRelations else { return nil }
    tables = try schema.rulesOverRelations.tables
  }

  /// Returns an SQL condition that is true if a transaction records the changes of a table.
  static func isRecording(_ table: String) -> String {
    "pg_catalog.strpos(pg_catalog.current_setting('\(LogName.transactionTables)', true),"
      + " \(quotedText(quotedName(table)))) > 0"
  }

  /// Creates the table, unless the connection has it. Must be called outside of transactions.
  func prepare(_ connection: PostgresConnection) throws {
    if connection.hasTransactionLog || connection.isPooled { return }
    try connection.execute(creation)
    connection.hasTransactionLog = true
  }

  /// The statements that begin to record, in a transaction that has begun. A connection of a
  /// pooler may have no table, because each transaction may have another server process.
  func beginning(on connection: PostgresConnection) -> String {
    let names = tables.map { quotedName($0.name) }.joined()
    let setting = "SET LOCAL \(LogName.transactionTables) = \(quotedText(names))"
    return connection.isPooled ? "\(creation); \(setting)" : setting
  }

  // The triggers run with the rights of the owner of the tables.
  private var creation: String {
    """
    CREATE TEMPORARY TABLE IF NOT EXISTS \(quotedName(LogName.transactionLog)) (
      seq int8 GENERATED ALWAYS AS IDENTITY, "table" text NOT NULL, kind int2 NOT NULL,
      row_id int8, row_ids int8[], old bytea) ON COMMIT DELETE ROWS;
    GRANT INSERT ON \(Self.table) TO PUBLIC
    """
  }
}

extension PostgresSession {
  func rowsWrittenInTransaction(to tables: [CompiledTable]) throws -> [String: RowWriteSet] {
    let connection = try connection
    let log = PostgresLogSchema(schema, schemaName: connection.schemaName)
    return try LogReader(log).rowsWrittenInTransaction(on: connection)
      .filter { name, _ in tables.contains { $0.name == name } }
  }
}
