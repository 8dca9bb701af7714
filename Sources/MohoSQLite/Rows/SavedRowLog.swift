import MohoRows

/// The rows of one table that one call has written.
///
/// It detects a row that one call updates twice: unequal models with the same
/// unique key would write their row each time that they are saved. A row that is
/// not written costs nothing.
final class SavedRowLog {
  /// The kind of an update, from the perspective of the call.
  enum Update {
    /// The row existed before the call and is written for the first time.
    case first
    /// The call has inserted the row, and counted it.
    case ofNewRow
    /// The call has updated the row before.
    case repeated
  }

  /// The identities of new rows, as ranges of consecutive ones.
  private var inserted: [ClosedRange<Int64>] = []
  /// Whether the ranges ascend.
  private var isAscending = true
  /// The identities in the ranges, if these do not ascend.
  private var insertedSet: Set<Int64> = []
  private var countInSet = 0
  /// The batch that updated each row.
  private var updated: [Int64: Int] = [:]
  /// The keys of each row that partial models have updated.
  private var updatedKeys: [Int64: Set<String>] = [:]

  func recordInsertion(_ rowID: Int64) {
    guard let last = inserted.last else { return inserted.append(rowID...rowID) }
    if last.upperBound < rowID, last.upperBound + 1 == rowID {
      inserted[inserted.count - 1] = last.lowerBound...rowID
      // The set may include a part of the last range.
      if !isAscending, countInSet == inserted.count { insertedSet.insert(rowID) }
    } else {
      if rowID < last.upperBound { isAscending = false }
      inserted.append(rowID...rowID)
    }
  }

  /// - Parameter batch: The number of the batch of models, which may write a row
  ///   in several steps.
  func recordUpdate(_ rowID: Int64, batch: Int) -> Update {
    if !inserted.isEmpty, isInserted(rowID) { return .ofNewRow }
    guard let known = updated.updateValue(batch, forKey: rowID) else { return .first }
    return known == batch ? .first : .repeated
  }

  /// - Parameter keys: The keys of a partial model. Partial models with other keys
  ///   of the row do not overwrite it.
  func recordUpdate(_ rowID: Int64, of keys: [String]) -> Update {
    let known = updatedKeys[rowID] ?? []
    updatedKeys[rowID] = known.union(keys)
    return known.isDisjoint(with: keys) ? .first : .repeated
  }

  private func isInserted(_ rowID: Int64) -> Bool {
    guard isAscending else {
      while countInSet < inserted.count {
        insertedSet.formUnion(inserted[countInSet])
        countInSet += 1
      }
      return insertedSet.contains(rowID)
    }
    var (low, high) = (0, inserted.count)
    while low < high {
      let middle = (low + high) / 2
      if inserted[middle].upperBound < rowID { low = middle + 1 } else { high = middle }
    }
    return low < inserted.count && inserted[low].contains(rowID)
  }
}

/// Thrown if one call updates a row for the second time. The call is undone and
/// repeated with one update for each row.
struct RepeatedRow: Error {}

/// How a call treats rows that several of its models have.
enum RepeatedRows<Keys> {
  /// The second update of a row throws ``RepeatedRow``.
  case detected
  /// The rows of these keys are updated once, after all others.
  case settled(Keys)
  /// Each model updates its row.
  case allowed
}

/// A sequence that can be iterated several times: it retains its elements.
struct RepeatableSequence<Base: Sequence>: Sequence {
  private final class Storage {
    var taken: [Base.Element] = []
    var rest: Base.Iterator

    init(_ rest: Base.Iterator) { self.rest = rest }
  }

  private let storage: Storage

  init(_ base: Base) { storage = Storage(base.makeIterator()) }

  func makeIterator() -> AnyIterator<Base.Element> {
    var position = 0
    return AnyIterator { [storage] in
      defer { position += 1 }
      if position < storage.taken.count { return storage.taken[position] }
      guard let next = storage.rest.next() else { return nil }
      storage.taken.append(next)
      return next
    }
  }
}
