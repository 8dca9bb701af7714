public import MohoChanges
public import MohoMapping

/// A result that reports its changes to a delegate: a ``ResultsPresenter`` or a
/// ``ContextResultsController``.
///
/// Not `Sendable`. It belongs to the isolation domain in which it was created,
/// and calls its delegate there.
public protocol PresentedResults<Model>: AnyObject {
  /// The models of the result.
  associatedtype Model: MappedModel

  /// The presented state of the result. The controller replaces it after
  /// ``ResultsControllerDelegate/controller(_:willApply:)`` has returned.
  var snapshot: ResultsSnapshot<Model> { get }

  /// The object that receives the changes. The controller does not retain it.
  var delegate: (any ResultsControllerDelegate<Model>)? { get set }
}

/// An object that receives the changes of a result one by one, like a delegate
/// of `NSFetchedResultsController`.
///
/// ```swift
/// extension EpisodesViewController: @MainActor ResultsControllerDelegate {
///   func controller(
///     _ controller: any PresentedResults<Episode>, willApply update: ResultsUpdate<Episode>
///   ) { tableView.beginUpdates() }
///
///   func controller(_ controller: any PresentedResults<Episode>, didChange row: RowChange) { … }
///
///   func controller(
///     _ controller: any PresentedResults<Episode>, didApply update: ResultsUpdate<Episode>
///   ) { tableView.endUpdates() }
/// }
/// ```
///
/// For each update, the delegate receives ``controller(_:willApply:)``, one
/// call for each section that was deleted or inserted, or whose summary changed, one
/// call for each row, and ``controller(_:didApply:)``. Updates never overlap: if a
/// delegate changes the result, the controller reports the change in a later update.
public protocol ResultsControllerDelegate<Model>: AnyObject {
  /// The models of the result.
  associatedtype Model: MappedModel

  /// Called before an update. The snapshot of the controller is the state
  /// before the update until this call returns.
  func controller(
    _ controller: any PresentedResults<Model>, willApply update: ResultsUpdate<Model>)

  /// Called for each section that was deleted or inserted, or whose summary
  /// changed. The index of a deleted section is in old space. All other indexes are
  /// in new space.
  func controller(_ controller: any PresentedResults<Model>, didChange section: SectionChange)

  /// Called once for each row that was inserted, deleted, moved or changed. Its
  /// old path is in old space, and its new path in new space.
  ///
  /// A row that moved and changed is a move that names the changed keys.
  func controller(_ controller: any PresentedResults<Model>, didChange row: RowChange)

  /// Called after an update.
  func controller(
    _ controller: any PresentedResults<Model>, didApply update: ResultsUpdate<Model>)
}

extension ResultsControllerDelegate {
  /// Does nothing.
  public func controller(
    _ controller: any PresentedResults<Model>, willApply update: ResultsUpdate<Model>
  ) {}

  /// Does nothing.
  public func controller(
    _ controller: any PresentedResults<Model>, didChange section: SectionChange
  ) {}

  /// Does nothing.
  public func controller(_ controller: any PresentedResults<Model>, didChange row: RowChange) {}

  /// Does nothing.
  public func controller(
    _ controller: any PresentedResults<Model>, didApply update: ResultsUpdate<Model>
  ) {}
}

extension PresentedResults {
  /// Reports an update to the delegate. Each call goes to the delegate that is
  /// set at that time.
  ///
  /// - Parameter advance: A closure that sets the snapshot to the state after
  ///   the update.
  func report(_ update: ResultsUpdate<Model>, advance: () -> Void) {
    delegate?.controller(self, willApply: update)
    advance()
    for section in update.changes.sections { delegate?.controller(self, didChange: section) }
    for row in update.changes.rows { delegate?.controller(self, didChange: row) }
    delegate?.controller(self, didApply: update)
  }
}
