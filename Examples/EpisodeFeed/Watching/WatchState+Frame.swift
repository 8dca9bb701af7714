import Moho
import TerminalScreen
import TextTables

extension WatchState {
  var layout: ScreenLayout {
    ScreenLayout(
      size, messageHeight: message?.lines.count ?? 1,
      hasNotes: isPickingPodcast ? false : notes.isRequested)
  }

  private var isPickingPodcast: Bool {
    if case .podcasts = mode { true } else { false }
  }

  /// The number of lines for the list.
  var listHeight: Int { layout.listHeight }

  /// The lines of the list. The number of deleted rows is limited so that the
  /// selected row remains visible.
  var window: ListWindow {
    let height = listHeight
    return ListWindow(
      index: snapshot.index, hasHeadings: snapshot.index.isSectioned && height > 2,
      deletedRows: recent.deletedRowPositions(
        in: snapshot.index, limit: max(0, height - 2) / 2))
  }

  /// The current contents of the terminal.
  ///
  /// - Complexity: Reads the visible rows, in batches that the snapshot caches.
  public mutating func frame() -> Frame {
    let layout = layout
    displayedLayout = layout
    var frame = Frame(lines: [])
    if layout.hasHeader { frame.lines.append(header) }
    switch mode {
    case .help(let top): frame.lines += helpLines(from: top, count: layout.bodyHeight)
    case .podcasts(let picker): frame.lines += drawPodcasts(picker)
    default: frame.lines += body(layout, &frame.cursor)
    }
    let filled = size.height - layout.statusHeight - (layout.hasHelp ? 1 : 0)
    while frame.lines.count < filled { frame.lines.append(StyledLine()) }
    let (status, column) = status
    if let column, layout.statusHeight > 0 {
      frame.cursor = Frame.Position(line: frame.lines.count, column: column)
    }
    frame.lines += (status + Array(repeating: StyledLine(), count: layout.statusHeight))
      .prefix(layout.statusHeight)
    if layout.hasHelp { frame.lines.append(StyledLine(helpLine, Style(isDim: true))) }
    frame.lines = frame.lines.map { $0.cut(to: size.width) }
    return frame
  }

  /// The list and the show notes.
  private mutating func body(
    _ layout: ScreenLayout, _ cursor: inout Frame.Position?
  ) -> [StyledLine] {
    var list = Array(drawList(&cursor).prefix(layout.listHeight))
    guard let notesSize = layout.notesSize else { return addingBar(to: list, layout) }
    let episode = selection.rowID.flatMap { displayed.episodes[$0] }
    let text = notes.draw(episode, selection.rowID, size: notesSize, timeZone: timeZone)
    while list.count < layout.listHeight { list.append(StyledLine()) }
    let dim = Style(isDim: true)
    if case .below = layout.notes {
      let border = String(repeating: "─", count: layout.size.width)
      return addingBar(to: list, layout) + [StyledLine(border, dim)]
        + text.map { line in
          var shown = StyledLine(" ")
          shown.append(line)
          return shown
        }
    }
    return list.enumerated().map { number, line in
      var shown = line.cut(to: layout.listWidth)
      shown.fill(to: layout.listWidth)
      shown.append(bar?.piece(number) ?? StyledLine("│", dim))
      shown.append(" ")
      if number < text.count { shown.append(text[number]) }
      return shown
    }
  }

  /// The lines of the list with the position bar in the last column.
  private func addingBar(to lines: [StyledLine], _ layout: ScreenLayout) -> [StyledLine] {
    guard let bar else { return lines }
    return (0..<layout.listHeight).map { number in
      var line = number < lines.count ? lines[number].cut(to: listWidth) : StyledLine()
      line.fill(to: listWidth)
      line.append(bar.piece(number))
      return line
    }
  }

  /// The visible lines of the help. The terminal may be smaller than the help.
  private mutating func helpLines(from top: Int, count: Int) -> [StyledLine] {
    let help = WatchHelp.lines(bindings)
    let top = max(0, min(top, help.count - count))
    mode = .help(top: top)
    var lines = help[top...].prefix(count).map { StyledLine($0) }
    let rest = help.count - top - lines.count
    if rest > 0, lines.count > 2 {
      lines[lines.count - 1] = StyledLine("  ↓ \(rest + 1) more lines", Style(isDim: true))
    }
    return lines
  }

