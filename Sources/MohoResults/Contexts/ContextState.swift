import MohoChanges
import MohoMapping
import MohoRows

/// One state of a result in a context: a state of the store, and the rows that the
/// context shows instead.
struct ContextState: Sendable {
  /// The rows of the store, without limit and offset.
  let store: ResultsState
  /// The rows of the result's entity that have not been saved. `nil` for rows that
  /// are not in the result.
  let pending: [RowIdentity: ContextRow?]
  /// The rows of the store with the pending rows. Unused if all rows come from the
  /// context.
  let merged: MergedRows
  /// All rows by number, if all come from the context.
  let contextRows: [Int64: ContextRow]?
  let numbers: RowNumbers
  let rows: ResultsRows

  /// A row that has the context's content.
  func row(_ number: Int64) -> ContextRow? {
    contextRows.map { $0[number] } ?? merged.entry(number)?.row
  }

  /// Whether the rows are those of the store, and their numbers are their IDs.
  var isUnmodified: Bool { contextRows == nil && merged.areStored && numbers.areRowIDs }

  /// What a snapshot shows instead of the store's rows.
  func overlay(generation: Int) -> SnapshotOverlay {
    SnapshotOverlay(
      generation: generation, index: rows.visible,
      rows: contextRows
        ?? Dictionary(merged.entries.map { ($0.number, $0.row) }, uniquingKeysWith: { $1 }),
      numbers: numbers)
  }
}

/// The rows of a context that a snapshot shows instead of the store's rows.
struct SnapshotOverlay: Sendable {
  let generation: Int
  let index: OrderedIndex
  /// The rows that have the context's content, by number.
  let rows: [Int64: ContextRow]
  let numbers: RowNumbers

  /// The ID in the table of a row that has the store's content.
  func storedRowID(of number: Int64) -> Int64? {
    guard rows[number] == nil, case .stored(let rowID) = numbers.key(of: number) else {
      return nil
    }
    return rowID
  }

  /// The model of a row that has the context's content.
  func model<Model: MappedModel>(_ type: Model.Type, of number: Int64) -> Result<Model, any Error>?
  {
    rows[number].map { row in
      Result {
        let mapping = Model.mapping
        try mapping.checkDeclaration()
        return try mapping.model(
          from: ContentDecoder(stored: row.contents.get(), keys: mapping.mappingKeys))
      }
    }
  }
}
