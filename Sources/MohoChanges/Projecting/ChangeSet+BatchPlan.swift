extension ChangeSet {
  /// The change set as the operations of one batch update.
  ///
  /// A view refuses moves out of sections that it deletes and into sections
  /// that it inserts. A row that leaves a dying section for one that stays is
  /// therefore inserted there, one that goes from a staying section to a
  /// newborn one is deleted, and one from a dying to a newborn section needs
  /// nothing.
  ///
  /// - Complexity: O(*k* log *k*) for *k* records.
  public var batchPlan: BatchPlan {
    var plan = BatchPlan()
    for section in sections {
      switch section.kind {
      case .delete: plan.deletedSections.append(section.index)
      case .insert: plan.insertedSections.append(section.index)
      }
    }

    let dying = Set(plan.deletedSections)
    let newborn = Set(plan.insertedSections)
    for change in rows {
      // A path inside a section that goes or comes as a whole is no place that
      // a row operation may name.
      let old = change.old.flatMap { dying.contains($0.section) ? nil : $0 }
      let new = change.new.flatMap { newborn.contains($0.section) ? nil : $0 }
      switch (old, new) {
      case (nil, nil): break
      case (let old?, nil): plan.deletedRows.append(old)
      case (nil, let new?): plan.insertedRows.append(new)
      case (let old?, let new?): plan.keepCell(of: change, from: old, to: new)
      }
    }
    plan.deletedRows.sort()
    return plan
  }
}

extension BatchPlan {
  fileprivate mutating func keepCell(of change: RowChange, from old: RowPath, to new: RowPath) {
    if change.isMove {
      movedRows.append(Move(from: old, to: new))
    }
    if change.content != .unchanged {
      reconfiguredRows.append(
        Reconfiguration(old: old, new: new, changedKeys: change.changedKeys))
    }
  }
}
