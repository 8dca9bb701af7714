extension OrderedIndex {
  /// What is wrong with the index, `nil` if nothing is: for tests, after each
  /// step.
  ///
  /// - Complexity: O(*n*) look-ups.
  package var defect: String? {
    if let defect = tree.defect { return defect }
    if sections.rowCount != count { return "sections have \(sections.rowCount) rows, not \(count)" }
    if sections.blocks.contains(where: { $0.keys.isEmpty || $0.keys.count != $0.counts.count }) {
      return "a block of sections is empty or lacks counts"
    }
    let keys = sectionKeys
    if !isSectioned { return keys == [.all] ? nil : "an unsectioned index has sections \(keys)" }
    if Set(keys).count != keys.count { return "sections repeat keys \(keys)" }
    if sectionCounts.contains(0) { return "a section is empty: \(sectionCounts)" }

    var position = 0
    for (section, count) in sectionCounts.enumerated() {
      let path = RowPath(section: section, row: count - 1)
      guard self.position(of: RowPath(section: section, row: 0)) == position,
        self.path(atPosition: position + count - 1) == path
      else { return "section \(section) is not found at \(position)" }
      position += count
    }
    return nil
  }
}
