import Foundation
import Moho
import Synchronization

/// The work that takes time and that pages show: fetching and importing feeds.
///
/// Every page shows all activities with their progress, and can cancel each.
final class Activities: Sendable {
  /// The time between two wakes of the pages for progress.
  private static let interval = Duration.milliseconds(100)

  private struct Entry {
    var activity: ActivitiesMessage.Activity
    var isCanceled = false
    var cancel: @Sendable () -> Void = {}
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    var lastID = 0
    /// The number of changes.
    var version = 0
    /// Whether the pages are woken for progress soon.
    var isWaking = false
    var onChange: @Sendable () -> Void = {}
  }

  private let state = Mutex(State())

  /// Calls a closure after each change. Replaces the earlier closure.
  func onChange(_ wake: @escaping @Sendable () -> Void) {
    state.withLock { $0.onChange = wake }
  }

  /// The current activities in the order of their beginning, and their version.
  var current: (version: Int, message: ActivitiesMessage) {
    state.withLock { state in
      let activities = state.entries.values.map(\.activity).sorted { $0.id < $1.id }
      return (state.version, ActivitiesMessage(activities: activities))
    }
  }

  /// Runs work as an activity.
  ///
  /// - Parameter title: What the work does, such as `Refreshing feeds`.
  /// - Returns: Nil if a page has canceled the activity.
  /// - Throws: The errors of the work.
  func run<Result: Sendable>(
    _ title: String,
    _ work: @escaping @Sendable (ActivityProgress) async throws -> Result
  ) async throws -> Result? {
    let id = state.withLock { state in
      state.lastID += 1
      state.entries[state.lastID] = Entry(
        activity: ActivitiesMessage.Activity(
          id: state.lastID, title: PageError.excerpt(title), done: 0, total: nil))
      return state.lastID
    }
    changed()
    defer {
      state.withLock { _ = $0.entries.removeValue(forKey: id) }
      changed()
    }
    let task = Task { try await work(ActivityProgress(self, id)) }
    let isCanceled = state.withLock { state in
      state.entries[id]?.cancel = { task.cancel() }
      return state.entries[id]?.isCanceled == true
    }
    if isCanceled { task.cancel() }
    do {
      return try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    } catch is CancellationError where state.withLock({ $0.entries[id]?.isCanceled == true }) {
      return nil
    }
  }

  /// Cancels an activity.
  ///
  /// - Returns: False if it has ended.
  func cancel(_ id: Int) -> Bool {
    let cancel = state.withLock { state in
      state.entries[id]?.isCanceled = true
      return state.entries[id]?.cancel
    }
    cancel?()
    return cancel != nil
  }

  /// Reports progress. Throws if the activity was canceled.
  fileprivate func report(_ id: Int, done: Int, total: Int?) throws {
    let mustWake = try state.withLock { state in
      guard let entry = state.entries[id] else { return false }
      if entry.isCanceled { throw CancellationError() }
      state.entries[id]?.activity.done = done
      state.entries[id]?.activity.total = total
      state.version += 1
      defer { state.isWaking = true }
      return !state.isWaking
    }
    guard mustWake else { return }
    Task {
      try await Task.sleep(for: Self.interval)
      let wake = state.withLock { state in
        state.isWaking = false
        return state.onChange
      }
      wake()
    }
  }

  private func changed() {
    let wake = state.withLock { state in
      state.version += 1
      return state.onChange
    }
    wake()
  }
}

/// Reports the progress of an activity.
struct ActivityProgress: Sendable {
  private let activities: Activities
  private let id: Int

  fileprivate init(_ activities: Activities, _ id: Int) {
    self.activities = activities
    self.id = id
  }

  /// Reports progress.
  ///
  /// - Parameter total: The number of parts; nil if it is not known.
  /// - Throws: `CancellationError` if a page has canceled the activity.
  func report(_ done: Int, of total: Int?) throws {
    try activities.report(id, done: done, total: total)
  }
}

/// The activities of a server.
public struct ActivitiesMessage: MappedModel, Hashable {
  /// The activities in the order of their beginning.
  public var activities: [Activity]

  /// The keys of the JSON form.
  public static let mapping = Mapping(
    "Activities", ActivitiesMessage.init, .key("activities", \.activities))

  /// An activity.
  public struct Activity: MappedModel, Hashable {
    /// The number that identifies the activity.
    public var id: Int
    /// What it does.
    public var title: String
    /// The number of parts that are complete.
    public var done: Int
    /// The number of parts; nil if it is not known.
    public var total: Int?

    /// The keys of the JSON form.
    public static let mapping = Mapping(
      "Activity", Activity.init, .key("id", \.id), .key("title", \.title), .key("done", \.done),
      .key("total", \.total))
  }
}
