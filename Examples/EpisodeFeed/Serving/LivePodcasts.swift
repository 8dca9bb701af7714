import Moho
import Synchronization

/// The podcasts of a store with the numbers of their episodes: one live value,
/// which any number of clients follow.
actor LivePodcasts {
  /// The number of episodes by podcast and by whether they are played.
  private static let query = ValueQuery<[ValueRow]>.aggregates(
    ModelRequest<Episode>(), groupedBy: { [$0.podcast, $0.isPlayed] }, { _ in [.count] })

  private let signal = EventSignal()
  private var newest: ServerEvent?
  private var count = 0
  private var failure: (any Error)?

  /// Follows the podcasts until an error, or until the task is canceled.
  ///
  /// - Parameter heartbeat: The time after which waiting clients receive a
  ///   heartbeat.
  func run(_ store: ModelStore, heartbeat: Duration) async {
    let beat = Task { [signal] in await signal.beat(every: heartbeat) }
    defer { beat.cancel() }
    do {
      for try await rows in store.observe(Self.query) {
        count += 1
        newest = try ServerEvent(PodcastsMessage(rows), version: "\(count)")
        signal.wake(isEvent: true)
      }
      fail(CancellationError())
    } catch {
      fail(error)
    }
  }

  private func fail(_ error: any Error) {
    failure = error
    signal.fail(error)
  }

  /// Waits for the podcasts of a version other than the one that the client knows.
  ///
  /// - Returns: Nil if nothing has changed for the time of a heartbeat.
  func event(after version: String?) async throws -> ServerEvent? {
    if let failure { throw failure }
    if newest == nil || newest?.version == version {
      guard try await signal.wait() else { return nil }
    }
    return newest
  }
}

/// Follows the podcasts of a store while it has clients.
final class SharedPodcasts: Sendable {
  private struct Entry {
    let live = LivePodcasts()
    let task: Task<Void, Never>
    var clients = 0

    init(_ store: ModelStore, heartbeat: Duration) {
      task = Task { [live] in await live.run(store, heartbeat: heartbeat) }
    }
  }

  private let store: ModelStore
  private let configuration: ServiceConfiguration
  private let entry = Mutex<Entry?>(nil)

  init(_ store: ModelStore, _ configuration: ServiceConfiguration) {
    self.store = store
    self.configuration = configuration
  }

  /// Adds a client.
  ///
  /// - Throws: ``PageError`` if there are too many clients.
  func follow() throws -> PodcastsClient {
    let live = try entry.withLock { entry in
      var followed = entry ?? Entry(store, heartbeat: configuration.heartbeat)
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
  private var version: String?
  private let lease: ListLease
  private let discard: @Sendable () -> Void

  init(live: LivePodcasts, lease: ListLease, discard: @escaping @Sendable () -> Void) {
    self.live = live
    self.lease = lease
    self.discard = discard
  }

  /// Waits for the newest podcasts.
  ///
  /// - Returns: Nil if nothing has changed for the time of a heartbeat.
  /// - Throws: An error of the store. The client then has to follow the podcasts
  ///   again.
  public mutating func next() async throws -> ServerEvent? {
    do {
      let event = try await live.event(after: version)
      version = event?.version ?? version
      return event
    } catch {
      if !(error is CancellationError) { discard() }
      throw error
    }
  }
}
