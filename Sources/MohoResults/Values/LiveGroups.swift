import MohoMapping
import MohoRows

/// The new values of groups, by ID.
struct GroupChanges {
  /// The values of the groups that have changed. Empty for a group that has lost its last
  /// row.
  var values: [Int64: [FieldContent]] = [:]
  /// The changed groups with an aggregate that does not know its value.
  var unknownGroups: Set<Int64> = []
}

/// The groups of rows with equal keys, and their aggregates.
struct LiveGroups {
  private struct Group {
    var key: [FieldContent] = []
    /// The number of rows.
    var count = 0
    var states: [AggregateState] = []
    var id: Int64
  }

  private var groups: [Group] = []
  private var freeGroups: [Int32] = []
  private var groupOfKey: [[FieldContent]: Int32] = [:]
  /// The groups whose rows have changed since the values were taken, and those with an
  /// aggregate that did not know its value.
  private var changed: Set<Int32> = []

  /// Returns the ID of the group with a key, or nil if it has no rows.
  func id(of key: [FieldContent]) -> Int64? { groupOfKey[key].map { groups[Int($0)].id } }

  /// Returns the group of a row. Adds the group if it does not exist.
  mutating func group(of values: [FieldContent], _ computation: LiveRows.Computation) -> Int32 {
    let key = Array(values.prefix(computation.keyCount))
    if let group = groupOfKey[key] { return group }
    let index = freeGroups.popLast() ?? Int32(groups.count)
    if Int(index) == groups.count {
      groups.append(Group(id: GroupID.first(slot: groups.count)))
    }
    groups[Int(index)].key = key
    groupOfKey[key] = index
    removeRows(of: index, computation)
    return index
  }

  /// Changes the aggregates of a group.
  ///
  /// - Parameters:
  ///   - count: The number of added rows.
  ///   - body: Called with each aggregate and the position of its value.
  mutating func change(
    _ group: Int32, _ computation: LiveRows.Computation, by count: Int,
    _ body: (inout AggregateState, Int?) -> Void
  ) {
    changed.insert(group)
    groups[Int(group)].count += count
    for (index, column) in computation.aggregates.enumerated() {
      body(&groups[Int(group)].states[index], column.position)
    }
  }

  /// Removes the rows of all groups. Groups that have rows again when their values are
  /// computed are the same groups.
  mutating func removeRows(_ computation: LiveRows.Computation) {
    for group in groupOfKey.values { removeRows(of: group, computation) }
  }

  private mutating func removeRows(of group: Int32, _ computation: LiveRows.Computation) {
    groups[Int(group)].count = 0
    groups[Int(group)].states = computation.aggregates.map {
      AggregateState($0.aggregate.function, of: $0.type)
    }
    changed.insert(group)
  }

  /// The groups with an aggregate whose value was removed.
  var groupsThatLackValues: Set<Int32> {
    changed.filter { groups[Int($0)].states.contains { $0.result == .lacksValues } }
  }

  /// Takes the values of the groups that have changed since the last call. Removes groups
  /// without rows.
  mutating func takeChanges(_ computation: LiveRows.Computation) -> GroupChanges {
    var changes = GroupChanges()
    var unknown: Set<Int32> = []
    for group in changed {
      let id = groups[Int(group)].id
      if isEmpty(group, computation) {
        changes.values[id] = []
        remove(group)
      } else if let values = values(of: group) {
        changes.values[id] = values
      } else {
        changes.unknownGroups.insert(id)
        unknown.insert(group)
      }
    }
    changed = unknown
    return changes
  }

  /// Returns the values of all groups by ID, from values that a statement has computed.
  /// Removes groups without values.
  mutating func values(
    _ rows: [ValueRow], _ computation: LiveRows.Computation
  ) -> [Int64: [FieldContent]] {
    var newValues: [Int32: [FieldContent]] = [:]
    for group in groupOfKey.values { newValues[group] = [] }
    for row in rows { newValues[group(of: row.values, computation)] = row.values }
    var valuesOfIDs: [Int64: [FieldContent]] = [:]
    valuesOfIDs.reserveCapacity(newValues.count)
    for (group, values) in newValues {
      valuesOfIDs[groups[Int(group)].id] = values
      if values.isEmpty { remove(group) }
    }
    changed = changed.filter { newValues[$0]?.isEmpty == false && values(of: $0) == nil }
    return valuesOfIDs
  }

  private mutating func remove(_ group: Int32) {
    let former = groups[Int(group)]
    groupOfKey[former.key] = nil
    // Releases the memory of texts and sums.
    groups[Int(group)] = Group(id: GroupID.next(after: former.id))
    freeGroups.append(group)
  }

  /// Whether a group has lost its last row. Without keys, the group of all rows remains.
  private func isEmpty(_ group: Int32, _ computation: LiveRows.Computation) -> Bool {
    groups[Int(group)].count == 0 && computation.keyCount > 0
  }

  /// Returns the values of a group, or nil if an aggregate does not know its value.
  private func values(of group: Int32) -> [FieldContent]? {
    let group = groups[Int(group)]
    var values = group.key
    values.reserveCapacity(group.key.count + group.states.count)
    for state in group.states {
      guard case .value(let value) = state.result else { return nil }
      values.append(value)
    }
    return values
  }
}
