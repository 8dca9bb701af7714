public import MohoChanges

/// The operations of a batch update of a table or collection view.
///
/// A `BatchPlan` never contains reloads or section moves. They exist here to
/// test data sources that use them.
public struct TableOperations: Equatable, Sendable {
  /// The move of a section.
  public struct SectionMove: Hashable, Sendable {
    /// The number of the section in old space.
    public let from: Int
    /// The number of the section in new space.
    public let to: Int

    /// Creates a move from a number in old space to a number in new space.
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
  /// The rows to reload with a new cell, in old space.
  public var reloadedRows: [RowPath] = []
  /// The rows to move.
  public var movedRows: [BatchPlan.Move] = []
  /// The rows whose cells are reused with new content.
  public var reconfiguredRows: [BatchPlan.Reconfiguration] = []
  /// The sections whose headers are reused with new texts.
  public var reconfiguredSections: [BatchPlan.SectionReconfiguration] = []

  /// Creates a batch update without operations.
  public init() {}

  /// Creates the operations of a plan.
  public init(_ plan: BatchPlan) {
    deletedSections = plan.deletedSections
    insertedSections = plan.insertedSections
    deletedRows = plan.deletedRows
    insertedRows = plan.insertedRows
    movedRows = plan.movedRows
    reconfiguredRows = plan.reconfiguredRows
    reconfiguredSections = plan.reconfiguredSections
  }
}
