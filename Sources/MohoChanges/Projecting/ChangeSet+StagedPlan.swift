extension ChangeSet {
  /// Returns the change set as a few batch updates that preserve all moves,
  /// including moves out of deleted sections and into inserted ones.
  ///
  /// - Parameter oldSectionCount: The number of sections before the change.
  /// - Complexity: O(*k* log *k* + *s*) for *k* records and *s* sections.
  public func stagedPlan(oldSectionCount: Int) -> StagedPlan {
    let deleted = sections.filter { $0.kind == .delete }
    let inserted = sections.filter { $0.kind == .insert }
    let newSectionCount = max(0, oldSectionCount - deleted.count + inserted.count)
    let newSections = (0..<newSectionCount).map { StagedPlan.Section.new($0) }
    guard hasMovesAcrossSections(of: deleted, inserted) else {
      let plan = batchPlan
      return StagedPlan(
        stages: plan.isEmpty ? [] : [StagedPlan.Stage(plan: plan, sections: newSections)])
    }

    let union = SectionUnion(sections)
    var stages: [StagedPlan.Stage] = []
    if !inserted.isEmpty {
      var plan = BatchPlan()
      plan.insertedSections = inserted.map { union.index(ofNew: $0.index) }
      var sections = (0..<max(0, oldSectionCount)).map { StagedPlan.Section.old($0) }
      sections.insert(inserted, at: plan.insertedSections)
      stages.append(StagedPlan.Stage(plan: plan, sections: sections))
    }
    let emptied = deleted.map { union.index(ofOld: $0.index) }
    var sections = newSections
    sections.insert(deleted, at: emptied)
    stages.append(StagedPlan.Stage(plan: rowPlan(union), sections: sections))
    if !deleted.isEmpty {
      var plan = BatchPlan()
      plan.deletedSections = emptied
      stages.append(StagedPlan.Stage(plan: plan, sections: newSections))
    }
    return StagedPlan(stages: stages)
  }

  private func hasMovesAcrossSections(
    of deleted: [SectionChange], _ inserted: [SectionChange]
  ) -> Bool {
    guard !deleted.isEmpty || !inserted.isEmpty else { return false }
    let deletedIndexes = Set(deleted.map(\.index))
    let insertedIndexes = Set(inserted.map(\.index))
    return rows.contains { change in
      guard let old = change.old, let new = change.new else { return false }
      return deletedIndexes.contains(old.section) || insertedIndexes.contains(new.section)
    }
  }

  /// All operations of rows and headers, with section indexes in union space.
  private func rowPlan(_ union: SectionUnion) -> BatchPlan {
    let updated = sections.filter { $0.kind == .update }.map { section in
      SectionChange(
        kind: .update, key: section.key, index: union.index(ofNew: section.index),
        changedKeys: section.changedKeys)
    }
    let moved = rows.map { change in
      RowChange(
        rowID: change.rowID, old: change.old.map(union.path(ofOld:)),
        new: change.new.map(union.path(ofNew:)), content: change.content, isMove: change.isMove)
    }
    return ChangeSet(sections: updated, rows: moved).batchPlan
  }
}

extension [StagedPlan.Section] {
  /// Inserts empty sections at ascending indexes of the resulting array.
  fileprivate mutating func insert(_ sections: [SectionChange], at numbers: [Int]) {
    for (section, number) in zip(sections, numbers) {
      insert(.empty(section.key), at: Swift.min(number, count))
    }
  }
}
