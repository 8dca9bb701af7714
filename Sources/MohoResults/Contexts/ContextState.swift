import MohoChanges
import MohoMapping
import MohoRows

/// One state of a result in a context. It consists of a state of the store and
/// the rows that the context shows instead.
struct ContextState: Sendable {
  /// The rows of the store, without limit and offset.
  let store: ResultsState
  /// The unsaved rows of the result's entity. The value is `nil` for rows that
  /// are not in the result.
  let pending: [RowIdentity: ContextRow?]
  /// The rows of the store merged with the unsaved rows. Unused if all rows
  /// come from the context.
  let merged: MergedRows
  /// All rows by number, if all rows come from the context. Otherwise `nil`.
  let contextRows: [Int64: ContextRow]?
  let numbers: RowNumbers
  let rows: ResultsRows
  /// The summaries of the sections, or nil without summaries.
  var summaries: SectionSummaries?

  /// Returns a row whose content comes from the context.
  func row(_ number: Int64) -> ContextRow? {
    contextRows.map { $0[number] } ?? merged.entry(number)?.row
  }

  /// Whether all rows come from the store and have their IDs as numbers.
  var isUnmodified: Bool { contextRows == nil && merged.hasOnlyStoredRows && numbers.areRowIDs }

  /// Returns the rows that a snapshot shows instead of the store's rows.
  func overlay(generation: Int) -> SnapshotOverlay {
    SnapshotOverlay(
      generation: generation, index: rows.visible,
      rows: contextRows
        ?? Dictionary(merged.entries.map { ($0.number, $0.row) }, uniquingKeysWith: { $1 }),
      numbers: numbers, summaries: summaries)
  }
}

/// The rows of a context that a snapshot shows instead of the store's rows.
struct SnapshotOverlay: Sendable {
  let generation: Int
  let index: OrderedIndex
  let sectionCache = SectionCache()
  /// The rows whose content comes from the context, by number.
  let rows: [Int64: ContextRow]
  let numbers: RowNumbers
  let summaries: SectionSummaries?

  /// Returns the ID of a row whose content comes from the store, or `nil` for
  /// other rows.
  func storedRowID(of number: Int64) -> Int64? {
    guard rows[number] == nil, case .stored(let rowID) = numbers.key(of: number) else {
      return nil
    }
    return rowID
  }

  /// Returns the model of a row whose content comes from the context, or `nil`
  /// for other rows.
  func model<Model: MappedModel>(_ type: Model.Type, of number: Int64) -> Result<Model, any Error>?
  {
    rows[number].map { row in
      Result {
        let mapping = Model.mapping
        try mapping.checkDeclaration()
        return try mapping.model(
          from: ContentDecoder(stored: row.contents.get(), keys: mapping.fieldKeys))
      }
    }
  }
}
