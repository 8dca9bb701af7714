/// What a commit may have changed of a result.
package struct TouchedRows: Sendable {
  /// The rows that may have come or gone or have another place.
  package var placed: Set<Int64> = []

  /// Those of them of which that is so because of other rows.
  package var led: Set<Int64> = []

  /// Whether no others may.
  package var arePlacesKnown = true

  /// The rows of the result's own table that were written, but for those that
  /// hold what they held. They may be in the result or not.
  package var written: [Int64: WrittenRow] = [:]

  /// Further rows of that table that were not there before, where they are many.
  package var newRows = RowRuns()

  /// The keys whose links written rows have in their own table, where they were
  /// removed or changed: while such a link is away, it is not known what becomes
  /// of the row that it led to.
  package var relinked: [Int64: Set<String>] = [:]

  /// The keys of rows whose values are made of other rows that have changed.
  package var related: [Int64: Set<String>] = [:]

  /// Such keys of which it is not known whose values have changed.
  package var unknownKeys: Set<String> = []

  package init() {}

  /// Whether nothing of the result has changed.
  package var isEmpty: Bool {
    placed.isEmpty && arePlacesKnown && written.isEmpty && related.isEmpty && unknownKeys.isEmpty
  }
}
