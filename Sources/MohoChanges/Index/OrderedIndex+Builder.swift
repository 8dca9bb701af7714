extension OrderedIndex {
  /// Makes an index from rows, or runs of rows, that arrive in order.
  public struct Builder: Sendable {
    let isSectioned: Bool
    var leaves = RowLeaves()
    var starts: [Int] = []
    var keys: [SectionKey] = []
    var closedKeys: Set<SectionKey> = []

    /// Makes a builder without rows.
    public init(sectioned: Bool) {
      isSectioned = sectioned
    }

    /// Adds a row after the ones that are there.
    ///
    /// Rows of one section must follow one another, as they do when the
    /// section key is the first thing ordered by. An unsectioned builder
    /// ignores the key. A row must not be added twice; this is not checked,
    /// because it would cost a set of all rows.
    ///
    /// - Throws: ``OrderedIndexError`` if the section had ended before; the
    ///   builder is then as it was.
    /// - Complexity: O(1) amortized.
    public mutating func append(
      _ rowID: Int64,
      section key: SectionKey = .all
    ) throws(OrderedIndexError) {
      if isSectioned {
        try open(key, for: rowID)
      }
      leaves.append(rowID)
    }

    /// Adds rows of one section, in order, after the ones that are there.
    ///
    /// Does what ``append(_:section:)`` does with each of them. Without rows
    /// there is no section.
    ///
    /// - Throws: ``OrderedIndexError`` if the section had ended before; the
    ///   builder is then as it was.
    /// - Complexity: O(*m*) for *m* rows.
    public mutating func append(
      contentsOf rowIDs: some Collection<Int64>,
      section key: SectionKey = .all
    ) throws(OrderedIndexError) {
      guard let first = rowIDs.first else { return }
      if isSectioned {
        try open(key, for: first)
      }
      leaves.append(contentsOf: ArraySlice(rowIDs))
    }

    /// The index of the rows added.
    ///
    /// - Complexity: O(*n*).
    public consuming func finish() -> OrderedIndex {
      let ends = starts.dropFirst() + [leaves.count]
      return OrderedIndex(
        leaves: leaves,
        sections: isSectioned
          ? SectionTable(keys: keys, counts: zip(starts, ends).map { $1 - $0 })
          : SectionTable(keys: [.all], counts: [leaves.count]),
        isSectioned: isSectioned)
    }

    private mutating func open(
      _ key: SectionKey,
      for rowID: Int64
    ) throws(OrderedIndexError) {
      if let current = keys.last {
        if current == key { return }
        if closedKeys.contains(key) {
          throw OrderedIndexError(
            code: .misorderedSection, rowID: rowID, section: key, current: current)
        }
        closedKeys.insert(current)
      }
      keys.append(key)
      starts.append(leaves.count)
    }
  }
}
