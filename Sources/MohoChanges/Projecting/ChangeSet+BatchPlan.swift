extension ChangeSet {
  /// The change set as the operations of one batch update.
  ///
  /// Views reject moves out of sections that they delete and into sections that
  /// they insert. Such a record becomes:
  ///
  /// - an insertion, if the row moves from a deleted section to one that
  ///   remains;
  /// - a deletion, if it moves from a section that remains to an inserted one;
  /// - no operation, if it moves from a deleted section to an inserted one.
  ///
  /// ``stagedPlan(oldSectionCount:)`` preserves these moves.
  ///
  /// - Complexity: O(*k* log *k*) for *k* records.
  public var batchPlan: BatchPlan {
    var plan = BatchPlan()
    let union = SectionUnion(sections)
    for section in sections {
      switch section.kind {
      case .delete: plan.deletedSections.append(section.index)
      case .insert: plan.insertedSections.append(section.index)
      case .update:
        if let old = union.oldIndex(ofNew: section.index) {
          plan.reconfiguredSections.append(
            BatchPlan.SectionReconfiguration(
              old: old, new: section.index, changedKeys: section.changedKeys))
        }
      }
    }

    let deletedSections = Set(plan.deletedSections)
    let insertedSections = Set(plan.insertedSections)
    for change in rows {
      // Row operations must not name a path in a deleted or inserted section.
      let old = change.old.flatMap { deletedSections.contains($0.section) ? nil : $0 }
      let new = change.new.flatMap { insertedSections.contains($0.section) ? nil : $0 }
      switch (old, new) {
      case (nil, nil): break
      case (let old?, nil): plan.deletedRows.append(old)
      case (nil, let new?): plan.insertedRows.append(new)
      case (let old?, let new?): plan.addMoveAndReconfiguration(for: change, from: old, to: new)
      }
    }
    plan.deletedRows.sort()
    return plan
  }
}

extension BatchPlan {
  fileprivate mutating func addMoveAndReconfiguration(
    for change: RowChange, from old: RowPath, to new: RowPath
  ) {
    if change.isMove {
      movedRows.append(Move(from: old, to: new))
    }
    if change.content != .unchanged {
      reconfiguredRows.append(
        Reconfiguration(old: old, new: new, changedKeys: change.changedKeys))
    }
  }
}
