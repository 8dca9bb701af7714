import MohoMapping
import MohoRows

/// The groups of rows with equal keys, and their aggregates.
struct LiveGroups {
  private struct Group {
    let key: [FieldContent]
    /// The number of rows.
    var count = 0
    var states: [AggregateState]
  }

  private var groups: [Group] = []
  private var freeGroups: [Int32] = []
  private var groupOfKey: [[FieldContent]: Int32] = [:]
  /// The groups whose rows have changed since the values were computed.
  private var changed: Set<Int32> = []
  /// The values that were computed last, in order.
  private var rows: [ValueRow] = []

  /// Returns the group of a row. Adds the group if it does not exist.
  mutating func group(of values: [FieldContent], _ computation: LiveRows.Computation) -> Int32 {
    let key = Array(values.prefix(computation.keyCount))
    if let group = groupOfKey[key] { return group }
    let group = Group(
      key: key,
      states: computation.aggregates.map { AggregateState($0.aggregate.function, of: $0.type) })
    let index = freeGroups.popLast() ?? Int32(groups.count)
    if Int(index) < groups.count {
      groups[Int(index)] = group
    } else {
      groups.append(group)
    }
    groupOfKey[key] = index
    changed.insert(index)
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

  /// The groups with an aggregate whose value was removed.
  var groupsThatLackValues: Set<Int32> {
    changed.filter { groups[Int($0)].states.contains { $0.result == .lacksValues } }
  }

  /// Returns the values of all groups, in the order of their keys. Nil if an aggregate does
  /// not know its value.
  mutating func rows(_ computation: LiveRows.Computation) -> [ValueRow]? {
    // Sorting all rows takes less time than moving them for each of many groups.
    let sortsAll = changed.count > rows.count / 8
    var all: [ValueRow] = []
    for index in sortsAll ? Set(groupOfKey.values) : changed {
      guard let row = row(of: index, computation) else { return nil }
      let isPresent = !isEmpty(index, computation)
      if !sortsAll {
        replace(row, by: isPresent ? row : nil, computation.keyCount)
      } else if isPresent {
        all.append(row)
      }
    }
    if sortsAll { rows = all.sorted { Self.precedes($0, $1, computation.keyCount) } }
    for index in changed where isEmpty(index, computation) {
      groupOfKey[groups[Int(index)].key] = nil
      freeGroups.append(index)
    }
    changed = []
    return rows
  }

  /// Whether a group has lost its last row. Without keys, the group of all rows remains.
  private func isEmpty(_ index: Int32, _ computation: LiveRows.Computation) -> Bool {
    groups[Int(index)].count == 0 && computation.keyCount > 0
  }

  /// Returns the values of a group, or nil if an aggregate does not know its value.
  private func row(of index: Int32, _ computation: LiveRows.Computation) -> ValueRow? {
    let group = groups[Int(index)]
    var values = group.key
    for state in group.states {
      guard case .value(let value) = state.result else { return nil }
      values.append(value)
    }
    return ValueRow(names: computation.names, values: values)
  }

  /// Replaces, inserts or removes the row with the key of another one.
  private mutating func replace(_ row: ValueRow, by newRow: ValueRow?, _ keyCount: Int) {
    let index = rows.partitioningIndex { !Self.precedes($0, row, keyCount) }
    let isPresent = index < rows.count && !Self.precedes(row, rows[index], keyCount)
    let range = index..<(isPresent ? index + 1 : index)
    rows.replaceSubrange(range, with: newRow.map { [$0] } ?? [])
  }

  /// Whether the key of a group precedes that of another. Null precedes all values.
  private static func precedes(_ one: ValueRow, _ other: ValueRow, _ keyCount: Int) -> Bool {
    for (one, other) in zip(one.values, other.values).prefix(keyCount) {
      if one.isNull != other.isNull { return one.isNull }
      if let order = one.order(other), order != 0 { return order < 0 }
    }
    return false
  }
}
