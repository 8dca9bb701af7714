/// A change set as a `CollectionDifference`, with the content changes that a
/// difference cannot express.
///
/// ```swift
/// let plan = changes.difference(from: before, to: after)
/// let rowIDs = Array(before.rowIDs).applying(plan.difference)  // those after
/// ```
public struct ListDifference: Equatable, Sendable {
  /// A row that remains in the list, moved or not, and whose content changed.
  public struct Reconfiguration: Hashable, Sendable {
    /// The row's position in old space.
    public let old: Int
    /// The row's position in new space.
    public let new: Int
    /// The keys that changed, in declaration order.
    public let changedKeys: [String]
  }

  /// Insertions and removals of row IDs. Offsets are positions in the whole
  /// list: removals in old space, insertions in new space. The removal and the
  /// insertion of a move are associated with each other.
  public let difference: CollectionDifference<Int64>

  /// The rows whose cells are reused and receive new content, ascending in new
  /// space. Configure the cells of moved rows during the same update, so that
  /// one animation shows the move and the new content.
  public let reconfiguredRows: [Reconfiguration]
}
