import Foundation
import Moho
import Synchronization

/// What a page can do with a store: follow lists, read rows, edit, and import.
///
/// All clients of a list share one controller, which ends some time after the
/// last client has left. All edits share one undo history.
public final class EpisodeService: Sendable {
  let store: ModelStore
  private let configuration: ServiceConfiguration
  let editing: EditingQueue
  private let lists = Mutex(LiveLists())
  private let podcasts: SharedPodcasts
  var activities: Activities { podcasts.activities }
  /// The lists that pages are opening, by the names of the pages.
  private let openings = Mutex<[String: Task<ListClient, any Error>]>([:])
  private let (arrivals, arrivalSink) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// Creates a service.
  public init(
    _ store: ModelStore, configuration: ServiceConfiguration = ServiceConfiguration()
  ) {
    self.store = store
    self.configuration = configuration
    editing = EditingQueue(store)
    podcasts = SharedPodcasts(store, configuration)
  }

  /// Follows a list. Fetches the list if no client follows it.
  ///
  /// - Parameters:
  ///   - version: The version that the client knows, or nil.
  ///   - page: The name of the page that shows the list. If it is still waiting
  ///     for another list, such as that of an earlier search, this list is
  ///     canceled.
  /// - Throws: ``PageError``.
  public func follow(
    _ list: EpisodeList, after version: String? = nil, page: String? = nil
  ) async throws -> ListClient {
    do {
      let client =
        if let page {
          try await open(list, after: version, page: page)
        } else {
          try await open(list, after: version)
        }
      arrivalSink.yield()
      return client
    } catch {
      throw PageError(error)
    }
  }

  /// Follows the podcasts and the activities.
  ///
  /// - Throws: ``PageError`` if there are too many clients.
  public func followPodcasts() throws -> PodcastsClient { try podcasts.follow() }

  /// Fetches a list, so that it is ready for the first client. The list remains
  /// open until the result is released.
  ///
  /// - Throws: The error of the store, or ``PageError`` if too many lists are open.
  public func prepare(_ list: EpisodeList) async throws -> ListClient {
    try await open(list, after: nil)
  }

  private func open(
    _ list: EpisodeList, after version: String?, page: String
  ) async throws -> ListClient {
    let opening = Task { try await open(list, after: version) }
    openings.withLock { $0.updateValue(opening, forKey: page) }?.cancel()
    defer { openings.withLock { if $0[page] == opening { $0[page] = nil } } }
    return try await opening.value
  }

