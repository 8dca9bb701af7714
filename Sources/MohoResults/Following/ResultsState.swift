import MohoChanges

/// One state of a result: which rows stand where.
final class ResultsState: Sendable {
  let query: ResultsQuery
  /// How many states of the result came before this one.
  let generation: Int
  let rows: ResultsRows
  /// Tells when nobody knows the state any more.
  let life: StateLife

  init(query: ResultsQuery, generation: Int, rows: ResultsRows, life: StateLife) {
    (self.query, self.generation, self.rows, self.life) = (query, generation, rows, life)
  }

  /// The rows that are shown.
  var index: OrderedIndex { rows.visible }
}
