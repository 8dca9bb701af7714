extension ChangeSet {
  /// The change set that leads back.
  ///
  /// Old and new space are exchanged: what was inserted is deleted, moves go
  /// the other way, and the same keys have changed. The inverse of the inverse
  /// is the change set itself. Moves are as few as they were.
  ///
  /// - Complexity: O(*k* log *k*) for *k* records.
  public var inverse: ChangeSet {
    let union = SectionUnion(sections)
    return ChangeSet(
      sections: sections.compactMap { $0.inverse(in: union) },
      rows: rows.map { row in
        RowChange(
          rowID: row.rowID, old: row.new, new: row.old, content: row.content, isMove: row.isMove)
      })
  }
}

extension SectionChange {
  /// Returns nil for an update of an inserted section, which no valid change set
  /// has.
  fileprivate func inverse(in union: SectionUnion) -> SectionChange? {
    switch kind {
    case .insert: SectionChange(kind: .delete, key: key, index: index)
    case .delete: SectionChange(kind: .insert, key: key, index: index)
    case .update:
      union.oldIndex(ofNew: index).map {
        SectionChange(kind: .update, key: key, index: $0, changedKeys: changedKeys)
      }
    }
  }
}
