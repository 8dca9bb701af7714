/// An ``UpsertSQL`` in two forms: for one row, and for any number of rows.
///
/// The values of a single row are not arrays. The plan of this statement stays
/// good, whatever the size of the table, so it is prepared.
struct UpsertStatement {
  private let single: String
  private let many: String
  /// The statement that inserts rows. It fails if a unique key is stored. Nil if
  /// the rows have no columns.
  let copy: String?
  private let differences: String?
  private let hasColumns: Bool
  let hasKey: Bool

  init(_ sql: UpsertSQL, returningRows returnsRows: Bool) {
    single = returnsRows ? sql.rows(isSingle: true) : sql.counts(isSingle: true)
    many = returnsRows ? sql.rows() : sql.counts()
    copy = sql.columns.isEmpty ? nil : sql.copy
    differences = sql.differences
    hasColumns = !sql.columns.isEmpty
    hasKey = sql.hasKey
  }

  /// Returns the statement for rows.
  func query(_ rows: RowArrays) -> PostgresQuery {
    guard hasColumns else {
      var arguments = PostgresArguments()
      arguments.append(Int64(rows.count))
      return PostgresQuery(many, arguments)
    }
    if rows.count == 1 { return PostgresQuery(single, rows.singleRow) }
    return PostgresQuery(many, rows.arguments, isPrepared: rows.isPrepared)
  }

  /// Returns the statement that returns the numbers of the rows that are not
  /// stored, or whose stored row differs. Nil if all rows are inserted.
  func differences(_ rows: RowArrays) -> PostgresQuery? {
    differences.map { PostgresQuery($0, rows.arguments, isPrepared: rows.isPrepared) }
  }
}
