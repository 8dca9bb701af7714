import MohoChanges
public import MohoMapping

/// Shows a result on one isolation, such as that of the main actor, and tells a
/// delegate how it changes.
///
/// ```swift
/// let presenter = ResultsPresenter(controller)
/// presenter.delegate = self
/// task = Task { try await presenter.present() }
/// ```
///
/// Guarantees:
/// - ``snapshot`` is what the delegate has been told of: the state before an
///   update until ``ResultsControllerDelegate/resultsWillChange(_:)`` has
///   returned, and the state after it from then on.
/// - The delegate is called where ``present()`` was, and by nobody else.
/// - Commits that come while the delegate is busy are one update afterwards.
///
/// Not `Sendable`: a presenter belongs to the isolation that it is made in.
public final class ResultsPresenter<Model: MappedModel> {
  /// The result.
  public let controller: ResultsController<Model>

  /// What is shown.
  public private(set) var snapshot: ResultsSnapshot<Model>

  /// Who is told of changes. It is not kept alive.
  public weak var delegate: (any ResultsControllerDelegate<Model>)?

  /// Shows the current state of a result.
  public init(_ controller: ResultsController<Model>) {
    self.controller = controller
    snapshot = controller.snapshot
  }

  /// Shows all that happens to the result, until the task is canceled.
  ///
  /// - Throws: As iterating over ``ResultsController/updates``. What is shown
  ///   stays, and presenting may begin again.
  public nonisolated(nonsending) func present() async throws {
    for try await update in controller.updates(since: snapshot) {
      update.tell(delegate) { snapshot = update.after }
    }
  }
}
