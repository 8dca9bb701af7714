/// The rows of one table that one call has written.
///
/// Models with one unique key and unequal values would write their row again and
/// again, each time that they are saved. They are found here: a row that one call
/// updates twice. A row that is not written costs nothing.
final class SavedRowLog {
  /// What an update of a row means to the call.
  enum Update {
    /// The row was there before and is written for the first time.
    case first
    /// The row is new, and was counted as such.
    case ofNewRow
    /// The row has been updated already.
    case repeated
  }

  /// The identities of new rows, those that follow each other in one range.
  private var inserted: [ClosedRange<Int64>] = []
  /// Whether the ranges ascend.
  private var isAscending = true
  /// The identities in the ranges, where those do not ascend.
  private var insertedSet: Set<Int64> = []
  private var countInSet = 0
  /// The batches that rows were updated by.
  private var updated: [Int64: Int] = [:]
  /// The keys that partial models have updated.
  private var updatedKeys: [Int64: Set<String>] = [:]

  func noteInsertion(_ rowID: Int64) {
    guard let last = inserted.last else { return inserted.append(rowID...rowID) }
    if last.upperBound < rowID, last.upperBound + 1 == rowID {
      inserted[inserted.count - 1] = last.lowerBound...rowID
      // The last range may be in the set in part.
      if !isAscending, countInSet == inserted.count { insertedSet.insert(rowID) }
    } else {
      if rowID < last.upperBound { isAscending = false }
      inserted.append(rowID...rowID)
    }
  }

  /// - Parameter batch: A number of the models that are saved together, which
  ///   may write a row in several steps.
  func noteUpdate(_ rowID: Int64, batch: Int) -> Update {
    if !inserted.isEmpty, isInserted(rowID) { return .ofNewRow }
    guard let known = updated.updateValue(batch, forKey: rowID) else { return .first }
    return known == batch ? .first : .repeated
  }

  /// - Parameter keys: The keys that a partial model has: partial models with
  ///   other keys of the row do not undo what it does.
  func noteUpdate(_ rowID: Int64, of keys: [String]) -> Update {
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

/// Thrown where one call updates a row for the second time: what it does is
/// undone and done again, with one update for each row.
struct RepeatedRow: Error {}

/// What a call does where several of its models are one row.
enum RepeatedRows<Keys> {
  /// It throws ``RepeatedRow`` when it updates a row for the second time.
  case detected
  /// It updates the rows of some keys once, after all others.
  case settled(Keys)
  /// It updates rows as often as models do.
  case allowed
}

/// A sequence that can be gone through again: its elements are retained unless
/// it is a collection.
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
