import MohoChanges
import MohoResults
import MohoRows
import MohoTesting

/// A consumer of groups. It applies their changes to simulated views, and compares them with
/// a comparison of all groups.
struct GroupsConsumer {
  private(set) var known = GroupsSnapshot()
  private(set) var lastChanges = ChangeSet()
  /// The names of the aggregates that order the groups.
  private let ordering: Set<String>
  private var views = SimulatedViews<ValueRow>(SimulatedTable.Rows(sections: [[]]))

  init(orderedBy ordering: String...) { self.ordering = Set(ordering) }

  /// Receives the groups of a later state.
  mutating func receive(_ groups: GroupsSnapshot) throws {
    let changes = try groups.changes(since: known)
    let expected = changesOfAllGroups(to: groups)
    try require(changes == expected, "\(changes)\nis not\n\(expected)")
    let applied = try known.index.applying(changes)
    try require(applied == groups.index, "\(changes) does not lead to the groups")
    let rows = SimulatedTable.Rows(groups.index, contents: groups.map(\.values))
    if let issue = views.apply(changes, from: known.index, to: groups.index, rows: rows) {
      throw Mismatch(description: "\(issue)\n\(changes)")
    }
    (known, lastChanges) = (groups, changes)
  }

  private func changesOfAllGroups(to groups: GroupsSnapshot) -> ChangeSet {
    let former = Dictionary(uniqueKeysWithValues: known.map { ($0.id, $0.values) })
    var changedKeys: [Int64: [String]] = [:]
    var moveCandidates: [Int64: [String]] = [:]
    for group in groups {
      guard let old = former[group.id] else { continue }
      let names = old.names.filter { old[$0] != group.values[$0] }
      changedKeys[group.id] = names
      if !ordering.isDisjoint(with: names) { moveCandidates[group.id] = [] }
    }
    return ChangeSet(from: known.index, to: groups.index, changedKeys: moveCandidates)
      .addingContentChanges(changedKeys, from: known.index, to: groups.index)
  }
}
