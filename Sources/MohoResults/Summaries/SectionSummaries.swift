import MohoChanges
import MohoMapping
import MohoRows

/// The summaries of all sections in one state of a result.
///
/// - Complexity: Copies with one changed summary share most of their storage.
struct SectionSummaries: Sendable {
  /// The names of the values.
  let names: [String]
  /// The groups of rows, in the order of the sections. Empty if the values are not known.
  private var groups = OrderedIndex()
  private var values = GroupValues()
  private var log = GroupLog()
  private let source = GroupSource()

  init(names: [String]) { self.names = names }

  /// Whether these are the summaries of the same state.
  func isEqual(to other: SectionSummaries) -> Bool {
    source === other.source && log.generation == other.log.generation
  }

  /// Returns the summary of a section, or nil if its values are not known.
  func summary(ofSection section: Int) -> ValueRow? {
    let values = values(ofSection: section)
    return values.isEmpty ? nil : ValueRow(names: names, values: values)
  }

  private func values(ofSection section: Int) -> [FieldContent] {
    group(of: section).map { values[$0] } ?? []
  }

  private func group(of section: Int) -> Int64? { groups[RowPath(section: 0, row: section)] }

  /// Changes the values of groups.
  ///
  /// - Parameter keyCount: The number of keys, which are not part of a summary.
  mutating func set(_ changes: GroupChanges, keyCount: Int) {
    for (group, all) in changes.values { values[group] = Array(all.dropFirst(keyCount)) }
    for group in changes.unknownGroups { values[group] = [] }
    log.record(Array(changes.values.keys) + changes.unknownGroups)
  }

  /// Sets the groups of all sections, in order. No groups if the values are not known.
  mutating func setGroups(_ groups: [Int64]) {
    self.groups = OrderedIndex(rowIDs: groups)
    log.forget()
  }

  /// Removes the groups of deleted sections, and adds those of inserted ones.
  ///
  /// - Parameter group: Returns the group of a section.
  /// - Complexity: O(*k* (log *s* + *s* / 2,000)) for *k* of *s* sections.
  mutating func updateGroups(
    _ sections: [SectionChange], group: (SectionKey) -> Int64?
  ) throws {
    let union = SectionUnion(sections)
    let deleted = sections.filter { $0.kind == .delete }.compactMap { self.group(of: $0.index) }
    var placements: [RowPlacement] = []
    var last: (index: Int, group: Int64)?
    for section in sections where section.kind == .insert {
      guard let group = group(section.key) else { continue }
      var predecessor: Int64?
      if let last, last.index == section.index - 1 {
        predecessor = last.group
      } else if section.index > 0 {
        predecessor = union.oldIndex(ofNew: section.index - 1).flatMap { self.group(of: $0) }
      }
      placements.append(RowPlacement(group, after: predecessor))
      last = (section.index, group)
    }
    let removed = Set(deleted).subtracting(placements.map(\.rowID))
    groups = try groups.updated(removing: removed, placing: placements).index
  }
}

extension SectionSummaries {
  /// Returns a record of each section whose summary differs from that of an earlier state.
  ///
  /// - Parameters:
  ///   - old: The earlier summaries, or nil if there were none.
  ///   - list: The list in this state.
  ///   - changes: The changes of the list between the states.
  /// - Complexity: O(*k* log *s*) for *k* changed summaries of *s*. O(*s*) if they are not
  ///   known.
  func changes(
    since old: SectionSummaries?, in list: OrderedIndex, _ changes: ChangeSet
  ) -> [SectionChange] {
    let union = SectionUnion(changes.sections)
    return changedSections(since: old, in: list).compactMap { section in
      guard let oldSection = union.oldIndex(ofNew: section),
        let key = list.sectionKey(at: section)
      else { return nil }
      let changed = changedNames(of: section, since: old, oldSection)
      return changed.isEmpty
        ? nil
        : SectionChange(kind: .update, key: key, index: section, changedKeys: changed)
    }
  }

  /// Returns the sections whose summaries may differ from those of an earlier state.
  private func changedSections(since old: SectionSummaries?, in list: OrderedIndex) -> [Int] {
    guard let old, source === old.source, let changed = log.groups(since: old.log.generation)
    else { return Array(0..<list.sectionCount) }
    return changed.compactMap { groups.position(of: $0) }
  }

  private func changedNames(
    of section: Int, since old: SectionSummaries?, _ oldSection: Int
  ) -> [String] {
    let (before, after) = (old?.values(ofSection: oldSection) ?? [], values(ofSection: section))
    guard before.count == after.count, names == old?.names else { return names }
    return before.indices.filter { before[$0] != after[$0] }.map { names[$0] }
  }
}
