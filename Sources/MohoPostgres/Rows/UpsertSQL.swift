import MohoMapping
import MohoRows

/// The statement that saves many rows of a table. A row is inserted unless a row
/// has its unique key, which is otherwise updated if a column differs.
///
/// The statement reads the stored rows first. Rows that are equal are neither
/// written nor locked. If another transaction changes rows at the same time, the
/// statement may write fewer rows than it should. The numbers in its result show
/// this, and the caller runs it again.
struct UpsertSQL {
  struct Column {
    /// The quoted name.
    let name: String
    let type: PostgresType
    /// Whether the column is part of the unique key.
    let isKey: Bool
    /// How the value is merged into a stored one.
    var merge: MergePolicy?
    /// The quoted name of the column with the position of the row among the rows
    /// of its owner.
    var position: String?
  }

  /// The quoted name of the table.
  let table: String
  /// The quoted name of the identity column.
  let identity: String
  let columns: [Column]
  /// The quoted names of required columns that are written later.
  var placeholders: [String] = []

  private var keys: [(index: Int, name: String)] {
    columns.indices.filter { columns[$0].isKey }.map { ($0, columns[$0].name) }
  }
  private var others: [(index: Int, column: Column)] {
    columns.indices.filter { !columns[$0].isKey && columns[$0].merge != .stored }
      .map { ($0, columns[$0]) }
  }
  var hasKey: Bool { columns.contains(where: \.isKey) }

  var types: [PostgresType] { columns.map(\.type) }

  /// The kinds of the rows that ``rows`` returns.
  enum Row: Int64 {
    /// A stored row that is equal, with its number and its identity.
    case unchanged
    /// A stored row that differs, with its number and its identity.
    case changed
    /// A row that was inserted, with its identity. New identities ascend in the
    /// order of the numbers.
    case inserted
    /// A row that was updated, with its number.
    case updated
  }

  /// The statement that returns a kind, a number and an identity for each row.
  ///
  /// - Parameter isSingle: Whether the parameters are the values of one row, and
  ///   not arrays.
  func rows(isSingle: Bool = false) -> String {
    guard hasKey else {
      return "\(insertion(isSingle)) RETURNING 2::int8, NULL::int8, \(identity)"
    }
    return """
      \(changes(isSingle)) \
      SELECT CASE WHEN changed THEN 1::int8 ELSE 0::int8 END, n, id FROM found \
      UNION ALL SELECT 2, NULL, id FROM inserted UNION ALL SELECT 3, n, NULL FROM updated
      """
  }

  /// The statement that returns the numbers of stored rows, of those that differ,
  /// of updated and of inserted rows.
  func counts(isSingle: Bool = false) -> String {
    guard hasKey else {
      return "WITH inserted AS (\(insertion(isSingle)) RETURNING 1)"
        + " SELECT 0::int8, 0::int8, 0::int8, (SELECT count(*) FROM inserted)"
    }
    return """
      \(changes(isSingle)) SELECT (SELECT count(*) FROM found), \
      (SELECT count(*) FROM found WHERE changed), \
      (SELECT count(*) FROM updated), (SELECT count(*) FROM inserted)
      """
  }

  /// The statement that inserts rows. It fails if a unique key is stored.
  var copy: String { "COPY \(table) (\(names)) FROM STDIN (FORMAT binary)" }

  /// The statement that returns the numbers of the rows that are not stored, or
  /// whose stored row differs. Nil if all rows are inserted.
  var differences: String? {
    if !hasKey { return nil }
    return """
      SELECT i.n FROM \(source(false)) LEFT JOIN LATERAL \(stored) AS s ON true \
      WHERE s.\(identity) IS NULL OR \(isChanged) ORDER BY i.n
      """
  }

  /// Sorts new rows, so that generated identities have the order of the models.
  private var order: String {
    columns.contains { $0.name == identity } ? "" : " ORDER BY i.n"
  }

  private func insertion(_ isSingle: Bool) -> String {
    if columns.isEmpty && placeholders.isEmpty {
      return "INSERT INTO \(table) SELECT FROM generate_series(1, $1)"
    }
    let source = columns.isEmpty ? "generate_series(1, $1) AS i(n)" : source(isSingle)
    return "INSERT INTO \(table) (\(names)) SELECT \(values) FROM \(source)\(order)"
  }

  private func source(_ isSingle: Bool) -> String {
    guard isSingle else { return RowArrays.source(types, as: "i") }
    let values = types.enumerated().map { "$\($0 + 1)::\($1.name) AS c\($0)" } + ["1::int8 AS n"]
    return "(SELECT \(values.joined(separator: ", "))) AS i"
  }

  private var names: String { (columns.map(\.name) + placeholders).joined(separator: ", ") }

  private var values: String {
    // A placeholder is unique for each row, and no row has it as its identity.
    (columns.indices.map { "i.c\($0)" }
      + placeholders.map { _ in "-1 - (random() * 9e18)::int8" }).joined(separator: ", ")
  }

  private func changes(_ isSingle: Bool) -> String {
    let key = keys.map { "s.\($0.name) = i.c\($0.index)" }.joined(separator: " AND ")
    let update =
      others.isEmpty
      ? "SELECT NULL::int8 AS n WHERE false"
      : """
      UPDATE \(table) AS s SET \(assignments) FROM i JOIN found AS f ON f.n = i.n \
      WHERE f.changed AND \(key) RETURNING f.n
      """
    // Updates come first, because new rows may have unique values that stored rows
    // give up.
    return """
      WITH i AS\(isSingle ? "" : " MATERIALIZED") (SELECT * FROM \(source(isSingle))), \
      found AS MATERIALIZED (SELECT i.n, s.\(identity) AS id, \(isChanged) AS changed \
      FROM i CROSS JOIN LATERAL \(stored) AS s), \
      updated AS (\(update)), \
      inserted AS (INSERT INTO \(table) (\(names)) SELECT \(values) FROM i \
      WHERE (SELECT count(*) FROM updated) >= 0 \
      AND NOT EXISTS (SELECT FROM found AS f WHERE f.n = i.n)\(order) \
      ON CONFLICT (\(keys.map(\.name).joined(separator: ", "))) DO NOTHING \
      RETURNING \(identity) AS id)
      """
  }

  /// The stored row with the key of a row.
  ///
  /// The limit makes the server look up each row by its key: the plan of a
  /// prepared statement may be older than the rows, and would otherwise read the
  /// whole table.
  private var stored: String {
    let condition = keys.map { "t.\($0.name) = i.c\($0.index)" }.joined(separator: " AND ")
    return "(SELECT * FROM \(table) AS t WHERE \(condition) LIMIT 1)"
  }

  private var isChanged: String {
    if others.isEmpty { return "false" }
    let stored = others.map { "s.\($0.column.name)" }.joined(separator: ", ")
    let new = others.map { value($0.index) }.joined(separator: ", ")
    return "(\(stored)) IS DISTINCT FROM (\(new))"
  }

  /// The value of a column in a stored row that is updated.
  private func value(_ index: Int) -> String {
    columns[index].merge == .incomingUnlessNil
      ? "COALESCE(i.c\(index), s.\(columns[index].name))" : "i.c\(index)"
  }

  private var assignments: String {
    others.flatMap { index, column in
      ["\(column.name) = \(value(index))"]
        // A row that gets another owner moves to the end.
        + (column.position.map { position in
          [
            "\(position) = CASE WHEN s.\(column.name) IS NOT DISTINCT FROM i.c\(index) THEN s.\(position) END"
          ]
        } ?? [])
    }.joined(separator: ", ")
  }
}
