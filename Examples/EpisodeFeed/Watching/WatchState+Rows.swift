import Moho
import TerminalScreen
import TextTables

extension WatchState {
  /// The lines of the list.
  mutating func drawList(_ cursor: inout Frame.Position?) -> [StyledLine] {
    guard !snapshot.isEmpty else {
      displayed = DisplayedRows()
      bar = nil
      return emptyListLines.map { StyledLine($0) }
    }
    let window = window
    top = window.top(near: top, showing: selection.position, count: listHeight)
    let lines = window.lines(from: top, count: listHeight)
    bar = bar(lines)
    var rows = DisplayedRows()
    let headerHeight = layout.headerHeight
    let contents = lines.map { line -> Content in
      guard case .row(let position) = line else { return .unknown }
      let rowID = snapshot.index.rowIDs[position]
      let content = content(of: rowID, at: position)
      rows.order.append(rowID)
      if case .episode(let episode) = content {
        rows.episodes[rowID] = episode
        columns.widen(for: episode)
      }
      return content
    }
    rows.lines = lines.map { line in
      guard case .row(let position) = line else { return nil }
      return snapshot.index.rowIDs[position]
    }
    displayed = rows
    return zip(lines, contents).enumerated().map { number, line -> StyledLine in
      switch line.0 {
      case .heading(let section): heading(section)
      case .deleted(let number): deletedRow(recent.deletedRows[number])
      case .row(let position):
        row(at: position, line.1) {
          cursor = Frame.Position(line: number + headerHeight, column: $0)
        }
      }
    }
  }

  /// The content of a row.
  private enum Content {
    /// The content is not available yet.
    case unknown
    case episode(Episode)
    /// The row is not a valid episode, for this reason.
    case unreadable(String)
  }

  private func content(of rowID: Int64, at position: Int) -> Content {
    guard let path = snapshot.index.path(atPosition: position) else { return .unknown }
    do {
      return .episode(try snapshot.model(at: path))
    } catch is ResultsError {
      // The row has changed since the snapshot. Display its last content until
      // the update arrives.
      return displayed.episodes[rowID].map { .episode($0) } ?? .unknown
    } catch {
      return .unreadable(Self.reasons(error).joined(separator: "; "))
    }
  }

  /// Narrower lists have no position bar.
  static let minimumBarWidth = 20

  /// The position bar of a list with these lines.
  private func bar(_ lines: [ListWindow.Line]) -> PositionBar? {
    let positions = lines.compactMap { line -> Int? in
      if case .row(let position) = line { position } else { nil }
    }
    guard layout.listWidth >= Self.minimumBarWidth, let first = positions.first,
      let last = positions.last
    else { return nil }
    return PositionBar(height: listHeight, visible: first..<last + 1, count: snapshot.count)
  }

  /// The width of a row in columns. The position bar is part of the line between
  /// the list and the show notes if they are next to each other. Otherwise, it
  /// takes one column.
  var listWidth: Int {
    if case .beside = layout.notes { return layout.listWidth }
    return layout.listWidth - (bar == nil ? 0 : 1)
  }

  private var emptyListLines: [String] {
    if let search = list.search { return ["", "  No episodes match “\(search)”."] }
    if list.hidesPlayed { return ["", "  All episodes are played."] }
    if list.podcast != nil { return ["", "  The podcast has no episodes."] }
    return [
      "", "  No episodes. Import a feed from another terminal:", "  episode-feed import FILE",
    ]
  }

  private func heading(_ section: Int) -> StyledLine {
    let name = list.heading(of: snapshot.index.sectionKey(at: section) ?? .all) ?? ""
    let count = snapshot.index.rowCount(inSection: section)
    let unplayed = UnplayedSummary(snapshot.sections[section].summary)?.text(among: count) ?? ""
    var line = StyledLine(" \(name)", Style(.blue, isBold: true))
    line.append("  \(count)", Style(isDim: true))
    if !unplayed.isEmpty { line.append("  \(unplayed)", Style(isDim: true)) }
    return line
  }

  private func deletedRow(_ row: RecentChanges.DeletedRow) -> StyledLine {
    let mark = RowMark(movement: .deleted)
    var line = StyledLine(" \(mark.text)  ", mark.style)
    line.append(text(of: row.episode), Style(.red, isDim: true))
    return line
  }

  private func row(
    at position: Int, _ content: Content, setCursor: (Int) -> Void
  ) -> StyledLine {
    let rowID = snapshot.index.rowIDs[position]
    let mark = recent.mark(of: rowID)
    var line = StyledLine(" ")
    line.append(mark?.text ?? "  ", mark?.style ?? .plain)
    switch content {
    case .unknown: line.append("  …", Style(isDim: true))
    case .unreadable(let reason): line.append("  \(reason)", Style(.red))
    case .episode(let episode):
      if case .editing(rowID, let editor, _) = mode {
        return editing(episode, editor, line, setCursor)
      }
      line.append(episode.isPlayed ? "✓ " : "  ", Style(.green))
      let isPaid = episode.kind == .paid
      line.append(
        text(of: episode), Style(isPaid ? .yellow : nil, isDim: episode.isPlayed))
    }
    guard position == selection.position else { return line }
    line = line.cut(to: listWidth)
    line.fill(to: listWidth)
    return line.styled { style in
      style.isReversed = true
      style.isDim = false
    }
  }

  private func editing(
    _ episode: Episode, _ editor: LineEditor, _ start: StyledLine, _ setCursor: (Int) -> Void
  ) -> StyledLine {
    var line = start
    line.append("  " + columns.leading(episode, width: listWidth, timeZone), Style(isBold: true))
    let room = max(1, listWidth - line.width)
    let (text, cursor) = editor.window(width: room)
    setCursor(min(line.width + cursor, listWidth - 1))
    var field = StyledLine(text, Style(isUnderlined: true))
    field.fill(to: room, Style(isUnderlined: true))
    line.append(field)
    return line
  }

  private func text(of episode: Episode) -> String {
    columns.leading(episode, width: listWidth, timeZone)
      + VisibleText.escaped(EpisodeText.title(episode))
  }
}
