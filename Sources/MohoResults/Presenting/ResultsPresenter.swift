import MohoChanges
public import MohoMapping

/// Presents a result in one isolation domain, such as the main actor, and
/// reports its changes to a delegate.
///
/// ```swift
/// let presenter = ResultsPresenter(controller)
/// presenter.delegate = self
/// task = Task { try await presenter.present() }
/// ```
///
/// Guarantees:
/// - ``snapshot`` always matches the calls that the delegate has received. It
///   is the state before an update until
///   ``ResultsControllerDelegate/controller(_:willApply:)`` has returned, and
///   the state after the update from then on.
/// - The delegate is called only in the isolation domain of ``present()``.
/// - Commits during a call of the delegate are combined into one later update.
///
/// Not `Sendable`: a presenter belongs to the isolation domain in which it was
/// created.
public final class ResultsPresenter<Model: MappedModel>: PresentedResults {
  /// The controller of the result.
  public let controller: ResultsController<Model>

  /// The presented state of the result.
  public private(set) var snapshot: ResultsSnapshot<Model>

  /// The object that receives the changes. The presenter does not retain it.
  public weak var delegate: (any ResultsControllerDelegate<Model>)?

  /// The number of calls of ``present()``.
  private var callCount = 0

  /// Creates a presenter that presents the current state of a result.
  public init(_ controller: ResultsController<Model>) {
    self.controller = controller
    snapshot = controller.snapshot
  }

  /// Presents all updates of the result until the task is canceled, or until
  /// another call of this method takes over. An earlier call then returns with the
  /// next update.
  ///
  /// - Throws: The errors of iterating over ``ResultsController/updates``. The
  ///   presented state remains, and this method can be called again.
  public nonisolated(nonsending) func present() async throws {
    callCount += 1
    let call = callCount
    for try await update in controller.updates(since: snapshot) {
      // Another call reports the update, from a state of its own.
      guard call == callCount else { return }
      report(update) { snapshot = update.after }
    }
  }
}
