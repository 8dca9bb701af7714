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
    case .podcasts(let picker): return pick(key, picker)
    case .confirming(let isPlayed): return confirm(key, isPlayed: isPlayed)
    }
  }

  private mutating func browse(_ key: Key) -> [WatchAction] {
    if key == .escape { return goBack() }
    guard let command = bindings[key] else { return [] }
    if moveSelection(command) { return [] }
    switch command {
    case .quit: return [.quit]
    case .help: mode = .help(top: 0)
    case .toggleNotes: toggleNotes()
    case .scrollNotesDown: notes.scroll(by: 1)
    case .scrollNotesUp: notes.scroll(by: -1)
    case .showPodcasts: return showPodcasts()
    case .refresh: return toggleRefresh(of: list.podcast)
    case .changeOrder: return rearrange { $0.order = $0.order.next }
    case .changeSections: return rearrange { $0.sections = $0.sections.next }
    case .hidePlayed: return toggleHidingPlayed()
    case .nextUnplayed: return selectNextUnplayed()
    case .openPage: return openSelectedPage()
    case .search: mode = .filtering(LineEditor(list.search ?? ""))
    case .markAllPlayed: askToMarkAll(isPlayed: true)
    case .markAllUnplayed: askToMarkAll(isPlayed: false)
    case .undo: return [.edit(.undo)]
    case .redo: return [.edit(.redo)]
    default: return changeSelectedRow(command)
    }
    return []
  }

  /// Handles Esc: cancels a refresh, ends a search, or returns to the podcasts.
  private mutating func goBack() -> [WatchAction] {
    if refresh != nil { return cancelRefresh() }
    if list.search != nil { return search("") }
    return list.podcast == nil ? [] : showPodcasts()
  }

  private mutating func changeSelectedRow(_ command: KeyBindings.Command) -> [WatchAction] {
    guard let rowID = selection.rowID else { return [] }
    switch command {
    case .editTitle:
      guard let title = selectedEpisode?.title else { return [] }
      mode = .editing(rowID, LineEditor(title), isSaving: false)
      return [.edit(.begin(rowID))]
    case .togglePlayed: return [.edit(.togglePlayed(rowID))]
    case .delete: return [.edit(.delete(rowID))]
    default: return []
    }
  }

  /// Performs a command that selects another row.
  ///
  /// - Returns: Whether the command is one of them.
  private mutating func moveSelection(_ command: KeyBindings.Command) -> Bool {
    let page = max(1, listHeight - (snapshot.index.isSectioned ? 2 : 1))
    switch command {
    case .selectPrevious: moveSelection(by: -1)
    case .selectNext: moveSelection(by: 1)
    case .pageUp: moveSelection(by: -page, scrolls: true)
    case .pageDown: moveSelection(by: page, scrolls: true)
    case .selectFirst: select(0)
    case .selectLast: select(snapshot.count - 1)
    default: return false
    }
    return true
  }

  /// Scrolls the help screen. Other keys return to the list.
  private mutating func scrollHelp(_ key: Key, _ top: Int) -> [WatchAction] {
    switch bindings[key] {
    case .selectPrevious: mode = .help(top: top - 1)
    case .selectNext: mode = .help(top: top + 1)
    case .pageUp: mode = .help(top: top - layout.bodyHeight)
    case .pageDown: mode = .help(top: top + layout.bodyHeight)
    case let command:
      mode = .browsing
      return command == .quit ? [.quit] : []
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
      // The keys of characters are text here.
      if let command = bindings[key] { _ = moveSelection(command) }
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
