import MohoMapping
import MohoStore

/// One state of a result in a context: what the store has, and what the context
/// has instead.
struct ContextState: Sendable {
  /// The rows of the store, without limit and offset.
  let store: ResultsState
  /// The rows of the result's entity that are not saved; nil those that are not
  /// in the result.
  let pending: [RowIdentity: ContextRow?]
  /// Where they stand; of no account where all rows are the context's.
  let places: PendingPlaces
  /// All rows by their numbers, where all are shown as the context has them.
  let everything: [Int64: ContextRow]?
  let numbers: RowNumbers
  let rows: ResultsRows

  /// A row that is shown as the context has it.
  func row(_ number: Int64) -> ContextRow? {
    everything.map { $0[number] } ?? places.entry(number)?.row
  }

  /// Whether the rows are those of the store, by their identities.
  var isPlain: Bool { everything == nil && places.areNone && numbers.areIdentities }

  /// What a snapshot shows instead of what the store has.
  func overlay(generation: Int) -> SnapshotOverlay {
    SnapshotOverlay(
      generation: generation, index: rows.visible,
      rows: everything
        ?? Dictionary(places.entries.map { ($0.number, $0.row) }, uniquingKeysWith: { $1 }),
      numbers: numbers)
  }
}
