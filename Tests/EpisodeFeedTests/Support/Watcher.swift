import EpisodeFeed
import Foundation
import Moho
import TerminalScreen

/// Runs a ``WatchState`` on a store in memory without a terminal, and performs
/// its actions immediately.
struct Watcher {
  let store: ModelStore
  let controller: ResultsController<Episode>
  private(set) var state: WatchState
  private(set) var actions: [WatchAction] = []
  private let editor: EpisodeEditor
  private var now = Duration.zero
  private(set) var frame: Frame

  init(
    _ episodes: [Episode] = [], _ list: EpisodeList = EpisodeList(), width: Int = 60,
    height: Int = 12, bindings: KeyBindings = KeyBindings(), timeZone: TimeZone = .gmt
  ) throws {
    store = try ModelStore(inMemory: Episode.self)
    try store.write { _ = try $0.save(episodes) }
    controller = try list.controller(in: store)
    editor = EpisodeEditor(store)
    state = WatchState(
      list, controller.snapshot, size: TerminalSize(width: width, height: height),
      bindings: bindings, linger: .seconds(3), timeZone: timeZone)
    frame = state.frame()
  }

  /// Presses keys one after another.
  mutating func press(_ keys: Key...) async throws {
    for key in keys { try await handle(.key(key)) }
  }

  /// Types a text.
  mutating func type(_ text: String) async throws {
    for character in text { try await handle(.key(.character(character))) }
  }

  /// Handles an event, performs its actions, and draws a frame.
  mutating func handle(_ event: WatchEvent) async throws { try await handle([event]) }

  /// Handles events that arrive together, performs their actions, and draws a
  /// frame.
  mutating func handle(_ events: [WatchEvent]) async throws {
    var events = events
    while !events.isEmpty {
      for action in state.handle(events.removeFirst(), at: now) {
        actions.append(action)
        switch action {
        case .follow(let list):
          try list.apply(to: controller)
          events.append(.followed(.success(controller.snapshot.generation)))
        case .edit(let edit): events.append(.edited(edit, Result { try editor.perform(edit) }))
        case .open(let url): events.append(.opened(url, .success(())))
        case .findUnplayed(let list):
          events.append(.foundUnplayed(Result { try list.unplayedRowIDs(in: store) }))
        case .followPodcasts: events.append(.podcasts(.success(try await podcasts)))
        case .leavePodcasts, .refresh, .cancelRefresh, .suspend, .redraw, .quit: break
        }
      }
    }
    try await applyUpdate()
  }

  /// The podcasts in the store.
  var podcasts: PodcastCounts {
    get async throws {
      var values = store.observe(PodcastCounts.query).makeAsyncIterator()
      return PodcastCounts(try await values.next() ?? GroupsSnapshot())
    }
  }

  /// Changes the store like another program.
  mutating func write(_ body: @Sendable (StoreWriter) throws -> Void) async throws {
    try await store.write { try body($0) }
    try await applyUpdate()
  }

  /// Uses the mouse at a position of the terminal.
  mutating func mouse(_ kind: MouseEvent.Kind, line: Int, column: Int = 10) async throws {
    try await handle(.key(.mouse(MouseEvent(kind, line: line, column: column))))
  }

  /// Lets time pass.
  mutating func pass(_ time: Duration) {
    now += time
    _ = state.handle(.tick, at: now)
    frame = state.frame()
  }

  /// Applies a pending update of the list, and draws a frame.
  private mutating func applyUpdate() async throws {
    if controller.snapshot.generation > state.snapshot.generation {
      var updates = controller.updates(since: state.snapshot).makeAsyncIterator()
      if let update = try await updates.next() { _ = state.handle(.update(update), at: now) }
    }
    frame = state.frame()
  }

  /// The lines of the terminal without trailing spaces, and without the position
  /// bar in the last column.
  var lines: [String] {
    frame.lines.map { line in
      var text = line.text
      if line.width == state.size.width, text.hasSuffix("█") || text.hasSuffix("│") {
        text.removeLast()
      }
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// The position bar in the last column.
  var bar: String {
    String(frame.lines.compactMap { $0.text.last }.filter { "█│".contains($0) })
  }

  /// The lines between header and status.
  var rows: [String] { Array(lines.dropFirst().dropLast(2)).filter { !$0.isEmpty } }

  /// The selected lines: reversed lines other than the header.
  var selected: [String] {
    frame.lines.dropFirst().filter { $0.pieces.first?.style.isReversed == true }.map(\.text)
      .map { $0.trimmingCharacters(in: .whitespaces.union(["█", "│"])) }
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// The status line above the help line.
  var status: String { lines[lines.count - 2] }
}

extension Episode {
  /// Episodes with the given numbers. Each is one day older than the previous.
  static func numbered(_ numbers: some Sequence<Int>) -> [Episode] {
    numbers.map { Episode(id: "\($0)", title: "Episode \($0)", publishedAt: day(-$0)) }
  }

  /// Midnight of a day, counted from January 1, 2026.
  static func day(_ number: Int) -> Date {
    Date(timeIntervalSince1970: 1_767_225_600 + 86_400 * Double(number))
  }
}
