import Foundation
import Moho
import TerminalScreen
import TextTables

extension WatchState {
  /// Handles a key in the current mode.
  mutating func handle(_ key: Key) -> [WatchAction] {
    if message?.isError == true { message = nil }
    switch key {
    case .mouse(let event): return handle(event)
    case .control("c"): return [.quit]
    case .control("z"): return [.suspend]
    case .control("l"): return [.redraw]
    default: break
    }
    switch mode {
    case .browsing: return browse(key)
    case .filtering(let editor): return filter(key, editor)
    case .editing(let rowID, let editor, let isSaving):
      return isSaving ? [] : edit(key, rowID, editor)
    case .help(let top): return scrollHelp(key, top)
    }
  }

  private mutating func browse(_ key: Key) -> [WatchAction] {
    if moveSelection(key) { return [] }
    switch key {
    case .character("q"): return [.quit]
    case .character("?"): mode = .help(top: 0)
    case .character("n"): toggleNotes()
    case .character("J"): notes.scroll(by: 1)
    case .character("K"): notes.scroll(by: -1)
    case .character("s"): return rearrange { $0.order = $0.order.next }
    case .character("S"): return rearrange { $0.sections = $0.sections.next }
    case .character("o"), .enter: return openSelectedPage()
    case .character("/"): mode = .filtering(LineEditor(list.search ?? ""))
    case .escape: return list.search == nil ? [] : search("")
    case .character("u"): return [.edit(.undo)]
    case .character("r"), .control("r"): return [.edit(.redo)]
    default: return changeSelectedRow(key)
    }
    return []
  }

  private mutating func changeSelectedRow(_ key: Key) -> [WatchAction] {
    guard let rowID = selection.rowID else { return [] }
    switch key {
    case .character("e"):
      guard let title = selectedEpisode?.title else { return [] }
      mode = .editing(rowID, LineEditor(title), isSaving: false)
      return [.edit(.begin(rowID))]
    case .character(" "), .character("p"): return [.edit(.togglePlayed(rowID))]
    case .character("d"), .delete: return [.edit(.delete(rowID))]
    default: return []
    }
  }

  /// Handles the keys that select another row.
  ///
  /// - Returns: Whether the key is one of them.
  private mutating func moveSelection(_ key: Key) -> Bool {
    let page = max(1, listHeight - (snapshot.index.isSectioned ? 2 : 1))
    switch key {
    case .up, .character("k"), .control("p"): moveSelection(by: -1)
    case .down, .character("j"), .control("n"): moveSelection(by: 1)
    case .pageUp, .control("b"): moveSelection(by: -page, scrolls: true)
    case .pageDown, .control("f"): moveSelection(by: page, scrolls: true)
    case .home, .character("g"): select(0)
    case .end, .character("G"): select(snapshot.count - 1)
    default: return false
    }
    return true
  }

  /// Scrolls the help screen. Other keys return to the list.
  private mutating func scrollHelp(_ key: Key, _ top: Int) -> [WatchAction] {
    switch key {
    case .up, .character("k"): mode = .help(top: top - 1)
    case .down, .character("j"): mode = .help(top: top + 1)
    case .pageUp: mode = .help(top: top - layout.bodyHeight)
    case .pageDown: mode = .help(top: top + layout.bodyHeight)
    default:
      mode = .browsing
      return key == .character("q") ? [.quit] : []
    }
    return []
  }

  /// Shows or hides the show notes.
  private mutating func toggleNotes() {
    let isShown = layout.notes != nil
    notes.isRequested = !isShown
    if !isShown, layout.notes == nil {
      showError(["the terminal is too small for the show notes"])
    }
  }

  /// Opens the web page of the selected episode. Feeds may have addresses of
  /// other kinds, which programs other than a browser would open.
  mutating func openSelectedPage() -> [WatchAction] {
    guard let episode = selectedEpisode else { return [] }
    guard let url = episode.url else {
      showError(["the episode has no web page"])
      return []
    }
    guard url.isWebPage else {
      showError(["not the address of a web page: \(VisibleText.quoted(url.absoluteString))"])
      return []
    }
    return [.open(url)]
  }

  private mutating func filter(_ key: Key, _ editor: LineEditor) -> [WatchAction] {
    switch key {
    case .enter:
      mode = .browsing
      return []
    case .escape:
      mode = .browsing
      return search("")
    case .up, .down, .pageUp, .pageDown:
      _ = moveSelection(key)
      return []
    default:
      var editor = editor
      guard editor.handle(key) else { return [] }
      mode = .filtering(editor)
      return search(editor.text)
    }
  }

  private mutating func edit(
    _ key: Key, _ rowID: Int64, _ editor: LineEditor
  ) -> [WatchAction] {
    switch key {
    case .enter:
      mode = .editing(rowID, editor, isSaving: true)
      return [.edit(.setTitle(rowID, editor.text))]
    case .escape:
      mode = .browsing
    default:
      var editor = editor
      if editor.handle(key) { mode = .editing(rowID, editor, isSaving: false) }
    }
    return []
  }
}

extension CaseIterable where Self: Equatable {
  /// The next case; the first after the last.
  fileprivate var next: Self {
    let cases = Array(Self.allCases)
    let index = cases.firstIndex(of: self).map { $0 + 1 } ?? 0
    return index < cases.count ? cases[index] : cases.first ?? self
  }
}

extension URL {
  /// Whether the URL has the scheme `http` or `https`, and a host.
  fileprivate var isWebPage: Bool {
    isHTTP && host()?.isEmpty == false
  }
}
