/// A row as a context has it.
struct RowRecord: Sendable {
  /// The position of its entity.
  let entity: Int
  var identity: RowIdentity
  /// The values that the store had when they were read, or nil of a fault and
  /// of a row that is not stored.
  var base: RowValues?
  /// The values that the row has now, or nil of a fault.
  var current: RowValues?
  /// Whether the store has the row.
  var isStored: Bool
  /// Whether the row is to be there once the context is saved.
  var isAlive: Bool
  /// The rows at the other ends of the relationships that are no columns, by
  /// their positions.
  var members: [Int: Members] = [:]
  /// The rows that were fetched with it.
  var batch: FaultBatch?

  var isFault: Bool { current == nil }
}

/// Rows that were fetched together, whose values and relationships are loaded
/// together.
final class FaultBatch: Sendable {
  let handles: [Int]

  init(_ handles: [Int]) { self.handles = handles }

  /// How many rows are in a batch.
  static let size = 500
}
