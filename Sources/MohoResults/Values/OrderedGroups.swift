import MohoMapping
import MohoRows

/// The rows that a value is computed from, and their groups in order.
struct OrderedGroups {
  var rows: LiveRows
  /// The groups, as of the last call of ``update()`` or ``set(_:)``.
  private(set) var snapshot = GroupsSnapshot()
  /// The conditions on the groups, and their order. Nil if only the identities of the rows
  /// are needed.
  private let order: GroupOrder?
  /// The names of the keys and aggregates.
  private let names: [String]

  init(_ rows: LiveRows, _ order: GroupOrder? = nil, names: [String] = []) {
    (self.rows, self.order, self.names) = (rows, order, names)
  }

  /// Updates the groups from the values of the rows.
  ///
  /// - Returns: Whether all values follow from those of the rows. If not, ``set(_:)`` must
  ///   be called.
  /// - Complexity: As ``LiveRows/takeGroupChanges()`` and
  ///   ``GroupsSnapshot/update(_:_:names:)``.
  mutating func update() throws -> Bool {
    guard let changes = rows.takeGroupChanges() else { return false }
    try show(changes.values)
    return changes.unknownGroups.isEmpty
  }

  /// Replaces the values of all groups by values that a statement has computed.
  mutating func set(_ values: [ValueRow]) throws { try show(rows.groupValues(values)) }

  private mutating func show(_ values: [Int64: [FieldContent]]) throws {
    if let order { try snapshot.update(values, order, names: names) }
  }
}
