import MohoRows

/// What a commit may have changed in a result.
struct TouchedRows: Sendable {
  /// The rows that may have been inserted, deleted or moved.
  var moveCandidates: Set<Int64> = []

  /// The move candidates because of changes in other rows.
  var relatedMoveCandidates: Set<Int64> = []

  /// Whether the move candidates are complete.
  var hasAllMoveCandidates = true

  /// The written rows of the result's own table, except those with the same values
  /// as before. They may be in the result or not.
  var writtenRows: [Int64: RowDelta] = [:]

  /// Further new rows of that table, if there are many.
  var newRows = RowIDRanges()

  /// The keys whose links were removed or changed, for rows whose own table stores
  /// the links. While such a link is removed, changes of the row that it led to are
  /// not tracked.
  var relinkedKeys: [Int64: Set<String>] = [:]

  /// The keys that read changed related rows, by row.
  var relatedKeys: [Int64: Set<String>] = [:]

  /// The keys that read changed related rows, if the rows with those keys are
  /// unknown.
  var keysOfUnknownRows: Set<String> = []

  init() {}

  /// Whether the commit does not affect the result.
  var isEmpty: Bool {
    moveCandidates.isEmpty && hasAllMoveCandidates && writtenRows.isEmpty && relatedKeys.isEmpty
      && keysOfUnknownRows.isEmpty
  }
}
