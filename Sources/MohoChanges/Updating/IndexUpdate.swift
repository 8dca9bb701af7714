/// Makes a new index of an old one: takes touched rows out, then puts them
/// where they belong, in their new order.
///
/// Rows that keep their predecessor are left where they are, so that a change
/// of content alone copies nothing.
struct IndexUpdate {
  private struct Step {
    let place: RowPlace
    /// The row directly before in the new list.
    let predecessor: Int64?
    let old: RowPath?
    let stays: Bool
  }

  private(set) var index: OrderedIndex
  private(set) var touched: [TouchedRow] = []
  private var steps: [Step] = []
  private var leavers: [Int64] = []
  // The row that was placed last, and where.
  private var last: (rowID: Int64, position: Int)?

  init(
    of index: OrderedIndex, removing gone: [Int64], placing places: [RowPlace]
  ) throws(OrderedIndexError) {
    self.index = index
    // Whether a touched row stays in place, as far as that is known.
    var stays: [Int64: Bool] = [:]
    for rowID in gone + places.map(\.rowID) where stays.updateValue(false, forKey: rowID) != nil {
      throw OrderedIndexError(code: .repeatedRow, rowID: rowID)
    }

    for rowID in gone {
      guard let path = index.path(of: rowID) else { continue }
      leavers.append(rowID)
      touched.append(TouchedRow(rowID: rowID, old: path, new: nil, changedKeys: []))
    }
    var chain = Chain()
    for place in places {
      let predecessor = chain.predecessor(of: place)
      let position = index.position(of: place.rowID)
      let path = position.flatMap { index.path(atPosition: $0) }
      let isUnmoved =
        index.isPlaced(place, at: path) && index.predecessor(ofPosition: position) == predecessor
        && predecessor.flatMap { stays[$0] } ?? true
      if position != nil && !isUnmoved { leavers.append(place.rowID) }
      stays[place.rowID] = isUnmoved
      steps.append(Step(place: place, predecessor: predecessor, old: path, stays: isUnmoved))
    }
  }

  mutating func apply() throws(OrderedIndexError) {
    let sections = Set(leavers.compactMap { index.remove($0)?.section })
    if index.isSectioned {
      for section in sections.sorted(by: >) where index.rowCount(inSection: section) == 0 {
        index.removeSection(section)
      }
    }
    for step in steps {
      let path = try place(step)
      touched.append(
        TouchedRow(
          rowID: step.place.rowID, old: step.old, new: path, changedKeys: step.place.changedKeys))
    }
  }

  private mutating func place(_ step: Step) throws(OrderedIndexError) -> RowPath? {
    let rowID = step.place.rowID
    guard let position = position(of: step) else {
      throw OrderedIndexError(
        code: .unknownPredecessor, rowID: rowID, predecessor: step.predecessor)
    }
    guard position > last?.position ?? -1 else {
      throw OrderedIndexError(code: .misorderedRow, rowID: rowID, predecessor: step.predecessor)
    }
    last = (rowID, position)
    if step.stays { return index.path(atPosition: position) }
    let path = try path(of: step.place, at: position)
    index.insert(rowID, at: path)
    return path
  }

  /// The position of a row that stays, or the one for a row to come.
  private func position(of step: Step) -> Int? {
    if step.stays { return index.position(of: step.place.rowID) }
    guard let predecessor = step.predecessor else { return 0 }
    if let last, last.rowID == predecessor { return last.position + 1 }
    return index.position(of: predecessor).map { $0 + 1 }
  }

  /// The path for a row to come, in a section that is made if need be.
  private mutating func path(
    of place: RowPlace, at position: Int
  ) throws(OrderedIndexError) -> RowPath {
    guard index.isSectioned else { return RowPath(section: 0, row: position) }
    var section = 0
    if let before = index.path(atPosition: position - 1) {
      let key = index.sections.key(of: before.section)
      if key == place.section { return RowPath(section: before.section, row: before.row + 1) }
      guard before.row + 1 == index.rowCount(inSection: before.section) else {
        throw OrderedIndexError(
          code: .misorderedSection, rowID: place.rowID, section: key, current: place.section)
      }
      section = before.section + 1
    }
    if index.sectionKey(at: section) != place.section {
      if index.sections.section(with: place.section) != nil {
        throw OrderedIndexError(
          code: .misorderedSection, rowID: place.rowID, section: place.section,
          current: index.sectionKey(at: max(0, section - 1)))
      }
      index.insertSection(place.section, at: section)
    }
    return RowPath(section: section, row: 0)
  }
}

/// Tells which row is directly before another one, where touched rows may name
/// the last untouched row instead.
private struct Chain {
  private var last: (rowID: Int64, anchor: Int64?)?

  mutating func predecessor(of place: RowPlace) -> Int64? {
    let named = place.predecessor
    guard let last, named == last.rowID || named == last.anchor else {
      last = (place.rowID, named)
      return named
    }
    self.last = (place.rowID, last.anchor)
    return last.rowID
  }
}

extension OrderedIndex {
  fileprivate func isPlaced(_ place: RowPlace, at path: RowPath?) -> Bool {
    guard let path else { return false }
    return !isSectioned || sections.key(of: path.section) == place.section
  }

  fileprivate func predecessor(ofPosition position: Int?) -> Int64? {
    guard let position, position > 0 else { return nil }
    return tree[position - 1]
  }
}
