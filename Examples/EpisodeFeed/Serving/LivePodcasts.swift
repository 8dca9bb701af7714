import Moho
import Synchronization

/// The podcasts of a store with the numbers of their episodes, and the activities
/// of the server: one live value, which any number of clients follow.
actor LivePodcasts {
  /// The versions that a client knows.
  struct Known {
    var podcasts = 0
    /// -1, so that a new client receives the activities even before the first one.
    var activities = -1
  }

  private let activities: Activities
  private let signal = EventSignal()
  private var counts: PodcastCounts?
  private var subscriptions: [FeedSubscription]?
  private var newest: (version: Int, event: ServerEvent)?
  private var failure: (any Error)?

  init(_ activities: Activities) { self.activities = activities }

  /// Follows the podcasts until an error, or until the task is canceled.
  ///
  /// - Parameter heartbeat: The time after which waiting clients receive a
  ///   heartbeat.
  func run(_ store: ModelStore, heartbeat: Duration) async {
    let beat = Task { [signal] in await signal.beat(every: heartbeat) }
    defer { beat.cancel() }
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for try await groups in store.observe(PodcastCounts.query) {
            try await self.update { $0.counts = PodcastCounts(groups) }
          }
        }
        group.addTask {
          for try await feeds in store.observe(.models(FeedSubscription.all)) {
            try await self.update { $0.subscriptions = feeds }
          }
        }
        defer { group.cancelAll() }
        try await group.next()
      }
      fail(CancellationError())
    } catch {
      fail(error)
    }
  }

  private func update(_ change: @Sendable (isolated LivePodcasts) -> Void) throws {
    change(self)
    guard let counts, let subscriptions else { return }
    let version = (newest?.version ?? 0) + 1
    let message = PodcastsMessage(counts, subscriptions)
    newest = (version, try ServerEvent(message, version: "\(version)"))
    signal.wake(isEvent: true)
  }

  /// Wakes the clients after a change of the activities.
  func wake() { signal.wake(isEvent: true) }

  private func fail(_ error: any Error) {
    failure = error
    signal.fail(error)
  }

  /// Waits for a newer version of the podcasts or of the activities.
  ///
  /// - Returns: The event, and the versions that the client knows then. Nil if
  ///   nothing has changed for the time of a heartbeat.
  func event(after known: Known) async throws -> (ServerEvent, Known)? {
    while true {
      if let failure { throw failure }
      if let event = try newerEvent(than: known) { return event }
      guard try await signal.wait() else { return nil }
    }
  }

  private func newerEvent(than known: Known) throws -> (ServerEvent, Known)? {
    var known = known
    if let newest, newest.version > known.podcasts {
      known.podcasts = newest.version
      return (newest.event, known)
    }
    let (version, message) = activities.current
    guard version > known.activities else { return nil }
    known.activities = version
    return (try ServerEvent(message, version: "\(version)"), known)
  }
}

/// Follows the podcasts of a store while it has clients.
final class SharedPodcasts: Sendable {
  private struct Entry {
    let live: LivePodcasts
    let task: Task<Void, Never>
    var clients = 0

    init(_ store: ModelStore, _ activities: Activities, heartbeat: Duration) {
      let live = LivePodcasts(activities)
      self.live = live
      task = Task { await live.run(store, heartbeat: heartbeat) }
    }
  }

  /// The activities that the clients see.
  let activities = Activities()
  private let store: ModelStore
  private let configuration: ServiceConfiguration
  private let entry = Mutex<Entry?>(nil)

  init(_ store: ModelStore, _ configuration: ServiceConfiguration) {
    self.store = store
    self.configuration = configuration
    activities.onChange { [weak self] in
      guard let live = self?.entry.withLock({ $0?.live }) else { return }
      Task { await live.wake() }
    }
  }

  /// Adds a client.
  ///
  /// - Throws: ``PageError`` if there are too many clients.
  func follow() throws -> PodcastsClient {
    let live = try entry.withLock { entry in
      var followed = entry ?? Entry(store, activities, heartbeat: configuration.heartbeat)
      guard followed.clients < configuration.clientLimit else {
        throw PageError(.busy, "too many pages are open")
      }
      followed.clients += 1
      entry = followed
      return followed.live
    }
    let lease = ListLease { self.leave(live) }
    return PodcastsClient(live: live, lease: lease) { self.discard(live) }
  }

  private func leave(_ live: LivePodcasts) {
    entry.withLock { entry in
      guard entry?.live === live else { return }
      entry?.clients -= 1
      if entry?.clients == 0 { entry.take()?.task.cancel() }
    }
  }

  /// Lets new clients follow the podcasts again, since they have failed.
  private func discard(_ live: LivePodcasts) {
    entry.withLock { if $0?.live === live { $0 = nil } }
  }
}

/// A client of the podcasts. The client leaves when it is released.
public struct PodcastsClient: EventClient {
  private let live: LivePodcasts
  private var known = LivePodcasts.Known()
  private let lease: ListLease
  private let discard: @Sendable () -> Void

  init(live: LivePodcasts, lease: ListLease, discard: @escaping @Sendable () -> Void) {
    self.live = live
    self.lease = lease
    self.discard = discard
  }

  /// Waits for the newest podcasts or activities.
  ///
  /// - Returns: Nil if nothing has changed for the time of a heartbeat.
  /// - Throws: An error of the store. The client then has to follow the podcasts
  ///   again.
  public mutating func next() async throws -> ServerEvent? {
    do {
      guard let (event, known) = try await live.event(after: known) else { return nil }
      self.known = known
      return event
    } catch {
      if !(error is CancellationError) { discard() }
      throw error
    }
  }
}
