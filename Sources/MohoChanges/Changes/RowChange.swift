/// The record of one row in a ``ChangeSet``.
///
/// A row has at most one record. A row that moved and whose content changed is a
/// ``Kind/move`` with ``changedKeys``. A row has no record if its path differs
/// only because other rows or sections were inserted or deleted before it.
///
/// ```
/// move [0, 2] → [0, 0] changed title, publishedAt
/// ```
public struct RowChange: Hashable, Sendable {
  /// How the position of a row changed.
  public enum Kind: Hashable, Sendable {
    /// The row is only in the new list.
    case insert
    /// The row is only in the old list.
    case delete
    /// The content of the row changed. The row did not move.
    case update
    /// The row is in another section, or in a different order relative to other
    /// rows of its section. Its content may have changed as well.
    case move
  }

  /// How the values of a row changed.
  public enum Content: Hashable, Sendable {
    /// No value changed. Inserted and deleted rows always have this content.
    case unchanged
    /// The values of these keys changed. The keys are in declaration order.
    /// There is at least one.
    case changed([String])
  }

  /// The ID of the row.
  public let rowID: Int64
  /// The path of the row in old space, or `nil` if the row was inserted.
  public let old: RowPath?
  /// The path of the row in new space, or `nil` if the row was deleted.
  public let new: RowPath?
  /// How the values of the row changed.
  public let content: Content
  /// Whether the row changed its section or its order relative to other rows.
  ///
  /// A row whose paths differ only because rows or sections before it were
  /// inserted or deleted has not moved.
  public let isMove: Bool

  /// How the position of the row changed.
  public var kind: Kind {
    if old == nil { return .insert }
    if new == nil { return .delete }
    return isMove ? .move : .update
  }

  /// The names of the changed keys, in declaration order.
  public var changedKeys: [String] {
    switch content {
    case .unchanged: []
    case .changed(let keys): keys
    }
  }
}
