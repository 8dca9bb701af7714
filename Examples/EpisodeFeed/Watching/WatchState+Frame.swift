import Moho
import TerminalScreen

extension WatchState {
  var layout: ScreenLayout {
    ScreenLayout(height: size.height, messageHeight: message?.lines.count ?? 1)
  }

  /// How many lines the list has.
  var listHeight: Int { layout.listHeight }

  /// The lines of the list. There are at most so many beside rows that the
  /// selected one has its place.
  var window: ListWindow {
    let height = listHeight
    return ListWindow(
      index: snapshot.index, isHeaded: snapshot.index.isSectioned && height > 2,
      ghosts: recent.places(in: snapshot.index, limit: max(0, height - 2) / 2))
  }

  /// What the terminal shows now.
  ///
  /// - Complexity: Reads as many rows as fit, in batches that the snapshot keeps.
  public mutating func frame() -> Frame {
    let layout = layout
    var frame = Frame(lines: [])
    if layout.hasHeader { frame.lines.append(header) }
    let body = mode == .help ? WatchHelp.lines.map { StyledLine($0) } : drawList(&frame.cursor)
    frame.lines += body.prefix(layout.listHeight)
    let filled = size.height - layout.statusHeight - (layout.hasHelp ? 1 : 0)
    while frame.lines.count < filled { frame.lines.append(StyledLine()) }
    let (status, column) = status
    if let column, layout.statusHeight > 0 {
      frame.cursor = Frame.Place(line: frame.lines.count, column: column)
    }
    frame.lines += (status + Array(repeating: StyledLine(), count: layout.statusHeight))
      .prefix(layout.statusHeight)
    if layout.hasHelp { frame.lines.append(StyledLine(helpLine, Style(isDim: true))) }
    frame.lines = frame.lines.map { $0.cut(to: size.width) }
    return frame
  }

  private var header: StyledLine {
    let count = snapshot.count == 1 ? "1 episode" : "\(snapshot.count) episodes"
    var line = StyledLine(isSearching ? " searching" : " \(count)", Style(isBold: true))
    if let podcast = list.podcast { line.append(" of \(podcast)") }
    if let search = list.search { line.append(" \(isSearching ? "for" : "with") “\(search)”") }
    if isSearching { line.append(" …") }
    let place = snapshot.isEmpty ? "" : "\(selection.position + 1)/\(snapshot.count) "
    let tally = recent.tally.map { $0.text.isEmpty ? "" : $0.text + "   " } ?? ""
    let right = StyledLine(tally + place)
    line = line.cut(to: max(0, size.width - right.width - 1))
    line.fill(to: size.width - right.width)
    line.append(right)
    return line.styled { $0.isReversed = true }
  }

  /// What is said at the bottom, and the column of the cursor in it.
  private var status: ([StyledLine], cursor: Int?) {
    if case .filtering(let editor) = mode {
      let (text, cursor) = editor.window(width: max(1, size.width - 1))
      return ([StyledLine("/\(text)", Style(isBold: true))], min(cursor + 1, size.width - 1))
    }
    if let message {
      let style = message.isError ? Style(.red, isBold: true) : .plain
      return (message.lines.map { StyledLine(" \($0)", style) }, nil)
    }
    if list.search != nil, mode == .browsing {
      return ([StyledLine(" Esc shows all episodes", Style(isDim: true))], nil)
    }
    return ([StyledLine()], nil)
  }

  private var helpLine: String {
    let keys =
      switch mode {
      case .browsing: WatchHelp.browsing
      case .filtering:
        ["type to search titles and summaries", "Enter keeps the search", "Esc shows all"]
      case .editing(_, _, let isSaving):
        isSaving ? ["saving…"] : ["Enter saves", "Esc cancels"]
      case .help: ["any key returns"]
      }
    // Whole ones, as many as there is room for.
    var line = ""
    for key in keys {
      let longer = line.isEmpty ? " \(key)" : "\(line) · \(key)"
      if !line.isEmpty, longer.count > size.width { break }
      line = longer
    }
    return line
  }
}
