import MohoChanges
import MohoMapping

/// One state of a result: which rows stand where.
struct ResultsState<Model: MappedModel>: Sendable {
  let query: ResultsQuery<Model>
  /// How many states of the result came before this one.
  let generation: Int
  let rows: ResultsRows
  /// Tells when nobody knows the state any more.
  let life: StateLife

  /// The rows that are shown.
  var index: OrderedIndex { rows.visible }
}
