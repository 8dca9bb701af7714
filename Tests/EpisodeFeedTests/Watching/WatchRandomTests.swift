import Campaigns
import Foundation
import Moho
import TerminalScreen
import Testing
import TextTables

@testable import EpisodeFeed

/// Random keys, mouse actions, sizes and updates.
@Suite struct WatchRandomTests {
  /// Texts of all kinds of characters, and a text that controls terminals.
  private static let texts = [
    "", " ", "Loess", "日本語のタイトル", "e\u{301}e\u{301}\u{301}", "👩\u{200D}🔬 🇩🇪 🎙", "مرحبا",
    "\u{301}x", "a" + String(repeating: "\u{301}", count: 500),
    "\u{1B}[2J\u{9B}31m\r\n\u{202E}\u{2028}\u{FEFF}",
    String(repeating: "ab 日", count: 60),
  ]
  private static let keys: [Key] =
    "qjkgGeodpur/?nJKsSxé日 \u{301}NHPPPhAUyR".map { .character($0) } + [
      .enter, .tab, .backTab, .backspace, .delete, .escape, .up, .down, .left, .right, .home, .end,
      .pageUp, .pageDown, .control("c"), .control("l"), .control("r"), .control("u"),
      .control("z"), .control("w"), .alternate("x"), .paste("a\u{1B}\n日"),
    ]

  private var random: Numbers
  private let seed: UInt64

  init() {
    seed = UInt64.random(in: 0 ... .max)
    random = Numbers(state: seed)
  }

  private mutating func episode() -> Episode {
    let text = { (numbers: inout Numbers) in numbers.pick(Self.texts) ?? "" }
    let urls = ["https://example.com/1", "file:///x", "javascript:x"]
    let number = random.below(30)
    return Episode(
      id: random.below(6) == 0 ? "id \(number) \(text(&random))" : "\(number)",
      title: text(&random), summary: random.below(2) == 0 ? nil : text(&random),
      contentText: random.below(3) == 0 ? text(&random) : nil,
      contentHTML: random.below(2) == 0 ? "<p>\(text(&random))<ul><li>\(text(&random))" : nil,
      kind: random.below(2) == 0 ? .free : .paid,
      publishedAt: random.below(5) == 0 ? nil : Episode.day(-random.below(60)),
      url: random.pick(urls).flatMap { URL(string: $0) },
      duration: random.below(3) == 0 ? nil : Double(random.below(9_000)),
      season: random.below(3) == 0 ? nil : random.below(3),
      podcast: random.below(4) == 0 ? text(&random) : "Deep Time", isPlayed: random.below(2) == 0)
  }

  private mutating func step(_ watcher: inout Watcher) async throws -> String {
    let size = watcher.state.size
    switch random.below(13) {
    case 0:
      let widths = [1, 2, 3, 7, 16, 20, 28, 40, 60, 80, 99, 100, 120, 200]
      let size = TerminalSize(
        width: random.pick(widths) ?? 80, height: 1 + random.below(random.below(2) == 0 ? 10 : 45))
      try await watcher.handle(.resize(size))
      return "size \(size.width)×\(size.height)"
    case 1, 2:
      let episodes = (0..<random.below(6)).map { _ in episode() }
      let deleted = (0..<random.below(4)).map { _ in "\(random.below(30))" }
      try await watcher.write { writer in
        _ = try writer.save(episodes)
        _ = try writer.delete(deleted.map { Episode(id: $0, podcast: "Deep Time") })
      }
      return "save \(episodes.map(\.id)), delete \(deleted)"
    case 3:
      watcher.pass(.milliseconds(random.below(4_000)))
      return "time"
    case 4:
      return try await refresh(&watcher)
    case 5, 6, 7:
      let kind = random.pick([MouseEvent.Kind.press, .press, .wheelUp, .wheelDown]) ?? .press
      let (line, column) = (random.below(size.height + 3) - 1, random.below(size.width + 3) - 1)
      try await watcher.mouse(kind, line: line, column: column)
      if random.below(3) == 0 { try await watcher.mouse(kind, line: line, column: column) }
      return "\(kind) at \(line), \(column)"
    default:
      let key = random.pick(Self.keys) ?? .enter
      try await watcher.press(key)
      return "\(key)"
    }
  }

