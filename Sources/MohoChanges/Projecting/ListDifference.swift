/// A change as the standard library's difference of two collections, and what
/// the difference cannot say.
///
/// ```swift
/// let plan = changes.difference(from: before, to: after)
/// let rowIDs = Array(before.rowIDs).applying(plan.difference)  // those after
/// ```
public struct ListDifference: Equatable, Sendable {
  /// A row that stays or moves and shows new content.
  public struct Reconfiguration: Hashable, Sendable {
    /// The row's position in old space.
    public let old: Int
    /// The row's position in new space.
    public let new: Int
    /// The keys that changed, in declaration order.
    public let changedKeys: [String]
  }

  /// Insertions and removals of row identities, by position through all
  /// sections: removals in old space, insertions in new space. The two halves of
  /// a move are associated with each other.
  public let difference: CollectionDifference<Int64>

  /// The rows whose cells stay and are given new content, ascending in new
  /// space. For a moved row that happens during the same update, so that one
  /// animation shows both.
  public let reconfiguredRows: [Reconfiguration]
}
