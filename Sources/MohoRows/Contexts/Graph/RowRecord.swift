/// The state of a row in a context.
package struct RowRecord: Sendable {
  /// The index of the row's entity.
  package let entity: Int
  package var identity: RowIdentity
  /// The values that were read from the store, or nil for a fault and for a row
  /// that is not stored.
  var base: RowValues?
  /// The current values, or nil for a fault.
  var current: RowValues?
  /// Whether the store contains the row.
  var isStored: Bool
  /// Whether the row exists after the context is saved.
  package var isAlive: Bool
  /// The members of the relationships that are not stored in columns, by the
  /// index of the relationship.
  var members: [Int: Members] = [:]
  /// The rows that were fetched together with this row.
  var batch: FaultBatch?

  package var isFault: Bool { current == nil }
}

/// Rows that were fetched together. Their values and relationships are loaded
/// together.
package final class FaultBatch: Sendable {
  let handles: [Int]

  init(_ handles: [Int]) { self.handles = handles }

  /// The maximum number of rows in a batch.
  package static let size = 500
}
