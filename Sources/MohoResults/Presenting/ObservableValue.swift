public import MohoRows
public import Observation

/// A live value for views that use Observation, such as those of SwiftUI: a model,
/// a count, an aggregate, or a list of values.
///
/// ```swift
/// let unplayed = try await ObservableValue(.count(unplayedEpisodes), in: store)
/// let label = Text("\(unplayed.value) unplayed")
/// ```
///
/// Guarantees:
/// - ``value`` is the current value when the object is created. It follows the
///   store on the main actor until the object is released. ``ValueUpdates``
///   documents which commits are followed, and at what cost.
/// - Commits that do not change the value do not change the object.
/// - If the value cannot be read, ``error`` is set, and ``value`` stays as it is.
///   The first commit that can be read sets ``error`` to nil.
@MainActor @Observable
public final class ObservableValue<Value: Sendable> {
  /// A closure that applies a new value, for example in an animation.
  ///
  /// - Parameters:
  ///   - newValue: The new value.
  ///   - setValue: Sets the value of the object. Views are notified during the
  ///     call. If the closure does not call it, the value is set when the closure
  ///     returns.
  public typealias Apply = @MainActor (_ newValue: Value, _ setValue: () -> Void) -> Void

  /// The newest value.
  public private(set) var value: Value

  /// The error that prevents the newest value from being read, or nil.
  public private(set) var error: (any Error)?

  @ObservationIgnored private var task: Task<Void, Never>?

  /// Reads a value, and creates an object that follows it.
  ///
  /// - Throws: `StoreError` if the request is invalid or the store cannot be
  ///   read, `MappingError` if a row is not a model.
  public convenience init(
    _ query: ValueQuery<Value>, in store: ModelStore,
    applying apply: @escaping Apply = { _, setValue in setValue() }
  ) throws {
    self.init(query, try ValueFollower.following(query, in: store), apply)
  }

  /// Reads a value without blocking the calling thread, and creates an object that
  /// follows it.
  ///
  /// - Throws: `StoreError` if the request is invalid or the store cannot be
  ///   read, `MappingError` if a row is not a model, and `CancellationError` if the
  ///   task is canceled.
  public convenience init(
    _ query: ValueQuery<Value>, in store: ModelStore,
    applying apply: @escaping Apply = { _, setValue in setValue() }
  ) async throws {
    self.init(query, try await ValueFollower.following(query, in: store), apply)
  }

  private init(
    _ query: ValueQuery<Value>, _ follower: ValueFollower<Value>, _ apply: @escaping Apply
  ) {
    let state = follower.state
    value = state.value
    task = Task { [weak self] in
      var (known, hasFailed) = (state, false)
      while true {
        do {
          let newest = try await follower.delivery.newest(
            after: known.generation, hasFailed: hasFailed)
          guard let newest, let self else { return }
          let isNew = !query.areEqual(newest.value, known.value)
          (known, hasFailed) = (newest, false)
          if error != nil { error = nil }
          if isNew { set(newest.value, apply) }
        } catch {
          guard let self else { return }
          hasFailed = true
          self.error = error
        }
      }
    }
  }

  deinit { task?.cancel() }

  private func set(_ newValue: Value, _ apply: Apply) {
    setOnce(applying: apply, to: newValue) { [self] in value = newValue }
  }
}
