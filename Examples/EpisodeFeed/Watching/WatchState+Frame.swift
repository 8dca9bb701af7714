import Moho
import TerminalScreen

extension WatchState {
  var layout: ScreenLayout {
    ScreenLayout(height: size.height, messageHeight: message?.lines.count ?? 1)
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
    var frame = Frame(lines: [])
    if layout.hasHeader { frame.lines.append(header) }
    let body = mode == .help ? WatchHelp.lines.map { StyledLine($0) } : drawList(&frame.cursor)
    frame.lines += body.prefix(layout.listHeight)
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

  private var header: StyledLine {
    let count = snapshot.count == 1 ? "1 episode" : "\(snapshot.count) episodes"
    var line = StyledLine(isSearching ? " searching" : " \(count)", Style(isBold: true))
    if let podcast = list.podcast { line.append(" of \(podcast)") }
    if let search = list.search {
      line.append(" \(isSearching ? "for" : "matching") “\(search)”")
    }
    if isSearching { line.append(" …") }
    let position = snapshot.isEmpty ? "" : "\(selection.position + 1)/\(snapshot.count) "
    let tally = recent.tally.map { $0.text.isEmpty ? "" : $0.text + "   " } ?? ""
    let right = StyledLine(tally + position)
    line = line.cut(to: max(0, size.width - right.width - 1))
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
        ["type to search titles and summaries", "Enter confirms", "Esc shows all"]
      case .editing(_, _, let isSaving):
        isSaving ? ["saving…"] : ["Enter saves", "Esc cancels"]
      case .help: ["press any key to return"]
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

/// How many lines the parts of the screen have. In a small terminal, the list
/// takes precedence, then messages, the help line and the header.
struct ScreenLayout {
  let hasHeader: Bool
  let hasHelp: Bool
  let listHeight: Int
  let statusHeight: Int

  /// - Parameter messageHeight: The number of lines of the message.
  init(height: Int, messageHeight: Int) {
    statusHeight = min(max(1, messageHeight), height / 2)
    let rest = height - statusHeight
    hasHelp = rest >= 3
    hasHeader = rest >= 4
    listHeight = max(0, rest - (hasHelp ? 1 : 0) - (hasHeader ? 1 : 0))
  }
}

/// The help texts of the screen.
enum WatchHelp {
  /// The entries of the help line, the most important first.
  static let browsing = [
    "? help", "q quit", "/ search", "e edit", "space played", "d delete", "u undo", "r redo",
    "↑↓ move",
  ]

  static let lines = [
    "",
    "  ↑ ↓  k j          select the previous, next row",
    "  PgUp PgDn         move a page up, down",
    "  Home End  g G     select the first, last row",
    "",
    "  /                 search titles and summaries as you type; Esc shows all",
    "  Enter  e          edit the title",
    "  space  p          mark as played or not played",
    "  d                 delete",
    "  u                 undo, any number of steps",
    "  r  Ctrl-R         redo",
    "",
    "  Ctrl-L  Ctrl-Z    redraw, suspend",
    "  q  Ctrl-C         quit",
    "",
    "  +  new   ~  changed   ↑ ↓  moved   ↑~ ↓~  moved and changed   −  deleted",
  ]
}
