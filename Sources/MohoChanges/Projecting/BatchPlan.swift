/// The operations of one batch update of a table or collection view.
///
/// The paths are those that `performBatchUpdates` takes: deletions in old
/// space, insertions in new space, moves from old to new space. A view may be
/// given them in any order within the batch, and all of them are legal
/// together: rows in sections that come or go are left to these sections, and
/// nothing is ever reloaded.
///
/// A row whose cell stays while its content changes is *reconfigured*: the cell
/// that showed it is given the new content in place. For a moved row that
/// happens during the same batch, so that one animation shows both.
///
/// ```swift
/// tableView.performBatchUpdates {
///   for move in plan.movedRows {
///     tableView.moveRow(at: indexPath(move.from), to: indexPath(move.to))
///   }
///   for row in plan.reconfiguredRows {
///     let cell = tableView.cellForRow(at: indexPath(row.old))
///     configure(cell, with: episodes[row.new])
///   }
///   // … and the deletions and insertions of rows and sections.
/// }
/// ```
public struct BatchPlan: Equatable, Sendable {
  /// A row whose cell goes from one place to another.
  public struct Move: Hashable, Sendable {
    /// The place of the cell in old space.
    public let from: RowPath
    /// The place of the cell in new space.
    public let to: RowPath

    /// Makes a move from a path in old space to one in new space.
    public init(from: RowPath, to: RowPath) {
      self.from = from
      self.to = to
    }
  }

  /// A row whose cell stays the same and shows new content.
  public struct Reconfiguration: Hashable, Sendable {
    /// The place of the cell in old space: the one to ask a view for while the
    /// batch is open.
    public let old: RowPath
    /// The place of the row in new space: the one to ask the data for.
    public let new: RowPath
    /// The keys that changed, in declaration order.
    public let changedKeys: [String]

    /// Makes a reconfiguration of the cell at `old` in old space with the row
    /// at `new` in new space.
    public init(old: RowPath, new: RowPath, changedKeys: [String]) {
      self.old = old
      self.new = new
      self.changedKeys = changedKeys
    }
  }

  /// The sections to delete, ascending in old space.
  public var deletedSections: [Int] = []
  /// The sections to insert, ascending in new space.
  public var insertedSections: [Int] = []
  /// The rows to delete, ascending in old space.
  public var deletedRows: [RowPath] = []
  /// The rows to insert, ascending in new space.
  public var insertedRows: [RowPath] = []
  /// The rows to move, ascending by their place in new space.
  public var movedRows: [Move] = []
  /// The rows to reconfigure, ascending in new space.
  public var reconfiguredRows: [Reconfiguration] = []

  /// Makes a plan without operations.
  public init() {}

  /// Whether there is nothing to do.
  public var isEmpty: Bool { self == BatchPlan() }
}
