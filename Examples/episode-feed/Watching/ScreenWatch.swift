import CommandSupport
import EpisodeFeed
import Foundation
import Moho
import TerminalScreen

/// Shows a list in a terminal until the user quits. It passes events to a
/// ``WatchState``, and performs the resulting actions.
final class ScreenWatch {
  private enum Message: Sendable {
    case event(WatchEvent)
    case signal(Signals.Kind)
    /// Bytes from the keyboard; empty at the end of the input.
    case bytes([UInt8])
    /// The alarm has gone off.
    case wake
    /// The process is in the background, and has received its pending signals.
    case background
    case failure(any Error)
  }

  private let controller: ResultsController<Episode>
  private let store: ModelStore
  private let session: ScreenSession
  private let mailbox = Mailbox<Message>()
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var state: WatchState
  private var decoder = KeyDecoder()
  private var alarm: Task<Void, any Error>?
  private var podcasts: Task<Void, Never>?
  private var refresh: Task<Void, Never>?
  /// The signal that ends the program.
  private var endingSignal: Signals.Kind?
  private var isOver = false

  /// The time to wait for the rest of a key's sequence.
  private static let escapeTime = Duration.milliseconds(50)
  /// The time to wait for further signals that arrive together.
  private static let signalTime = Duration.milliseconds(50)

  init(
    _ list: EpisodeList, in store: ModelStore, keys: KeyBindings, linger: Duration, usesMouse: Bool
  ) throws {
    self.store = store
    controller = try list.controller(in: store)
    session = try ScreenSession(Terminal.traits, usesMouse: usesMouse)
    start = clock.now
    state = WatchState(
      list, controller.snapshot, size: Self.size, bindings: keys, linger: linger)
  }

  /// Runs until the user quits, or until the process receives a signal to end.
  ///
  /// - Returns: The signal.
  func run() async throws -> Signals.Kind? {
    let (work, sink) = AsyncStream.makeStream(of: WatchAction.self)
    let tasks = tasks()
    let worker = worker(work)
    defer {
      for task in tasks + [worker, podcasts, refresh].compactMap({ $0 }) { task.cancel() }
      alarm?.cancel()
      session.close()
    }
    try openSession()
    try draw()
    while !isOver, let messages = await mailbox.take() {
      for message in messages {
        for action in try actions(for: message) {
          switch action {
          case .follow, .edit, .findUnplayed: sink.yield(action)
          case .open(let url): open(url)
          case .followPodcasts: followPodcasts()
          case .leavePodcasts: podcasts?.cancel()
          case .refresh(let podcast): startRefresh(of: podcast)
          case .cancelRefresh: refresh?.cancel()
          case .suspend: try session.suspend()
          case .redraw: session.invalidate()
          case .quit: isOver = true
          }
        }
      }
      if !isOver { try draw() }
    }
    session.close()
    sink.finish()
    await worker.value
    try checkLastEdits()
    return endingSignal
  }

  /// Throws the error of an edit that failed after the user quit.
  private func checkLastEdits() throws {
    for case .event(.edited(_, .failure(let error))) in mailbox.takeNow() { throw error }
  }

  private func actions(for message: Message) throws -> [WatchAction] {
    switch message {
    case .event(let event): return handle(event)
    case .signal(.resize): return handle(.resize(Self.size)) + [.redraw]
    // A process that is about to end does not stop.
    case .signal(.stop) where !isOver: return [.suspend]
    case .signal(.resume) where !isOver:
      try openSession()
      return try actions(for: .signal(.resize))
    case .signal(.stop), .signal(.resume): return [.quit]
    case .signal(let kind): return end(by: kind)
    case .background:
      if !isOver { session.stopInBackground() }
      return []
    case .bytes(let bytes):
      // At the end of the input, the terminal was closed.
      if bytes.isEmpty { return end(by: .hangUp) }
      return decoder.decode(bytes).flatMap { handle(.key($0)) }
    case .wake: return decoder.timeOut().flatMap { handle(.key($0)) } + handle(.tick)
    case .failure(let error): throw error
    }
  }

  /// Quits, and ends the process by a signal then.
  private func end(by signal: Signals.Kind) -> [WatchAction] {
    endingSignal = endingSignal ?? signal
    return [.quit]
  }

