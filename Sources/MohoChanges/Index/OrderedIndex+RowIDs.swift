extension OrderedIndex {
  /// Row identities in order: those of a whole list or of one section.
  ///
  /// Elements are numbered from zero. In the rows of a section the number is
  /// the row of its ``RowPath``.
  public struct RowIDs: RandomAccessCollection, Sendable {
    let tree: RowTree
    let range: Range<Int>

    /// Zero.
    public var startIndex: Int { 0 }

    /// The number of rows.
    public var endIndex: Int { range.count }

    /// The identity of the row with a number, which must be within bounds.
    ///
    /// - Complexity: O(log *n*). Iterating takes O(1) a row.
    public subscript(position: Int) -> Int64 { tree[range.lowerBound + position] }

    /// Begins an iteration at the first row.
    public func makeIterator() -> Iterator { Iterator(self) }

    /// Iterates over row identities.
    public struct Iterator: IteratorProtocol, Sendable {
      private let blocks: ChunkedArray<[RowLeaf]>
      private var place: RowTree.Place
      private var rows: [Int64] = []
      private var remaining: Int

      init(_ rowIDs: RowIDs) {
        blocks = rowIDs.tree.blocks
        remaining = rowIDs.range.count
        place = RowTree.Place(block: 0, leaf: 0, offset: 0)
        guard remaining > 0 else { return }
        place = rowIDs.tree.place(at: rowIDs.range.lowerBound)
        rows = blocks[place.block][place.leaf].rows
      }

      /// The next row, `nil` behind the last one.
      public mutating func next() -> Int64? {
        guard remaining > 0 else { return nil }
        remaining -= 1
        if place.offset == rows.count { turnLeaf() }
        defer { place.offset += 1 }
        return rows[place.offset]
      }

      private mutating func turnLeaf() {
        place.offset = 0
        place.leaf += 1
        if place.leaf == blocks[place.block].count {
          place.leaf = 0
          place.block += 1
        }
        rows = blocks[place.block][place.leaf].rows
      }
    }
  }

  /// The rows of all sections, in order.
  ///
  /// - Complexity: O(1).
  public var rowIDs: RowIDs { RowIDs(tree: tree, range: 0..<count) }

  /// The rows at some positions counted through all sections, as far as there
  /// are any.
  ///
  /// - Complexity: O(1).
  public func rowIDs(atPositions positions: Range<Int>) -> RowIDs {
    RowIDs(tree: tree, range: positions.clamped(to: 0..<count))
  }

  /// The rows of a section, none if there is no such section.
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
