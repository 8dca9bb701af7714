/// What a commit may have changed in a result.
package struct TouchedRows: Sendable {
  /// The rows that may have been inserted, deleted or moved.
  package var moveCandidates: Set<Int64> = []

  /// The move candidates because of changes in other rows.
  package var relatedMoveCandidates: Set<Int64> = []

  /// Whether the move candidates are complete.
  package var hasAllMoveCandidates = true

  /// The written rows of the result's own table, except those with the same values
  /// as before. They may be in the result or not.
  package var writtenRows: [Int64: RowDelta] = [:]

  /// Further new rows of that table, if there are many.
  package var newRows = RowIDRanges()

  /// The keys whose links were removed or changed, for rows whose own table stores
  /// the links. While such a link is removed, changes of the row that it led to are
  /// not tracked.
  package var relinkedKeys: [Int64: Set<String>] = [:]

  /// The keys that read changed related rows, by row.
  package var relatedKeys: [Int64: Set<String>] = [:]

  /// The keys that read changed related rows, if the rows with those keys are
  /// unknown.
  package var keysOfUnknownRows: Set<String> = []

  package init() {}

  /// Whether the commit does not affect the result.
  package var isEmpty: Bool {
    moveCandidates.isEmpty && hasAllMoveCandidates && writtenRows.isEmpty && relatedKeys.isEmpty
      && keysOfUnknownRows.isEmpty
  }
}
