import MohoMapping
import MohoRows

/// The groups of rows with equal keys, their aggregates, and their order.
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
  /// The groups whose rows have changed since the values were computed, and those with an
  /// aggregate that did not know its value.
  private var changed: Set<Int32> = []
  /// The values that were computed last.
  private(set) var snapshot = GroupsSnapshot()

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

  /// Computes the values of the changed groups. Returns false if an aggregate does not know
  /// its value.
  mutating func update(_ computation: LiveRows.Computation) throws -> Bool {
    var newValues: [Int32: [FieldContent]] = [:]
    for group in changed {
      if isEmpty(group, computation) {
        newValues[group] = []
      } else {
        guard let values = values(of: group) else { return false }
        newValues[group] = values
      }
    }
    try show(newValues, computation)
    changed = []
    return true
  }

  /// Replaces the values of all groups by values that a statement has computed.
  mutating func set(_ rows: [ValueRow], _ computation: LiveRows.Computation) throws {
    var newValues: [Int32: [FieldContent]] = [:]
    for group in groupOfKey.values { newValues[group] = [] }
    for row in rows { newValues[group(of: row.values, computation)] = row.values }
    try show(newValues, computation)
    changed = changed.filter { newValues[$0]?.isEmpty == false && values(of: $0) == nil }
  }

  /// Shows new values of groups. Removes groups without values.
  private mutating func show(
    _ newValues: [Int32: [FieldContent]], _ computation: LiveRows.Computation
  ) throws {
    var valuesOfIDs: [Int64: [FieldContent]] = [:]
    valuesOfIDs.reserveCapacity(newValues.count)
    for (group, values) in newValues { valuesOfIDs[groups[Int(group)].id] = values }
    try snapshot.update(valuesOfIDs, computation.order, names: computation.names)
    for (group, values) in newValues where values.isEmpty { remove(group) }
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
