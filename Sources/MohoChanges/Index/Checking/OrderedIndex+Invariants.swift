extension OrderedIndex {
  /// A description of the first violated invariant, or `nil` if the index is
  /// valid. Tests check this after each step.
  ///
  /// - Complexity: O(*n*) lookups.
  package var invariantViolation: String? {
    if let violation = tree.invariantViolation { return violation }
    if sections.rowCount != count { return "sections have \(sections.rowCount) rows, not \(count)" }
    if sections.blocks.contains(where: { $0.keys.isEmpty || $0.keys.count != $0.counts.count }) {
      return "a section block is empty or has fewer counts than keys"
    }
    let keys = sectionKeys
    if !isSectioned { return keys == [.all] ? nil : "an unsectioned index has sections \(keys)" }
    if Set(keys).count != keys.count { return "section keys repeat: \(keys)" }
    if sectionCounts.contains(0) { return "a section is empty: \(sectionCounts)" }

    var position = 0
    for (section, count) in sectionCounts.enumerated() {
      let path = RowPath(section: section, row: count - 1)
      guard self.position(of: RowPath(section: section, row: 0)) == position,
        self.path(atPosition: position + count - 1) == path
      else { return "section \(section) not found at position \(position)" }
      position += count
    }
    return nil
  }
}
