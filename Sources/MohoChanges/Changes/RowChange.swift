/// What happened to one row between two states of a list.
///
/// A row that was touched has one record, whatever happened to it: a row that
/// moved and whose content changed is a ``Kind/move`` with ``changedKeys``.
/// Rows that only shifted because of their neighbors have none.
///
/// ```
/// move [0, 2] → [0, 0] changed title, publishedAt
/// ```
public struct RowChange: Hashable, Sendable {
  /// What happened to a row's place in the list.
  public enum Kind: Hashable, Sendable {
    /// The row is new in the list.
    case insert
    /// The row left the list.
    case delete
    /// The row kept its place among its neighbors, its content changed.
    case update
    /// The row changed its section or its place among its neighbors; its
    /// content may have changed as well.
    case move
  }

  /// What happened to a row's values.
  public enum Content: Hashable, Sendable {
    /// The values are the same. Inserted and deleted rows have this, too.
    case unchanged
    /// The values of these keys differ. Keys are in declaration order, at
    /// least one.
    case changed([String])
  }

  /// The identity of the row.
  public let rowID: Int64
  /// The row's place before, in old space; `nil` if it was not in the list.
  public let old: RowPath?
  /// The row's place after, in new space; `nil` if it is no longer in the list.
  public let new: RowPath?
  /// What happened to the row's values.
  public let content: Content
  /// Whether the row changed its section or its place among its neighbors.
  ///
  /// A row whose paths differ only because rows or sections before it came or
  /// went has not moved.
  public let isMove: Bool

  /// What happened to the row's place.
  public var kind: Kind {
    if old == nil { return .insert }
    if new == nil { return .delete }
    return isMove ? .move : .update
  }

  /// The keys whose values differ, in declaration order.
  public var changedKeys: [String] {
    switch content {
    case .unchanged: []
    case .changed(let keys): keys
    }
  }
}
