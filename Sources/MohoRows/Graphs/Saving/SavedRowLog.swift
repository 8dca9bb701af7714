/// The rows of one table that a single call has written.
///
/// The log detects rows that the call updates twice, so that each row is counted
/// once. Otherwise, unequal models
/// with the same unique key would write their row each time they are saved.
/// Rows that are not written incur no cost.
package final class SavedRowLog {
  /// The kind of an update, from the perspective of the call.
  package enum Update {
    /// The row existed before the call and is written for the first time.
    case first
    /// The call has already written and counted the row.
    case ofCountedRow
    /// The call has already updated the row, and must be repeated.
    case repeated
  }

  /// The identities of new rows, as ranges of consecutive identities.
  private var inserted: [ClosedRange<Int64>] = []
  /// Whether the ranges ascend.
  private var isAscending = true
  /// The identities in the ranges, if the ranges do not ascend.
  private var insertedSet: Set<Int64> = []
  private var countInSet = 0
  /// The number of the batch that updated each row.
  private var updated: [Int64: Int] = [:]
  /// The keys that partial models have updated, by row.
  private var updatedKeys: [Int64: Set<String>] = [:]

  /// The identities of the rows that were updated.
  package var updatedRows: Set<Int64> { Set(updated.keys).union(updatedKeys.keys) }

  /// Whether a second update of the same values is ``Update/repeated``.
  private let detectsRepetitions: Bool

  package init(detectsRepetitions: Bool = true) {
    self.detectsRepetitions = detectsRepetitions
  }

  package func recordInsertion(_ rowID: Int64) {
    guard let last = inserted.last else { return inserted.append(rowID...rowID) }
    if last.upperBound < rowID, last.upperBound + 1 == rowID {
      inserted[inserted.count - 1] = last.lowerBound...rowID
      // The set may already include a part of the last range.
      if !isAscending, countInSet == inserted.count { insertedSet.insert(rowID) }
    } else {
      if rowID < last.upperBound { isAscending = false }
      inserted.append(rowID...rowID)
    }
  }

  /// - Parameter batch: The number of the batch. A batch may write a row in
  ///   several steps.
  package func recordUpdate(_ rowID: Int64, batch: Int) -> Update {
    if !inserted.isEmpty, isInserted(rowID) { return .ofCountedRow }
    guard let known = updated.updateValue(batch, forKey: rowID) else {
      return updatedKeys[rowID] == nil ? .first : .ofCountedRow
    }
    if known == batch { return .first }
    return detectsRepetitions ? .repeated : .ofCountedRow
  }

  /// - Parameter keys: The keys of a partial model. Partial models with
  ///   different keys do not overwrite each other.
  private func recordUpdate(_ rowID: Int64, of keys: [String]) -> Update {
    let known = updatedKeys[rowID]
    updatedKeys[rowID, default: []].formUnion(keys)
    if detectsRepetitions, let known, !known.isDisjoint(with: keys) { return .repeated }
    let isCounted = known != nil || updated[rowID] != nil || isInserted(rowID)
    return isCounted ? .ofCountedRow : .first
  }

  /// Records an update by a partial model.
  ///
  /// - Throws: A ``RepeatedRow`` if the call has already updated one of the keys.
  package func outcome(ofUpdating rowID: Int64, _ keys: [String]) throws -> SaveOutcome {
    switch recordUpdate(rowID, of: keys) {
    case .first: return .updated
    case .ofCountedRow: return .unchanged
    case .repeated: throw RepeatedRow()
    }
  }

  private func isInserted(_ rowID: Int64) -> Bool {
    guard isAscending else {
      while countInSet < inserted.count {
        insertedSet.formUnion(inserted[countInSet])
        countInSet += 1
      }
      return insertedSet.contains(rowID)
    }
    let index = inserted.partitioningIndex { $0.upperBound >= rowID }
    return index < inserted.count && inserted[index].contains(rowID)
  }
}
