/// The operations of one batch update of a table or collection view.
///
/// The paths are in the spaces that `performBatchUpdates` expects: deletions in
/// old space, insertions in new space, moves from old space to new space. Perform
/// the operations in any order within one batch. They never conflict: a plan has
/// no row operations in inserted or deleted sections, and no reloads.
///
/// A row whose content changed is *reconfigured*: its existing cell receives the
/// new content. Configure the cell of a moved row during the same batch, so that
/// one animation shows the move and the new content.
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
  /// A row that moves.
  public struct Move: Hashable, Sendable {
    /// The path in old space.
    public let from: RowPath
    /// The path in new space.
    public let to: RowPath

    /// Creates a move from a path in old space to a path in new space.
    public init(from: RowPath, to: RowPath) {
      self.from = from
      self.to = to
    }
  }

  /// A row whose existing cell receives new content.
  public struct Reconfiguration: Hashable, Sendable {
    /// The path in old space. Use it to get the cell from a view during the
    /// batch update.
    public let old: RowPath
    /// The path in new space. Use it to get the content of the row.
    public let new: RowPath
    /// The keys that changed, in declaration order.
    public let changedKeys: [String]

    /// Creates a reconfiguration of the cell at `old` in old space with the row
    /// at `new` in new space.
    public init(old: RowPath, new: RowPath, changedKeys: [String]) {
      self.old = old
      self.new = new
      self.changedKeys = changedKeys
    }
  }

  /// A section whose existing header receives a new summary.
  public struct SectionReconfiguration: Hashable, Sendable {
    /// The index in old space. Use it to get the header from a view during the
    /// batch update.
    public let old: Int
    /// The index in new space. Use it to get the summary of the section.
    public let new: Int
    /// The names of the values that changed, in the order of the summary.
    public let changedKeys: [String]

    /// Creates a reconfiguration of the header of section `old` in old space with
    /// the summary of section `new` in new space.
    public init(old: Int, new: Int, changedKeys: [String]) {
      self.old = old
      self.new = new
      self.changedKeys = changedKeys
    }
  }

  /// The indexes of the sections to delete, ascending in old space.
  public var deletedSections: [Int] = []
  /// The indexes of the sections to insert, ascending in new space.
  public var insertedSections: [Int] = []
  /// The paths of the rows to delete, ascending in old space.
  public var deletedRows: [RowPath] = []
  /// The paths of the rows to insert, ascending in new space.
  public var insertedRows: [RowPath] = []
  /// The rows to move, ascending by their path in new space.
  public var movedRows: [Move] = []
  /// The rows to reconfigure, ascending by their path in new space.
  public var reconfiguredRows: [Reconfiguration] = []
  /// The sections whose headers to reconfigure, ascending by their index in new
  /// space.
  public var reconfiguredSections: [SectionReconfiguration] = []

  /// Creates a plan without operations.
  public init() {}

  /// Whether the plan has no operations.
  public var isEmpty: Bool { self == BatchPlan() }
}
