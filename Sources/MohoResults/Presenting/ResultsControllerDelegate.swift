public import MohoChanges
public import MohoMapping

/// Is told what happens to a result, change by change, as a delegate of
/// `NSFetchedResultsController` is.
///
/// ```swift
/// extension EpisodesViewController: @MainActor ResultsControllerDelegate {
///   func resultsWillChange(_ update: ResultsUpdate<Episode>) { tableView.beginUpdates() }
///   func resultsDidChange(_ row: RowChange) { … }
///   func resultsDidChange(_ update: ResultsUpdate<Episode>) { tableView.endUpdates() }
/// }
/// ```
///
/// For each update the calls are: ``resultsWillChange(_:)``, each section that
/// goes and each that comes, each row, and `resultsDidChange(_:)` with the update.
/// A ``ResultsPresenter`` makes them, or a ``ContextResultsController``, one update
/// after the other: a delegate that writes to the store is told of that in a
/// cycle of its own.
public protocol ResultsControllerDelegate<Model>: AnyObject {
  /// The models of the result.
  associatedtype Model: MappedModel

  /// The result is about to change. What is shown is still what was there before,
  /// until this returns.
  func resultsWillChange(_ update: ResultsUpdate<Model>)

  /// A section has come or gone. The index of one that has gone is in old
  /// space, that of one that has come in new space.
  func resultsDidChange(_ section: SectionChange)

  /// A row has come, gone, moved or changed. Its old path is in old space, its
  /// new path in new space.
  ///
  /// There is one call for each row: one that has moved and changed is a move
  /// that names the changed keys.
  func resultsDidChange(_ row: RowChange)

  /// The result has changed.
  func resultsDidChange(_ update: ResultsUpdate<Model>)
}

extension ResultsControllerDelegate {
  /// Does nothing.
  public func resultsWillChange(_ update: ResultsUpdate<Model>) {}
  /// Does nothing.
  public func resultsDidChange(_ section: SectionChange) {}
  /// Does nothing.
  public func resultsDidChange(_ row: RowChange) {}
  /// Does nothing.
  public func resultsDidChange(_ update: ResultsUpdate<Model>) {}
}

extension ResultsUpdate {
  /// Tells a delegate of the update, in the order of its calls.
  ///
  /// - Parameters:
  ///   - delegate: Who is told, and asked for anew before each call.
  ///   - advance: Takes on the state after the update, once the delegate knows
  ///     that it comes.
  func tell(
    _ delegate: @autoclosure () -> (any ResultsControllerDelegate<Model>)?, _ advance: () -> Void
  ) {
    delegate()?.resultsWillChange(self)
    advance()
    for section in changes.sections { delegate()?.resultsDidChange(section) }
    for row in changes.rows { delegate()?.resultsDidChange(row) }
    delegate()?.resultsDidChange(self)
  }
}
