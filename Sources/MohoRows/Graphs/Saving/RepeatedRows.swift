/// An error for a row that a call updates for the second time. The call is then
/// undone and repeated with one update per row.
package struct RepeatedRow: Error {
  package init() {}
}

/// The way a call treats rows that several of its models share.
package enum RepeatedRows<Keys> {
  /// The second update of a row throws ``RepeatedRow``.
  case detected
  /// The rows with these keys are updated once, after all other rows.
  case deferred(Keys)
  /// Each model updates its row.
  case allowed
}

/// A sequence that retains its elements, so that it can be iterated several
/// times.
package struct RepeatableSequence<Base: Sequence>: Sequence {
  private final class Storage {
    var taken: [Base.Element] = []
    var rest: Base.Iterator

    init(_ rest: Base.Iterator) { self.rest = rest }
  }

  private let storage: Storage

  package init(_ base: Base) { storage = Storage(base.makeIterator()) }

  package func makeIterator() -> AnyIterator<Base.Element> {
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

extension RepeatedRows {
  /// Whether the second update of a row throws ``RepeatedRow``.
  package var isDetected: Bool { if case .detected = self { true } else { false } }

  /// Whether rows that several models share are updated once, after all other rows.
  package var isDeferred: Bool { if case .deferred = self { true } else { false } }

  /// Runs a closure that writes rows, again if it writes a row twice.
  ///
  /// - Parameters:
  ///   - isRepeating: Whether it has been detected that several models share a
  ///     row.
  ///   - isDeferring: Whether such a row can be written once, from its last model.
  ///   - keys: Returns the keys of the rows that are written several times.
  ///   - undo: Undoes all changes of the closure. Returns false if the
  ///     transaction has ended.
  package static func write(
    isRepeating: Bool = false, isDeferring: Bool = true, keys: () throws -> Keys,
    undo: () throws -> Bool, _ save: (RepeatedRows<Keys>) throws -> SaveReport
  ) throws -> SaveReport {
    if !isRepeating {
      do {
        return try save(.detected)
      } catch let error as RepeatedRow {
        guard try undo() else { throw error }
      }
    }
    if !isDeferring { return try save(.allowed) }
    do {
      return try save(.deferred(keys()))
    } catch let error as StoreError where error.isAboutUniqueness {
      guard try undo() else { throw error }
      return try save(.allowed)
    }
  }
}
