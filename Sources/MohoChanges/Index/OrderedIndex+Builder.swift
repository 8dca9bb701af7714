extension OrderedIndex {
  /// Builds an index from rows, or batches of rows, that arrive in order.
  public struct Builder: Sendable {
    let isSectioned: Bool
    var leaves = RowLeafBuilder()
    /// The position of the first row of each section.
    var sectionStarts: [Int] = []
    var keys: [SectionKey] = []
    var closedKeys: Set<SectionKey> = []

    /// Creates a builder without rows.
    public init(sectioned: Bool) {
      isSectioned = sectioned
    }

    /// Appends a row.
    ///
    /// The rows of a section must be contiguous. They are if the section key is
    /// the first ordering of the list. An unsectioned builder ignores the key.
    /// Do not append a row twice. The builder does not check for duplicates,
    /// because the check would require a set of all row IDs.
    ///
    /// - Throws: ``OrderedIndexError`` if another section was started after
    ///   `key`. The builder is unchanged in this case.
    /// - Complexity: O(1) amortized.
    public mutating func append(
      _ rowID: Int64,
      section key: SectionKey = .all
    ) throws(OrderedIndexError) {
      if isSectioned {
        try startSection(key, for: rowID)
      }
      leaves.append(rowID)
    }

    /// Appends rows of one section, in order.
    ///
    /// Equivalent to ``append(_:section:)`` for each row. No effect if `rowIDs`
    /// is empty.
    ///
    /// - Throws: ``OrderedIndexError`` if another section was started after
    ///   `key`. The builder is unchanged in this case.
    /// - Complexity: O(*m*) for *m* rows.
    public mutating func append(
      contentsOf rowIDs: some Collection<Int64>,
      section key: SectionKey = .all
    ) throws(OrderedIndexError) {
      guard let first = rowIDs.first else { return }
      if isSectioned {
        try startSection(key, for: first)
      }
      leaves.append(contentsOf: ArraySlice(rowIDs))
    }

    /// Returns the index of the appended rows.
    ///
    /// - Complexity: O(*n*).
    public consuming func finish() -> OrderedIndex {
      let ends = sectionStarts.dropFirst() + [leaves.count]
      return OrderedIndex(
        leaves: leaves,
        sections: isSectioned
          ? SectionTable(keys: keys, counts: zip(sectionStarts, ends).map { $1 - $0 })
          : SectionTable(keys: [.all], counts: [leaves.count]),
        isSectioned: isSectioned)
    }

    /// Starts a section unless it is the current one.
    private mutating func startSection(
      _ key: SectionKey,
      for rowID: Int64
    ) throws(OrderedIndexError) {
      if let current = keys.last {
        if current == key { return }
        if closedKeys.contains(key) {
          throw OrderedIndexError(
            code: .misorderedSection, rowID: rowID, section: key, interveningSection: current)
        }
        closedKeys.insert(current)
      }
      keys.append(key)
      sectionStarts.append(leaves.count)
    }
  }
}
