extension OrderedIndex {
  /// The row IDs of a list or of one section, in order.
  ///
  /// Indexes start at zero. In the rows of a section, an index is the `row` of
  /// a ``RowPath``.
  public struct RowIDs: RandomAccessCollection, Sendable {
    let tree: RowTree
    let range: Range<Int>

    /// Zero.
    public var startIndex: Int { 0 }

    /// The number of rows.
    public var endIndex: Int { range.count }

    /// The ID of the row at an index, which must be in bounds.
    ///
    /// - Complexity: O(log *n*). Iteration takes O(1) per row.
    public subscript(position: Int) -> Int64 { tree[range.lowerBound + position] }

    /// Returns an iterator that starts at the first row.
    public func makeIterator() -> Iterator { Iterator(self) }

    /// An iterator over row IDs.
    public struct Iterator: IteratorProtocol, Sendable {
      private let blocks: ChunkedArray<[RowLeaf]>
      private var location: RowTree.Location
      private var rows: [Int64] = []
      private var remaining: Int

      init(_ rowIDs: RowIDs) {
        blocks = rowIDs.tree.blocks
        remaining = rowIDs.range.count
        location = RowTree.Location(block: 0, leaf: 0, offset: 0)
        guard remaining > 0 else { return }
        location = rowIDs.tree.location(at: rowIDs.range.lowerBound)
        rows = blocks[location.block][location.leaf].rows
      }

      /// Returns the next row ID, or `nil` after the last one.
      public mutating func next() -> Int64? {
        guard remaining > 0 else { return nil }
        remaining -= 1
        if location.offset == rows.count { advanceToNextLeaf() }
        defer { location.offset += 1 }
        return rows[location.offset]
      }

      private mutating func advanceToNextLeaf() {
        location.offset = 0
        location.leaf += 1
        if location.leaf == blocks[location.block].count {
          location.leaf = 0
          location.block += 1
        }
        rows = blocks[location.block][location.leaf].rows
      }
    }
  }

  /// The row IDs of all sections, in order.
  ///
  /// - Complexity: O(1).
  public var rowIDs: RowIDs { RowIDs(tree: tree, range: 0..<count) }

  /// Returns the row IDs at a range of positions in the whole list. The range
  /// is clamped to the list.
  ///
  /// - Complexity: O(1).
  public func rowIDs(atPositions positions: Range<Int>) -> RowIDs {
    RowIDs(tree: tree, range: positions.clamped(to: 0..<count))
  }

  /// Returns the row IDs of a section. Empty if the section does not exist.
  ///
  /// - Complexity: O(log *s*) for *s* sections.
  public func rowIDs(inSection section: Int) -> RowIDs {
    RowIDs(tree: tree, range: range(ofSection: section))
  }
}

extension OrderedIndex.RowIDs: Equatable {
  /// Whether two lists have the same rows in the same order.
  ///
  /// - Complexity: O(*n*).
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.elementsEqual(rhs) }
}
