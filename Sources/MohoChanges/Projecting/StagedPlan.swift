/// The operations of a few batch updates, one after the other, that show every
/// move as one.
///
/// A single batch cannot move a row out of a section that it deletes or into
/// one that it inserts. Three can: the first one inserts the new sections
/// empty, the second one has all changes of rows, the third one deletes the
/// sections that have become empty. Stages without operations are left out, and
/// where a single batch can show all moves there is one stage.
///
/// Each stage is a ``BatchPlan`` with its own index spaces: its old space is
/// the list that the stage before left, its new space the one it leaves itself.
/// ``Stage/sections`` says what a data source answers there:
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
  /// What stands in a section while a plan is carried out.
  public enum Section: Hashable, Sendable {
    /// The rows of the section with this number in old space, as they were.
    case old(Int)
    /// The rows of the section with this number in new space, as they are.
    case new(Int)
    /// No row yet, or no row any more, of the section with this key.
    case empty(SectionKey)
  }

  /// One batch update.
  public struct Stage: Equatable, Sendable {
    /// The operations.
    public let plan: BatchPlan
    /// The sections when the batch ends, in order.
    public let sections: [Section]
  }

  /// The batch updates in their order.
  public let stages: [Stage]
}