  /// A step of a refresh, also if no refresh is running.
  private mutating func refresh(_ watcher: inout Watcher) async throws -> String {
    struct Failure: Error {}
    let text = random.pick(Self.texts) ?? ""
    let outcomes: [FeedRefresher.Outcome] = [
      .unchanged, .failed(Failure()), .failed(FeedError(.emptyFeed, text)),
      .imported(ImportReport(inserted: 3), Feed(text, episodes: [])),
    ]
    let url = URL(filePath: "/")
    let steps: [RefreshStep] = [
      .began(count: random.below(9)), .ended(nil), .ended(Failure()), .ended(CancellationError()),
    ]
    let results = outcomes.map { outcome in
      RefreshStep.finished(
        FeedRefresher.Result(
          subscription: FeedSubscription(url: url, podcast: text), outcome: outcome))
    }
    let step = random.pick(steps + results + results) ?? .ended(nil)
    try await watcher.handle(.refreshing(step))
    return "\(step)"
  }

  /// The reasons why the frame is not correct.
  private func mistakes(in watcher: Watcher) -> [String] {
    let (state, frame) = (watcher.state, watcher.frame)
    var mistakes: [String] = []
    if frame.lines.count != state.size.height { mistakes.append("\(frame.lines.count) lines") }
    for line in frame.lines where line.width > state.size.width || line.width < 0 {
      mistakes.append("\(line.width) columns: \(line.text)")
    }
    for line in frame.lines where VisibleText.escaped(line.text) != line.text {
      mistakes.append("not escaped: \(line.text.debugDescription)")
    }
    if let cursor = frame.cursor,
      !(0..<state.size.width).contains(cursor.column)
        || !(0..<state.size.height).contains(cursor.line)
    {
      mistakes.append("cursor at \(cursor)")
    }
    let marked = frame.lines.dropFirst(state.layout.headerHeight)
      .count { $0.pieces.first?.style.isReversed == true }
    if case .podcasts = state.mode {
      if marked != 1 { mistakes.append("\(marked) selected podcasts") }
      return mistakes
    }
    guard !state.snapshot.isEmpty else { return mistakes }
    let position = state.selection.rowID.flatMap { state.snapshot.index.position(of: $0) }
    if position != state.selection.position { mistakes.append("wrong selection") }
    if case .help = state.mode { return mistakes }
    guard let line = state.displayed.lines.firstIndex(of: state.selection.rowID),
      line < state.listHeight
    else { return mistakes + ["the selection is not visible"] }
    let shown = frame.lines[line + state.layout.headerHeight]
    if case .editing = state.mode { return mistakes }
    if shown.pieces.first?.style.isReversed != true {
      mistakes.append("the selection is not highlighted: \(shown.text)")
    }
    return mistakes
  }

  @Test(.timeLimit(.minutes(20)))
  mutating func theFrameFitsAndShowsTheSelectionAfterAnyEvent() async throws {
    for round in 0..<Campaign.count(short: 3, full: 36) {
      let episodes = (0..<random.below(40)).map { _ in episode() }
      var watcher = try Watcher([], width: 80, height: 24)
      try await watcher.write { _ = try $0.save(episodes) }
      var steps: [String] = []
      for _ in 0..<120 {
        steps.append(try await step(&watcher))
        let mistakes = mistakes(in: watcher)
        #expect(mistakes == [], "seed \(seed), round \(round): \(steps.suffix(8))")
        if !mistakes.isEmpty { return }
      }
    }
  }
}

/// Numbers that depend on a seed.
private struct Numbers {
  var state: UInt64

  mutating func below(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % max(1, limit)
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[below(elements.count)]
  }
}