  private var header: StyledLine {
    if case .podcasts(let picker) = mode {
      let (left, right) = podcastHeader(picker)
      var line = StyledLine(left, Style(isBold: true)).cut(to: max(0, size.width - right.count - 1))
      line.fill(to: size.width - right.count)
      line.append(right)
      return line.styled { $0.isReversed = true }
    }
    let kind = list.hidesPlayed ? "unplayed episode" : "episode"
    let count = "\(snapshot.count) \(kind)\(snapshot.count == 1 ? "" : "s")"
    let isSorting = self.isSearching && list.hasSameEpisodes(as: confirmed)
    let isSearching = self.isSearching && !isSorting
    var line = StyledLine(
      isSearching
        ? list.search == nil ? " loading" : " searching" : (isSorting ? " sorting " : " ") + count,
      Style(isBold: true))
    if let podcast = list.podcast {
      let preposition = isSearching ? "" : " of"
      line.append(
        podcast.isEmpty ? " without a podcast" : "\(preposition) \(VisibleText.escaped(podcast))")
    }
    if let search = list.search {
      line.append(" \(isSearching ? "for" : "matching") “\(VisibleText.escaped(search))”")
    }
    if isSearching { line.append(" …") }
    let position = snapshot.isEmpty ? "" : "\(selection.position + 1)/\(snapshot.count) "
    let tally = recent.tally.map { tally in
      let text = tally.text(deleted: list.hidesPlayed ? "removed" : "deleted")
      return text.isEmpty ? "" : text + "   "
    }
    let right = StyledLine((tally ?? "") + position)
    let room = max(0, size.width - right.width - 1)
    line = line.cut(to: room)
    // The order is omitted if it does not fit.
    let sections = list.sections == .none ? "" : " by \(list.sections.rawValue)"
    for text in isSearching ? [] : [sections, ", \(list.order.text)"]
    where line.width + TextWidth.of(text) <= room {
      line.append(text)
    }
    line.fill(to: size.width - right.width)
    line.append(right)
    return line.styled { $0.isReversed = true }
  }

  /// The status lines, and the column of the cursor in the first one.
  private var status: ([StyledLine], cursor: Int?) {
    if case .filtering(let editor) = mode {
      let (text, cursor) = editor.window(width: max(1, size.width - 1))
      return ([StyledLine("/\(text)", Style(isBold: true))], min(cursor + 1, size.width - 1))
    }
    if case .confirming(let isPlayed) = mode {
      return ([StyledLine(" \(question(isPlayed: isPlayed))", Style(isBold: true))], nil)
    }
    if let message {
      let style = message.isError ? Style(.red, isBold: true) : .plain
      return (message.lines.map { StyledLine(" \($0)", style) }, nil)
    }
    if let refresh { return ([StyledLine(" \(refresh.status)")], nil) }
    if isOffline {
      let text = " The server of the store is not available. Trying again…"
      return ([StyledLine(text, Style(.red, isBold: true))], nil)
    }
    if list.search != nil, mode == .browsing {
      return ([StyledLine(" Esc shows all episodes", Style(isDim: true))], nil)
    }
    return ([StyledLine()], nil)
  }

  private var helpLine: String {
    let keys =
      switch mode {
      case .browsing: WatchHelp.browsing(bindings)
      case .filtering:
        ["type to search titles and summaries", "Enter confirms", "Esc shows all"]
      case .editing(_, _, let isSaving):
        isSaving ? ["saving…"] : ["Enter saves", "Esc cancels"]
      case .help: ["↑↓ scroll", "any other key returns"]
      case .podcasts: ["Enter shows the episodes", "Esc returns"] + WatchHelp.podcasts(bindings)
      case .confirming: ["y confirms", "other characters cancel"]
      }
    // Only whole entries, as many as fit.
    var line = ""
    for key in keys {
      let longer = line.isEmpty ? " \(key)" : "\(line) · \(key)"
      if !line.isEmpty, longer.count > size.width { break }
      line = longer
    }
    return line
  }
}
