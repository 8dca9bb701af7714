import MohoRows

/// The names of the database objects that record changes, in the schema of a
/// store's tables. A space follows `_moho`, so that no link table can have the
/// same name.
enum LogName {
  /// The table of the changes.
  static let log = prefix
  /// The table of the listeners that need the changes.
  static let listeners = "_moho listeners"
  /// The sequence whose value is the time until which changes are recorded.
  static let end = "_moho log end"
  /// The sequence whose value is 1 while all listeners poll, so that commits need no
  /// notifications, and otherwise 0.
  static let polled = "_moho log polled"

  /// The temporary table of the changes of a connection's transaction.
  static let transactionLog = "_moho transaction log"
  /// The setting whose value is the list of the tables whose changes a transaction records in
  /// ``transactionLog``.
  static let transactionTables = "moho.transaction_tables"
  /// The setting that is `true` if changes of these tables could not be recorded.
  static let hasUnrecordedRows = "moho.has_unrecorded_rows"

  /// The setting with the author of the changes of a transaction, after a `=`. Without it, the
  /// changes have no author.
  static let author = "moho.author"

  static let objects = [log, listeners, end, polled]

  private static let prefix = "_moho log"

  /// The function of the triggers of a table that write ``log``.
  static func function(of table: String) -> String { shortened("\(prefix): \(table)") }

  /// The function of the triggers of a table that write ``transactionLog``.
  static func transactionFunction(of table: String) -> String {
    shortened("\(prefix) of transaction: \(table)")
  }

  /// The name of a trigger that writes ``log``. The names of all triggers have its prefix.
  static func trigger(_ event: String) -> String { "\(prefix) \(event)" }

  /// The name of a trigger that writes ``transactionLog``.
  static func transactionTrigger(_ event: String) -> String { trigger("of transaction \(event)") }

  /// The channel of the notifications about commits to the tables of a schema.
  static func channel(of schemaName: String) -> String { shortened("_moho \(schemaName)") }

  /// PostgreSQL truncates longer names, which could make two names equal.
  private static func shortened(_ name: String) -> String {
    guard name.utf8.count > 63 else { return name }
    var start = name
    while start.utf8.count > 46 { start.removeLast() }
    return start + " " + stableHash(name)
  }
}
