public import MohoChanges

/// Everything that a batch update can ask a table or collection view for.
///
/// A `BatchPlan` is the part of it that is always legal; reloads
/// and section moves are here to describe data sources that use them.
public struct TableOperations: Equatable, Sendable {
  /// A section that goes from one place to another.
  public struct SectionMove: Hashable, Sendable {
    /// The number of the section in old space.
    public let from: Int
    /// The number of the section in new space.
    public let to: Int

    /// Makes a move from a number in old space to one in new space.
    public init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }

  /// The sections to delete, in old space.
  public var deletedSections: [Int] = []
  /// The sections to insert, in new space.
  public var insertedSections: [Int] = []
  /// The sections to reload, in old space.
  public var reloadedSections: [Int] = []
  /// The sections to move.
  public var movedSections: [SectionMove] = []
  /// The rows to delete, in old space.
  public var deletedRows: [RowPath] = []
  /// The rows to insert, in new space.
  public var insertedRows: [RowPath] = []
  /// The rows to reload with another cell, in old space.
  public var reloadedRows: [RowPath] = []
  /// The rows to move.
  public var movedRows: [BatchPlan.Move] = []
  /// The rows whose cells stay and are given new content.
  public var reconfiguredRows: [BatchPlan.Reconfiguration] = []

  /// Makes a batch without operations.
  public init() {}

  /// Makes the operations of a plan.
  public init(_ plan: BatchPlan) {
    deletedSections = plan.deletedSections
    insertedSections = plan.insertedSections
    deletedRows = plan.deletedRows
    insertedRows = plan.insertedRows
    movedRows = plan.movedRows
    reconfiguredRows = plan.reconfiguredRows
  }
}
