import Moho
import TerminalScreen

/// A click on a row, which may be the first of a double click.
struct Click: Hashable {
  /// What was clicked.
  enum Target: Hashable {
    case episode(rowID: Int64)
    case podcast(position: Int)
  }

  var target: Target
  var time: Duration
}

extension WatchState {
  /// The maximum time between the clicks of a double click.
  private static let doubleClickTime = Duration.milliseconds(500)
  /// The number of lines by which a step of the wheel scrolls.
  static let wheelStep = 3

  /// Handles an action of the mouse: a click selects, a double click opens the
  /// page, and the wheel scrolls.
  mutating func handle(_ event: MouseEvent) -> [WatchAction] {
    switch (mode, event.kind) {
    case (.help(let top), .wheelUp): mode = .help(top: top - Self.wheelStep)
    case (.help(let top), .wheelDown): mode = .help(top: top + Self.wheelStep)
    case (.help, .press): mode = .browsing
    case (.editing, _), (.confirming, _): break
    case (.podcasts(let picker), _): return pick(event, picker)
    case (_, .press): return click(event.position)
    case (_, .wheelUp): scroll(by: -Self.wheelStep, at: event.position)
    case (_, .wheelDown): scroll(by: Self.wheelStep, at: event.position)
    }
    return []
  }

  /// What the last frame showed at a position.
  private func area(at position: Frame.Position) -> ScreenLayout.Area {
    (displayedLayout ?? layout).area(at: position)
  }

  private mutating func click(_ position: Frame.Position) -> [WatchAction] {
    guard case .list(let line) = area(at: position), displayed.lines.indices.contains(line),
      let rowID = displayed.lines[line], let position = snapshot.index.position(of: rowID)
    else {
      lastClick = nil
      return []
    }
    let isDouble = isDoubleClick(on: .episode(rowID: rowID))
    select(position)
    return isDouble ? openSelectedPage() : []
  }

  /// Records a click, and returns whether it is the second one of a double
  /// click.
  mutating func isDoubleClick(on target: Click.Target) -> Bool {
    let isDouble =
      lastClick.map { $0.target == target && now - $0.time <= Self.doubleClickTime } ?? false
    lastClick = isDouble ? nil : Click(target: target, time: now)
    return isDouble
  }

  private mutating func scroll(by count: Int, at position: Frame.Position) {
    switch area(at: position) {
    case .list: scrollList(by: count)
    case .notes: notes.scroll(by: count)
    case .other: break
    }
  }

  /// Scrolls the list. The selection changes only if its row is no longer
  /// visible.
  private mutating func scrollList(by count: Int) {
    guard !snapshot.isEmpty else { return }
    let window = window
    let first = max(0, min(top + count, snapshot.count - 1))
    top = window.top(near: first, showing: first, count: listHeight)
    let positions = window.lines(from: top, count: listHeight).compactMap { line -> Int? in
      guard case .row(let position) = line else { return nil }
      return position
    }
    if let first = positions.first, selection.position < first { select(first) }
    if let last = positions.last, selection.position > last { select(last) }
  }
}
