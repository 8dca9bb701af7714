extension ChangeSet {
  /// The change set that leads back.
  ///
  /// Old and new space are exchanged: what was inserted is deleted, moves go
  /// the other way, and the same keys have changed. The inverse of the inverse
  /// is the change set itself. Moves are as few as they were.
  ///
  /// - Complexity: O(*k* log *k*) for *k* records.
  public var inverse: ChangeSet {
    ChangeSet(
      sections: sections.map { section in
        SectionChange(
          kind: section.kind == .insert ? .delete : .insert, key: section.key, index: section.index)
      },
      rows: rows.map { row in
        RowChange(
          rowID: row.rowID, old: row.new, new: row.old, content: row.content, isMove: row.isMove)
      })
  }
}
