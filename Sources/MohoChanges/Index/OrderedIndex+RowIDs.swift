extension OrderedIndex {
  /// Row identities in order: those of a whole list or of one section.
  ///
  /// Elements are numbered from zero. In the rows of a section the number is
  /// the row of its ``RowPath``.
  public struct RowIDs: RandomAccessCollection, Equatable, Sendable {
    let storage: ArraySlice<Int64>

    /// Zero.
    public var startIndex: Int { 0 }

    /// The number of rows.
    public var endIndex: Int { storage.count }

    /// The identity of the row with a number, which must be within bounds.
    ///
    /// - Complexity: O(1).
    public subscript(position: Int) -> Int64 {
      storage[storage.startIndex + position]
    }

    /// Calls the function with the rows as one buffer.
    public func withContiguousStorageIfAvailable<R>(
      _ body: (UnsafeBufferPointer<Int64>) throws -> R
    ) rethrows -> R? {
      try storage.withContiguousStorageIfAvailable(body)
    }
  }

  /// The rows of all sections, in order.
  ///
  /// - Complexity: O(1).
  public var rowIDs: RowIDs { RowIDs(storage: identities[...]) }

  /// The rows of a section, none if there is no such section.
  ///
  /// - Complexity: O(1).
  public func rowIDs(inSection section: Int) -> RowIDs {
    RowIDs(storage: identities[range(ofSection: section)])
  }
}
