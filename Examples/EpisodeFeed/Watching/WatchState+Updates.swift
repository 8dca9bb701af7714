import Foundation
import Moho

extension WatchState {
  /// Displays the new state of the list. The selected row stays on its line if
  /// possible; a list that is scrolled to the top stays there.
  mutating func apply(_ update: ResultsUpdate<Episode>) {
    let isNewList = isFollowing || update.before.generation < followedGeneration
    // A new order shows how rows move. In the results of a search, all rows
    // would be marked as inserted or deleted.
    let isNewSearch = isNewList && !isReordered
    let line = window.line(of: selection.position, from: top, count: listHeight)
    if isNewSearch {
      recent.removeAll()
    } else {
      recent.record(update, displayed: displayed, until: now + linger)
    }
    snapshot = update.after
    reselect(from: update.before.index, isNewSearch: isNewSearch)
    let isAtTop =
      top == 0 && window.line(of: selection.position, from: 0, count: listHeight) != nil
    top = isAtTop ? 0 : window.top(showing: selection.position, atLine: line ?? 0)
    if case .editing(let rowID, _, let isSaving) = mode, !isSaving,
      snapshot.index.position(of: rowID) == nil
    {
      mode = .browsing
      showError(["another program deleted or changed the episode; it is no longer in the list"])
    }
  }

  /// Searches for a text; an empty text shows all episodes.
  mutating func search(_ text: String) -> [WatchAction] {
    list.search = text.isEmpty ? nil : text
    return requestList()
  }

  /// Changes the order or the sections of the list.
  mutating func rearrange(_ change: (inout EpisodeList) -> Void) -> [WatchAction] {
    change(&list)
    showMessage("order: \(list.arrangement)")
    return requestList()
  }

  /// Whether the requested list is not displayed yet.
  var isSearching: Bool { isFollowing || list != followed }

  /// Requests the wanted list, unless a request is still pending.
  mutating func requestList() -> [WatchAction] {
    guard list != followed, !isFollowing else { return [] }
    isFollowing = true
    isReordered =
      list.hasSameEpisodes(as: followed) && snapshot.generation >= followedGeneration
    followed = list
    return [.follow(list)]
  }

  /// Handles the result of a request for a list.
  mutating func finishFollowing(_ result: Result<Int, any Error>) -> [WatchAction] {
    isFollowing = false
    switch result {
    case .success(let generation):
      followedGeneration = generation
      confirmed = followed
    case .failure(let error):
      showError(Self.reasons(error))
      (list, followed) = (confirmed, confirmed)
    }
    return requestList()
  }

  /// Handles the result of opening a page.
  mutating func finishOpening(_ url: URL, _ result: Result<Void, any Error>) {
    switch result {
    case .success: showMessage("opened \(url.absoluteString)")
    case .failure(let error): showError(Self.reasons(error))
    }
  }

  /// Handles the result of an edit.
  mutating func finishEditing(
    _ edit: EpisodeEdit, _ result: Result<EpisodeEditor.Outcome, any Error>
  ) {
    switch (edit, result) {
    case (.begin, .success): break
    case (.begin, .failure(let error)):
      if case .editing = mode { mode = .browsing }
      showError(Self.reasons(error))
    case (.setTitle, .success(let outcome)):
      if case .editing = mode { mode = .browsing }
      showMessage(outcome.message)
    case (.setTitle, .failure(let error)):
      if case .editing(let rowID, let editor, _) = mode {
        mode = .editing(rowID, editor, isSaving: false)
      }
      let advice =
        error is ConflictError ? ["Enter saves your title anyway, Esc discards it"] : []
      showError(Self.reasons(error) + advice)
    case (_, .success(let outcome)):
      showMessage(outcome.message)
      // The restored row may be outside the visible part of the list.
      if [.undo, .redo].contains(edit), mode == .browsing { selectWhenPresent(outcome.rowID) }
    case (_, .failure(let error)): showError(Self.reasons(error))
    }
  }

  /// The lines of an error's description.
  static func reasons(_ error: any Error) -> [String] {
    "\(error)".split(separator: "\n").map(String.init)
  }
}
