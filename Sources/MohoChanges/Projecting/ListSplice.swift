/// A range of rows that is replaced by another range, in a list without
/// sections.
///
/// Both ranges are positions in the whole list. List models such as
/// `GListModel` report changes in this form: a position, the number of removed
/// rows and the number of added rows.
///
/// ```swift
/// for splice in changes.splices(from: before, to: after) {
///   itemsChanged(splice.new.lowerBound, splice.old.count, splice.new.count)
/// }
/// ```
public struct ListSplice: Hashable, Sendable {
  /// The positions of the removed rows in old space.
  public let old: Range<Int>
  /// The positions of the inserted rows in new space.
  public let new: Range<Int>

  /// Creates a splice from positions in old space and positions in new space.
  public init(old: Range<Int>, new: Range<Int>) {
    self.old = old
    self.new = new
  }
}
