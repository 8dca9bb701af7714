/// The operations of up to three consecutive batch updates that preserve all
/// moves.
///
/// A single batch update cannot move a row out of a section that it deletes or
/// into a section that it inserts. A staged plan uses three batch updates: the
/// first one inserts the new sections without rows, the second one performs all
/// row operations, and the third one deletes the sections that are now empty.
/// The plan omits stages without operations. It has a single stage if one batch
/// update can show all moves.
///
/// The plan of each stage has its own index spaces: its old space is the list
/// before the stage, its new space the list after it. ``Stage/sections``
/// describes the data source after the stage:
///
/// ```swift
/// for stage in changes.stagedPlan(oldSectionCount: before.sectionCount).stages {
///   tableView.performBatchUpdates {
///     dataSource.show(stage.sections, before, after)
///     // … the operations of stage.plan
///   }
/// }
/// ```
public struct StagedPlan: Equatable, Sendable {
  /// The rows of one section of the data source after a stage.
  public enum Section: Hashable, Sendable {
    /// The rows of the section with this index in old space, before the change.
    case old(Int)
    /// The rows of the section with this index in new space, after the change.
    case new(Int)
    /// No rows. The section with this key is inserted or about to be deleted.
    case empty(SectionKey)
  }

  /// One batch update.
  public struct Stage: Equatable, Sendable {
    /// The operations of the batch update.
    public let plan: BatchPlan
    /// The sections of the data source after the batch update, in order.
    public let sections: [Section]
  }

  /// The batch updates, in the order to perform them.
  public let stages: [Stage]
}