  private func open(_ list: EpisodeList, after version: String?) async throws -> ListClient {
    let (id, task) = try lists.withLock { lists in
      try lists.enter(list, configuration) { [store, configuration] in
        Task {
          let live = try await LiveList(list, in: store)
          await live.start(heartbeat: configuration.heartbeat)
          return live
        }
      }
    }
    let lease = ListLease { self.leave(id) }
    do {
      let live = try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        lists.withLock { $0.abandon(id) }?.cancel()
      }
      return ListClient(live: live, version: version, lease: lease) {
        self.lists.withLock { $0.discard(id) }
      }
    } catch {
      lists.withLock { $0.discard(id) }
      throw error
    }
  }

  private func leave(_ id: Int) {
    guard let activity = lists.withLock({ $0.leave(id) }) else { return }
    Task {
      try await Task.sleep(for: configuration.idleTime)
      let task = lists.withLock { $0.close(id, ifIdleSince: activity) }
      try await task?.value.stop()
    }
  }

  /// Returns when a client follows a list.
  public func waitForClient() async {
    for await _ in arrivals { return }
  }

  /// The lists that are followed, including those whose last client has left a
  /// short time ago.
  public var followedLists: [EpisodeList] { lists.withLock { $0.followed } }

  /// A window of rows in a version of a list.
  ///
  /// - Throws: ``PageError``, of code ``PageError/Code/gone`` if the version is
  ///   not retained.
  public func rows(
    _ list: EpisodeList, version: String, from start: Int, count: Int
  ) async throws -> RowsMessage {
    do {
      guard let task = lists.withLock({ $0.task(of: list) }) else { throw PageError.gone }
      return try await task.value.rows(of: version, from: start, count: count)
    } catch {
      throw PageError(error)
    }
  }

  /// What a page shows of one episode.
  ///
  /// - Throws: ``PageError``.
  public func details(of rowID: Int64) async throws -> EpisodeDetails {
    do {
      return try await store.read { try EpisodeDetails(of: rowID, $0) }
    } catch {
      throw PageError(error)
    }
  }

  /// Fetches the chapters of an episode from their document.
  ///
  /// - Throws: ``PageError``.
  public func chapters(of rowID: Int64) async throws -> ChaptersMessage {
    do {
      return try await ChaptersMessage(of: store.read { try $0.episode(rowID) })
    } catch {
      throw PageError(error)
    }
  }

  /// Runs a command, and returns after its commit.
  ///
  /// - Throws: ``PageError``. The store is unchanged then.
  public func perform(_ command: PageRequest, body: Data = Data()) async throws -> CommandMessage {
    do {
      switch command {
      case .change(let rowID):
        let change = try EpisodeChange(body: body)
        return try await editing.perform { try $0.apply(change, to: rowID) }
      case .delete(let rowID): return try await editing.perform { try $0.delete(rowID) }
      case .undo: return try await editing.perform { try $0.perform(.undo) }
      case .redo: return try await editing.perform { try $0.perform(.redo) }
      case .setPosition:
        let change = try PositionChange(body: body)
        try await store.write { try $0.apply(change) }
        return CommandMessage()
      case .importFile: return try await importFile(body)
      case .importURL: return try await importFeed(at: FeedAddress(body: body).url)
      case .refresh(let podcast): return try await refresh(podcast)
      case .cancel(let id):
        guard activities.cancel(id) else {
          throw PageError(.notFound, "the activity has already ended")
        }
        return CommandMessage()
      case .file, .events, .podcasts, .rows, .details, .chapters:
        throw PageError(.invalidMethod, "this is not a command")
      }
    } catch {
      throw PageError(error)
    }
  }
}

extension StoreWriter {
  /// Remembers where the user stopped listening to an episode.
  fileprivate func apply(_ change: PositionChange) throws {
    let episodes = ModelRequest<Episode>().filter {
      $0.podcast == change.podcast && $0.id == change.episode
    }
    guard try reader.exists(episodes) else {
      throw PageError(.notFound, "the episode was deleted")
    }
    let position = PlayingPosition(
      podcast: change.podcast, episode: change.episode, seconds: change.seconds)
    if change.seconds > 0 { try save(position) } else { try delete([position]) }
  }
}

/// The limits and times of a service.
public struct ServiceConfiguration: Sendable {
  /// The maximum number of clients that follow lists.
  public var clientLimit = 4_000
  /// The maximum number of lists.
  public var listLimit = 100
  /// The time after which a list without clients ends.
  public var idleTime = Duration.seconds(60)
  /// The time after which clients of a list without changes receive a heartbeat.
  public var heartbeat = Duration.seconds(5)

  /// Creates a configuration with the default values.
  public init() {}
}

/// A client that receives events.
public protocol EventClient: Sendable {
  /// Waits for the next event.
  ///
  /// - Returns: Nil if there is no event for the time of a heartbeat.
  mutating func next() async throws -> ServerEvent?
}

/// A client of a list. The client leaves the list when it is released.
public struct ListClient: EventClient {
  let live: LiveList
  /// The version that the client knows.
  public private(set) var version: String?
  private let lease: ListLease
  private let discard: @Sendable () -> Void

  init(
    live: LiveList, version: String?, lease: ListLease, discard: @escaping @Sendable () -> Void
  ) {
    self.live = live
    self.version = version
    self.lease = lease
    self.discard = discard
  }

  /// Waits for the event that leads to the newest version.
  ///
  /// - Returns: Nil if nothing has changed for the time of a heartbeat.
  /// - Throws: An error of the store. The client then has to follow the list
  ///   again.
  public mutating func next() async throws -> ServerEvent? {
    do {
      let event = try await live.event(after: version)
      version = event?.version ?? version
      return event
    } catch {
      if await live.hasFailed { discard() }
      throw error
    }
  }
}

/// Calls a function when it is released.
final class ListLease: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}