  /// Reports the numbers of episodes of the podcasts, now and when they change.
  private func followPodcasts() {
    podcasts?.cancel()
    podcasts = Task { [mailbox, store] in
      while !Task.isCancelled {
        do {
          for try await groups in store.observe(PodcastCounts.query) {
            mailbox.post(.event(.podcasts(.success(PodcastCounts(groups)))))
          }
        } catch {
          mailbox.post(.event(.podcasts(.failure(error))))
          // The store may be available again later.
          try? await Task.sleep(for: .seconds(1))
        }
      }
    }
  }

  /// Fetches the feeds of a podcast again, or all feeds, and reports the
  /// progress.
  private func startRefresh(of podcast: String?) {
    refresh = Task { [mailbox, store] in
      func post(_ step: RefreshStep) { mailbox.post(.event(.refreshing(step))) }
      do {
        let feeds = try await store.subscriptions(of: podcast)
        post(.began(count: feeds.count))
        try await FeedRefresher(store).refresh(feeds) { post(.finished($0)) }
        post(.ended(nil))
      } catch { post(.ended(error)) }
    }
  }

  /// Opens a page in the browser, and reports the result.
  private func open(_ url: URL) {
    Task { [mailbox] in
      do {
        try await WebBrowser.open(url)
        mailbox.post(.event(.opened(url, .success(()))))
      } catch { mailbox.post(.event(.opened(url, .failure(error)))) }
    }
  }

  /// Opens the session. If the process is in the background, stops the process
  /// after a short time, so that other pending signals can end it first.
  private func openSession() throws {
    if try session.open() { return }
    let time = clock.now + Self.signalTime
    Task { [mailbox] in
      try await Task.sleep(until: time, clock: .continuous)
      mailbox.post(.background)
    }
  }

  private static var size: TerminalSize {
    let (width, height) = Terminal.size ?? (80, 24)
    return TerminalSize(width: width, height: height)
  }

  private func handle(_ event: WatchEvent) -> [WatchAction] {
    state.handle(event, at: clock.now - start)
  }

  /// Draws the screen, and sets the alarm for the next time-dependent change.
  private func draw() throws {
    try session.draw(state.frame(), width: state.size.width)
    alarm?.cancel()
    let times = [
      state.nextChange.map { start + $0 }, decoder.isWaiting ? clock.now + Self.escapeTime : nil,
    ]
    guard let time = times.compactMap({ $0 }).min() else { return }
    alarm = Task { [mailbox] in
      try await Task.sleep(until: time, clock: .continuous)
      mailbox.post(.wake)
    }
  }

  /// The tasks that post messages.
  private func tasks() -> [Task<Void, Never>] {
    let (mailbox, controller) = (mailbox, controller)
    let snapshot = state.snapshot
    let signals = Signals.stream([.interrupt, .quit, .terminate, .stop, .hangUp, .resize, .resume])
    return [
      Task {
        do {
          try await controller.updates(since: snapshot).forEach { _ in
            mailbox.post(.event(.outage))
          } _: {
            mailbox.post(.event(.update($0)))
          }
        } catch { mailbox.post(.failure(error)) }
      },
      Task { for await kind in signals { mailbox.post(.signal(kind)) } },
      Task { for await bytes in Keyboard.stream() { mailbox.post(.bytes(bytes)) } },
    ]
  }

  /// The task that performs actions that may take time, one after another.
  private func worker(_ work: AsyncStream<WatchAction>) -> Task<Void, Never> {
    let (mailbox, controller, store) = (mailbox, controller, store)
    return Task {
      let editor = EpisodeEditor(store)
      for await action in work {
        switch action {
        case .follow(let list):
          let result = Result {
            try list.apply(to: controller)
            return controller.snapshot.generation
          }
          mailbox.post(.event(.followed(result)))
        case .edit(let edit):
          mailbox.post(.event(.edited(edit, Result { try editor.perform(edit) })))
        case .findUnplayed(let list):
          mailbox.post(.event(.foundUnplayed(Result { try list.unplayedRowIDs(in: store) })))
        default: break
        }
      }
    }
  }
}
