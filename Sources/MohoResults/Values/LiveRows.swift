import MohoMapping
import MohoRows

/// The rows that meet the conditions of a request, and the aggregates of their values.
///
/// The values of each row are stored, so that they can be subtracted from its group when
/// the row is changed or removed.
struct LiveRows {
  /// What is computed from the values of the rows.
  struct Computation: Sendable {
    /// The number of keys of a group, which are the first values of a row. Without keys,
    /// all rows are one group, which can be empty.
    let keyCount: Int
    let aggregates: [Column]

    /// An aggregate, and the index of its value among the values of a row.
    struct Column: Sendable {
      let aggregate: Aggregate
      let type: ValueType
      /// Nil to count the rows.
      let position: Int?
    }

    /// The number of values of each row.
    let valueCount: Int
  }

  private let computation: Computation?
  /// Whether the values of the rows are stored.
  private(set) var hasValues: Bool
  /// The index of each row in ``values`` and ``groupOfRow``, or 0 without values.
  private var slots: [Int64: Int32] = [:]
  /// The values of the rows, ``Computation/valueCount`` for each.
  private var values: [FieldContent] = []
  /// The group of each row, or nil if the slot is free.
  private var groupOfRow: [Int32?] = []
  private var freeSlots: [Int32] = []
  private var groups = LiveGroups()

  /// - Parameter computation: Nil if only the identities are needed.
  init(_ computation: Computation?) {
    self.computation = computation
    hasValues = computation != nil
    if let computation, computation.keyCount == 0 { _ = groups.group(of: [], computation) }
  }

  /// The number of rows.
  var count: Int { slots.count }

  func contains(_ row: Int64) -> Bool { slots[row] != nil }

  /// Inserts a row, or replaces its values.
  mutating func set(_ row: Int64, _ newValues: [FieldContent]) {
    guard let computation, hasValues else {
      slots[row] = 0
      return
    }
    let slot = slots[row] ?? newSlot(computation)
    let range = range(of: slot)
    if slots[row] != nil, values[range].elementsEqual(newValues) { return }
    subtract(slot, computation)
    values.replaceSubrange(range, with: newValues)
    slots[row] = slot
    add(slot, newValues, computation)
  }

  private mutating func newSlot(_ computation: Computation) -> Int32 {
    if let free = freeSlots.popLast() { return free }
    groupOfRow.append(nil)
    values += repeatElement(.null, count: computation.valueCount)
    return Int32(groupOfRow.count - 1)
  }

  /// Removes a row.
  ///
  /// - Returns: Whether the row was present.
  @discardableResult
  mutating func remove(_ row: Int64) -> Bool {
    guard let slot = slots.removeValue(forKey: row) else { return false }
    guard let computation, hasValues else { return true }
    subtract(slot, computation)
    groupOfRow[Int(slot)] = nil
    // Releases the memory of texts.
    for index in range(of: slot) { values[index] = .null }
    freeSlots.append(slot)
    return true
  }

  /// Removes all rows. Groups that have rows again are the same groups.
  ///
  /// - Parameter storingValues: Whether the values of later rows are stored.
  mutating func removeAll(storingValues: Bool) {
    hasValues = storingValues
    slots = [:]
    values = []
    groupOfRow = []
    freeSlots = []
    if let computation { groups.removeRows(computation) }
  }

  /// Takes the values of the groups that have changed since the last call, or returns nil
  /// if the values of the rows are not stored.
  ///
  /// - Complexity: O(*k*) for *k* changed groups. O(*n*) if the smallest or greatest known
  ///   values of a group have been removed.
  mutating func takeGroupChanges() -> GroupChanges? {
    guard let computation, hasValues else { return nil }
    refill(computation)
    return groups.takeChanges(computation)
  }

  /// Returns the values of all groups by ID, from values that a statement has computed.
  /// The values of a group that has lost its last row are empty.
  mutating func groupValues(_ rows: [ValueRow]) -> [Int64: [FieldContent]] {
    computation.map { groups.values(rows, $0) } ?? [:]
  }

  /// Returns the ID of the group with a key, or nil if it has no rows.
  func groupID(of key: [FieldContent]) -> Int64? { groups.id(of: key) }

  private func range(of slot: Int32) -> Range<Int> {
    let count = computation?.valueCount ?? 0
    let start = Int(slot) * count
    return start..<start + count
  }

  private mutating func add(
    _ slot: Int32, _ values: [FieldContent], _ computation: Computation
  ) {
    let group = groups.group(of: values, computation)
    groupOfRow[Int(slot)] = group
    groups.change(group, computation, by: 1) { state, position in
      state.add(position.map { values[$0] } ?? Self.row)
    }
  }

  /// Subtracts the values of a row from its group. A new slot has no group.
  private mutating func subtract(_ slot: Int32, _ computation: Computation) {
    guard let group = groupOfRow[Int(slot)] else { return }
    let values = values[range(of: slot)]
    groups.change(group, computation, by: -1) { state, position in
      state.remove(position.map { values[values.startIndex + $0] } ?? Self.row)
    }
  }

  /// The value of a row for an aggregate that counts rows.
  private static let row = FieldContent.bool(true)

  /// Passes the values of all rows to the aggregates that lack values.
  private mutating func refill(_ computation: Computation) {
    let lacking = groups.groupsThatLackValues
    if lacking.isEmpty { return }
    var rows: [Int32: [Int]] = [:]
    for (slot, group) in groupOfRow.enumerated() {
      if let group, lacking.contains(group) {
        rows[group, default: []].append(slot * computation.valueCount)
      }
    }
    let values = values
    for (group, starts) in rows {
      groups.change(group, computation, by: 0) { state, position in
        guard let position else { return }
        state.refill(starts.lazy.map { values[$0 + position] })
      }
    }
  }
}

extension LiveRows.Computation {
  /// - Parameters:
  ///   - keyCount: The number of keys, which are the first values of a row.
  ///   - operands: The operands of the aggregates that have a value.
  init(keyCount: Int, _ aggregates: [Aggregate], _ operands: some Sequence<ResolvedOperand>) {
    var operands = operands.makeIterator()
    var position = keyCount
    var columns: [Column] = []
    for aggregate in aggregates {
      if aggregate.value != nil, let operand = operands.next() {
        columns.append(Column(aggregate: aggregate, type: operand.type, position: position))
        position += 1
      } else {
        columns.append(Column(aggregate: aggregate, type: .integer, position: nil))
      }
    }
    self.init(keyCount: keyCount, aggregates: columns, valueCount: position)
  }
}
