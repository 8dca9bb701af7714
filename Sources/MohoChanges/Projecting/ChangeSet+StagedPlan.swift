extension ChangeSet {
  /// The change set as batch updates that keep all moves, also those out of
  /// sections that go and into sections that come.
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
      plan.insertedSections = inserted.map { union.number(ofNew: $0.index) }
      var shown = (0..<max(0, oldSectionCount)).map { StagedPlan.Section.old($0) }
      shown.insert(inserted, at: plan.insertedSections)
      stages.append(StagedPlan.Stage(plan: plan, sections: shown))
    }
    let emptied = deleted.map { union.number(ofOld: $0.index) }
    var shown = newSections
    shown.insert(deleted, at: emptied)
    stages.append(StagedPlan.Stage(plan: rowPlan(union), sections: shown))
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
    let dying = Set(deleted.map(\.index))
    let newborn = Set(inserted.map(\.index))
    return rows.contains { change in
      guard let old = change.old, let new = change.new else { return false }
      return dying.contains(old.section) || newborn.contains(new.section)
    }
  }

  /// All changes of rows, between sections that are all there.
  private func rowPlan(_ union: SectionUnion) -> BatchPlan {
    let moved = rows.map { change in
      RowChange(
        rowID: change.rowID, old: change.old.map(union.path(ofOld:)),
        new: change.new.map(union.path(ofNew:)), content: change.content, isMove: change.isMove)
    }
    return ChangeSet(rows: moved).batchPlan
  }
}

extension [StagedPlan.Section] {
  /// Inserts empty sections, by ascending numbers in the list that results.
  fileprivate mutating func insert(_ sections: [SectionChange], at numbers: [Int]) {
    for (section, number) in zip(sections, numbers) {
      insert(.empty(section.key), at: Swift.min(number, count))
    }
  }
}
