public import MohoMapping
public import Observation

/// The live result of a request for views that use Observation, such as those of
/// SwiftUI.
///
/// ```swift
/// struct EpisodeList: View {
///   let episodes: ObservableResults<Episode>
///
///   var body: some View {
///     List(episodes.snapshot.rows()) { row in Text(row.model?.title ?? "") }
///   }
/// }
///
/// let controller = try await ResultsController(newest, in: store)
/// let list = EpisodeList(episodes: ObservableResults(controller))
/// ```
///
/// Guarantees:
/// - ``snapshot`` is the state of the controller when the object is created. It
///   follows the controller on the main actor until the object is released.
/// - Commits that do not change the result do not change the object. Commits that
///   are faster than the main actor are combined into one update.
/// - If the store cannot be read, ``error`` is set, and ``snapshot`` stays as it
///   is. The object continues to follow the store: the first commit that can be
///   read sets ``error`` to nil.
///
/// After a call of `write` has returned, the snapshot changes when the main actor
/// is free. ``ResultsController/snapshot`` has the new state immediately.
@MainActor @Observable
public final class ObservableResults<Model: MappedModel> {
  /// A closure that applies an update, for example in an animation.
  ///
  /// - Parameters:
  ///   - update: The update.
  ///   - setSnapshot: Sets the snapshot of the object to the state after the
  ///     update. Views are notified during the call. If the closure does not call
  ///     it, the snapshot is set when the closure returns.
  public typealias Apply =
    @MainActor (_ update: ResultsUpdate<Model>, _ setSnapshot: () -> Void) -> Void

  /// The newest state of the result.
  public private(set) var snapshot: ResultsSnapshot<Model>

  /// The error that prevents the newest state from being read, or nil.
  public private(set) var error: (any Error)?

  /// The controller of the result. Replace its request to change the list.
  public let controller: ResultsController<Model>

  @ObservationIgnored private var task: Task<Void, Never>?

  /// Creates an object that follows the result of a controller.
  ///
  /// ```swift
  /// let episodes = ObservableResults(controller) { _, setSnapshot in
  ///   withAnimation { setSnapshot() }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - controller: The controller. The object retains it.
  ///   - apply: A closure that applies each update. The object retains it. By
  ///     default, the snapshot is set without an animation.
  public init(
    _ controller: ResultsController<Model>,
    applying apply: @escaping Apply = { _, setSnapshot in setSnapshot() }
  ) {
    self.controller = controller
    let snapshot = controller.snapshot
    self.snapshot = snapshot
    task = Task { [weak self] in
      var (known, hasFailed) = (snapshot, false)
      while true {
        do {
          let update = try await controller.update(after: known, hasFailed: hasFailed)
          guard let update, let self else { return }
          (known, hasFailed) = (update.after, false)
          set(update, apply)
        } catch {
          guard let self else { return }
          hasFailed = true
          self.error = error
        }
      }
    }
  }

  deinit { task?.cancel() }

  private func set(_ update: ResultsUpdate<Model>, _ apply: Apply) {
    if error != nil { error = nil }
    // A state that could be read again may be the same state.
    guard update.after.generation != snapshot.generation else { return }
    setOnce(applying: apply, to: update) { [self] in snapshot = update.after }
  }
}

/// Applies an update with a closure that calls `set`, and calls `set` afterwards
/// if the update was applied without it.
@MainActor
func setOnce<Update>(
  applying apply: (Update, () -> Void) -> Void, to update: Update, _ set: @escaping () -> Void
) {
  var isSet = false
  apply(update) {
    set()
    isSet = true
  }
  if !isSet { set() }
}
