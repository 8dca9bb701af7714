/// A run of rows that takes the place of another run, in a list without
/// sections.
///
/// Both runs are counted through all sections. `GListModel` and others are told
/// of changes so, with a position, a number of rows removed and a number of
/// rows added:
///
/// ```swift
/// for splice in changes.splices(from: before, to: after) {
///   itemsChanged(splice.new.lowerBound, splice.old.count, splice.new.count)
/// }
/// ```
public struct ListSplice: Hashable, Sendable {
  /// The rows that go, by position in old space.
  public let old: Range<Int>
  /// The rows that come, by position in new space.
  public let new: Range<Int>

  /// Makes a splice of positions in old space and positions in new space.
  public init(old: Range<Int>, new: Range<Int>) {
    self.old = old
    self.new = new
  }
}
