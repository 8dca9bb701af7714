/// An ``UpsertSQL`` in two forms: for one row, and for any number of rows.
///
/// The values of a single row are not arrays. The plan of this statement stays
/// good, whatever the size of the table, so it is prepared.
struct UpsertStatement {
  private let single: String
  private let many: String
  private let insertion: String
  private let hasColumns: Bool
  let hasKey: Bool

  init(_ sql: UpsertSQL, returningRows returnsRows: Bool) {
    single = returnsRows ? sql.rows(isSingle: true) : sql.counts(isSingle: true)
    many = returnsRows ? sql.rows() : sql.counts()
    insertion = sql.insertionOfNew
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

  /// Returns the statement that only inserts rows whose unique keys are not
  /// stored. It takes less time, but it takes identities for the other rows,
  /// too.
  func insertion(_ rows: RowArrays) -> PostgresQuery? {
    if !hasColumns || rows.isPrepared { return nil }
    return PostgresQuery(insertion, rows.arguments, isPrepared: false)
  }
}
