extension ChangeSet {
  /// Checks that the records describe the change of some list.
  ///
  /// - Complexity: O(*k* log *k*) for *k* records.
  func validate() throws(ChangeSetError) {
    try validateSections()
    var rowIDs: Set<Int64> = []
    for change in rows where !rowIDs.insert(change.rowID).inserted {
      throw ChangeSetError(
        .repeatedRecord, "found two records of a row, expected one", rowID: change.rowID)
    }
    let old = try RecordedPaths(
      of: rows.compactMap { row in row.old.map { ($0, row.rowID) } }, space: "old",
      unmatchedSections: sections.filter { $0.kind == .delete }.map(\.index))
    let new = try RecordedPaths(
      of: rows.compactMap { row in row.new.map { ($0, row.rowID) } }, space: "new",
      unmatchedSections: sections.filter { $0.kind == .insert }.map(\.index))
    try validateUpdates(old, new)
  }

  private func validateSections() throws(ChangeSetError) {
    for kind in [SectionChange.Kind.delete, .insert, .update] {
      let records = sections.filter { $0.kind == kind }
      for (record, next) in zip(records, records.dropFirst()) where record.index == next.index {
        throw ChangeSetError(
          .repeatedRecord,
          "found two records that \(kind) section \(record.index), expected one")
      }
      var keys: Set<SectionKey> = []
      for record in records where !keys.insert(record.key).inserted {
        throw ChangeSetError(
          .repeatedRecord, "found two records that \(kind) the section \(record.key), expected one")
      }
      if let record = records.first(where: { $0.key == .all }),
        records.count > 1 || record.index != 0
      {
        throw ChangeSetError(
          .inconsistentPositions,
          "found a record that would \(kind) the section of an unsectioned list together with "
            + "others, expected it to be the only section")
      }
    }
    let unmatched = sections.filter { $0.kind != .update }
    let keys = Set(unmatched.map(\.key))
    let inserted = Set(unmatched.filter { $0.kind == .insert }.map(\.index))
    for record in sections where record.kind == .update {
      if keys.contains(record.key) || inserted.contains(record.index) {
        throw ChangeSetError(
          .repeatedRecord,
          "found an update of the section \(record.key), which is also deleted or inserted, "
            + "expected one record")
      }
    }
  }

  /// Checks that updated rows are in their old order, between the same rows
  /// without records.
  private func validateUpdates(
    _ old: RecordedPaths, _ new: RecordedPaths
  ) throws(ChangeSetError) {
    var last: RowPath?
    for change in rows {
      guard !change.isMove, let oldPath = change.old, let newPath = change.new else { continue }
      guard let oldGap = old.gap(before: oldPath), let newGap = new.gap(before: newPath),
        oldGap == newGap, last.map({ $0 < oldPath }) ?? true
      else {
        throw ChangeSetError(
          .inconsistentPositions,
          "found an update from \(oldPath) to \(newPath), which changes the order of rows, "
            + "expected a move",
          rowID: change.rowID)
      }
      last = oldPath
    }
  }
}

/// The paths of all records in one index space.
private struct RecordedPaths {
  // Ascending.
  private let paths: [RowPath]
  // The deleted or inserted sections, ascending.
  private let unmatchedSections: [Int]

  init(
    of records: [(path: RowPath, rowID: Int64)], space: String, unmatchedSections: [Int]
  ) throws(ChangeSetError) {
    self.unmatchedSections = unmatchedSections
    let records = records.sorted { $0.path < $1.path }
    paths = records.map(\.path)

    for (record, next) in zip(records, records.dropFirst()) where record.path == next.path {
      throw ChangeSetError(
        .repeatedRecord,
        "found two records with the \(space) path \(record.path), expected one", rowID: next.rowID)
    }
    var expected = RowPath(section: -1, row: 0)
    for record in records where isUnmatched(record.path.section) {
      if record.path.section != expected.section {
        expected = RowPath(section: record.path.section, row: 0)
      }
      guard record.path == expected else {
        throw ChangeSetError(
          .inconsistentPositions,
          "found the \(space) path \(record.path) in a section that is deleted or inserted, "
            + "expected a record of \(expected)",
          rowID: record.rowID)
      }
      expected.row += 1
    }
  }

  /// The position of a path among the sections and rows without records.
  /// `nil` in a deleted or inserted section.
  func gap(before path: RowPath) -> RowPath? {
    if isUnmatched(path.section) { return nil }
    let start = position(of: RowPath(section: path.section, row: 0))
    return RowPath(
      section: path.section - unmatchedSections.insertionOffset(of: path.section),
      row: path.row - (position(of: path) - start))
  }

  private func isUnmatched(_ section: Int) -> Bool {
    let offset = unmatchedSections.insertionOffset(of: section)
    return offset < unmatchedSections.count && unmatchedSections[offset] == section
  }

  /// The number of recorded paths before a path.
  private func position(of path: RowPath) -> Int {
    var low = 0
    var high = paths.count
    while low < high {
      let middle = low + (high - low) / 2
      if paths[middle] < path { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
