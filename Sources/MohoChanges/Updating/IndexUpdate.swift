/// Updates an index: removes touched rows, then inserts them at their new
/// positions in ascending order.
///
/// Rows whose predecessor and section are unchanged remain in the index, so
/// that a change of content alone copies no storage.
struct IndexUpdate {
  private struct Step {
    let placement: RowPlacement
    /// The ID of the row directly before it in the new list.
    let predecessor: Int64?
    /// The path in old space.
    let old: RowPath?
    /// Whether the row remains in the index and only its path is looked up.
    let isUnmoved: Bool
  }

  private(set) var index: OrderedIndex
  private(set) var touched: [TouchedRow] = []
  private var steps: [Step] = []
  // Deleted rows, and rows that are inserted again at another position.
  private var rowIDsToRemove: [Int64] = []
  private var lastPlaced: (rowID: Int64, position: Int)?

  init(
    of index: OrderedIndex, removing removedRowIDs: [Int64], placing placements: [RowPlacement]
  ) throws(OrderedIndexError) {
    self.index = index
    // Whether each touched row is unmoved. False until its placement is processed.
    var unmovedByRowID: [Int64: Bool] = [:]
    for rowID in removedRowIDs + placements.map(\.rowID)
    where unmovedByRowID.updateValue(false, forKey: rowID) != nil {
      throw OrderedIndexError(code: .repeatedRow, rowID: rowID)
    }

    for rowID in removedRowIDs {
      guard let path = index.path(of: rowID) else { continue }
      rowIDsToRemove.append(rowID)
      touched.append(TouchedRow(rowID: rowID, old: path, new: nil, changedKeys: []))
    }
    var resolver = PredecessorResolver()
    for placement in placements {
      let predecessor = resolver.predecessor(of: placement)
      let position = index.position(of: placement.rowID)
      let path = position.flatMap { index.path(atPosition: $0) }
      let isUnmoved =
        index.hasSection(of: placement, at: path)
        && index.predecessor(ofPosition: position) == predecessor
        && predecessor.flatMap { unmovedByRowID[$0] } ?? true
      if position != nil && !isUnmoved { rowIDsToRemove.append(placement.rowID) }
      unmovedByRowID[placement.rowID] = isUnmoved
      steps.append(
        Step(placement: placement, predecessor: predecessor, old: path, isUnmoved: isUnmoved))
    }
  }

  mutating func apply() throws(OrderedIndexError) {
    let sections = Set(rowIDsToRemove.compactMap { index.remove($0)?.section })
    if index.isSectioned {
      for section in sections.sorted(by: >) where index.rowCount(inSection: section) == 0 {
        index.removeSection(section)
      }
    }
    for step in steps {
      let path = try perform(step)
      touched.append(
        TouchedRow(
          rowID: step.placement.rowID, old: step.old, new: path,
          changedKeys: step.placement.changedKeys))
    }
  }

  /// Returns the path of the row in new space. The path is final, because all
  /// later steps insert rows after it.
  private mutating func perform(_ step: Step) throws(OrderedIndexError) -> RowPath? {
    let rowID = step.placement.rowID
    guard let position = position(of: step) else {
      throw OrderedIndexError(
        code: .unknownPredecessor, rowID: rowID, predecessor: step.predecessor)
    }
    guard position > lastPlaced?.position ?? -1 else {
      throw OrderedIndexError(code: .misorderedRow, rowID: rowID, predecessor: step.predecessor)
    }
    lastPlaced = (rowID, position)
    if step.isUnmoved { return index.path(atPosition: position) }
    let path = try path(of: step.placement, at: position)
    index.insert(rowID, at: path)
    return path
  }

  /// The position of an unmoved row, or the position to insert a row at. `nil`
  /// if the predecessor is not in the index.
  private func position(of step: Step) -> Int? {
    if step.isUnmoved { return index.position(of: step.placement.rowID) }
    guard let predecessor = step.predecessor else { return 0 }
    if let lastPlaced, lastPlaced.rowID == predecessor {
      return lastPlaced.position + 1
    }
    return index.position(of: predecessor).map { $0 + 1 }
  }

  /// Returns the path to insert a row at. Inserts its section if necessary.
  private mutating func path(
    of placement: RowPlacement, at position: Int
  ) throws(OrderedIndexError) -> RowPath {
    guard index.isSectioned else { return RowPath(section: 0, row: position) }
    var section = 0
    if let before = index.path(atPosition: position - 1) {
      let key = index.sections.key(of: before.section)
      if key == placement.section { return RowPath(section: before.section, row: before.row + 1) }
      guard before.row + 1 == index.rowCount(inSection: before.section) else {
        throw OrderedIndexError(
          code: .misorderedSection, rowID: placement.rowID, section: key,
          interveningSection: placement.section)
      }
      section = before.section + 1
    }
    if index.sectionKey(at: section) != placement.section {
      if index.sections.section(with: placement.section) != nil {
        throw OrderedIndexError(
          code: .misorderedSection, rowID: placement.rowID, section: placement.section,
          interveningSection: index.sectionKey(at: max(0, section - 1)))
      }
      index.insertSection(placement.section, at: section)
    }
    return RowPath(section: section, row: 0)
  }
}

/// Resolves the row directly before each placed row. A placement may name the
/// last untouched row instead of the touched row directly before it.
private struct PredecessorResolver {
  // The previous placement, and the untouched row before its run of placements.
  private var last: (rowID: Int64, anchor: Int64?)?

  mutating func predecessor(of placement: RowPlacement) -> Int64? {
    let named = placement.predecessor
    guard let last, named == last.rowID || named == last.anchor else {
      last = (placement.rowID, named)
      return named
    }
    self.last = (placement.rowID, last.anchor)
    return last.rowID
  }
}

extension OrderedIndex {
  /// Whether the row at a path is in the section that the placement names.
  fileprivate func hasSection(of placement: RowPlacement, at path: RowPath?) -> Bool {
    guard let path else { return false }
    return !isSectioned || sections.key(of: path.section) == placement.section
  }

  fileprivate func predecessor(ofPosition position: Int?) -> Int64? {
    guard let position, position > 0 else { return nil }
    return tree[position - 1]
  }
}
