import MohoRows

/// Writes the statements of a trigger that record the changes of a table in a log.
///
/// Statements that write more than ``PostgresLogSchema/valueLimit`` rows record
/// lists of identities and links, without other values.
struct TriggerInsertions {
  private let table: RecordedTable
  private let log: String
  private let hasTransaction: Bool

  /// - Parameters:
  ///   - log: The name of the table with the changes.
  ///   - hasTransaction: Whether the log has a column for the transaction.
  init(_ table: RecordedTable, into log: String, hasTransaction: Bool = false) {
    self.table = table
    self.log = log
    self.hasTransaction = hasTransaction
  }

  var sql: String {
    """
      IF TG_OP = 'TRUNCATE' THEN
        \(insertion("kind", "\(LogRow.Kind.anyRow.rawValue)"));
      ELSIF TG_OP = 'INSERT' THEN
        IF \(hasFew("new_rows")) THEN
          \(insertion("kind, row_id", "\(inserted), n.\(table.identity) FROM new_rows n"));
        ELSE
          \(lists(inserted + 1, hasLinks: false, "SELECT n.\(table.identity) AS id FROM new_rows n"));
        END IF;
      ELSIF TG_OP = 'DELETE' THEN
        IF \(hasFew("old_rows")) THEN
          \(insertion("kind, row_id, old", "\(changed), o.\(table.identity), \(old) FROM old_rows o"));
        ELSE
          \(lists(changed + 1, hasLinks: true, "SELECT o.\(table.identity) AS id\(oldLinks) FROM old_rows o"));
        END IF;
      ELSIF \(hasFew("old_rows")) THEN
        \(insertion("kind, row_id, old", updated));
      ELSE
        \(lists(changed + 1, hasLinks: true, "SELECT coalesce(o.\(table.identity), n.\(table.identity)) AS id\(oldLinks) \(updates)"));
      END IF;
    """
  }

  private var inserted: Int { Int(LogRow.Kind.inserted.rawValue) }
  private var changed: Int { Int(LogRow.Kind.changed.rawValue) }

  private var oldLinks: String {
    table.linkColumns.enumerated().map { ", o.\(quotedName($1.name)) AS k\($0)" }.joined()
  }

  private var old: String { "record_send(ROW(\(table.values(of: "o"))))" }

  /// The updated rows whose values differ. If the identity of a row has changed,
  /// one row was deleted and one was inserted.
  private var updates: String {
    func columns(_ row: String) -> String {
      "ROW(\(table.columns.map { "\(row).\(quotedName($0.name))" }.joined(separator: ", ")))::record"
    }
    return "FROM old_rows o FULL JOIN new_rows n ON o.\(table.identity) = n.\(table.identity)"
      + " WHERE o.\(table.identity) IS NULL OR n.\(table.identity) IS NULL"
      + " OR \(columns("o")) *<> \(columns("n"))"
  }

  private var updated: String {
    "CASE WHEN o.\(table.identity) IS NULL THEN \(inserted) ELSE \(changed) END,"
      + " coalesce(o.\(table.identity), n.\(table.identity)),"
      + " CASE WHEN o.\(table.identity) IS NOT NULL THEN \(old) END \(updates)"
  }

  private func insertion(_ columns: String, _ selection: String) -> String {
    let (column, value) = hasTransaction ? ("xid, ", "pg_current_xact_id(), ") : ("", "")
    return "INSERT INTO \(log) (\(column)\"table\", \(columns))"
      + " SELECT \(value)\(quotedText(table.name)), \(selection)"
  }

  private func hasFew(_ rows: String) -> String {
    let limit = PostgresLogSchema.valueLimit
    return "(SELECT count(*) FROM (SELECT FROM \(rows) LIMIT \(limit + 1)) r) <= \(limit)"
  }

  /// Returns the statement that records lists of identities, and lists of links.
  private func lists(_ kind: Int, hasLinks: Bool, _ rows: String) -> String {
    let links = hasLinks ? table.linkColumns.indices.map { "array_agg(l.k\($0))" } : []
    return insertion(
      "kind, row_ids, old",
      "\(kind), array_agg(l.id),"
        + " \(links.isEmpty ? "NULL" : "record_send(ROW(\(links.joined(separator: ", "))))")"
        + " FROM (SELECT r.*, (row_number() OVER () - 1) / 8192 AS part"
        + " FROM (\(rows)) r) l GROUP BY l.part")
  }
}
