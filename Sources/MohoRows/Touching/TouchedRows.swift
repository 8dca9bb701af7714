/// The rows and keys of a result that a commit may have changed.
package struct TouchedRows: Sendable {
  /// The rows that may have been inserted, deleted or moved.
  package var moveCandidates: Set<Int64> = []

  /// The rows that may have been inserted, deleted or moved because of changes
  /// in other rows.
  package var relatedMoveCandidates: Set<Int64> = []

  /// Whether the move candidates are complete.
  package var hasAllMoveCandidates = true

  /// The written rows of the result's own table, except rows whose values have
  /// not changed. They may not be in the result.
  package var writtenRows: [Int64: RowDelta] = [:]

  /// Additional new rows of the result's own table, if there are many.
  package var newRows = RowIDRanges()

  /// The keys whose links were removed or changed, for rows whose own table
  /// stores the links. While such a link is removed, changes of the previously
  /// linked row are not tracked.
  package var relinkedKeys: [Int64: Set<String>] = [:]

  /// The keys that read changed related rows, by row.
  package var relatedKeys: [Int64: Set<String>] = [:]

  /// The keys that read changed related rows, if the rows with these keys
  /// cannot be determined.
  package var keysOfUnknownRows: Set<String> = []

  package init() {}

  /// Whether the commit does not affect the result.
  package var isEmpty: Bool {
    moveCandidates.isEmpty && hasAllMoveCandidates && writtenRows.isEmpty && relatedKeys.isEmpty
      && keysOfUnknownRows.isEmpty
  }
}
