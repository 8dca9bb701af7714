import Moho

extension WatchState {
  /// Takes over another state of the list. The selected row stays on its line
  /// where it can; a list that shows its beginning goes on doing so.
  mutating func take(_ update: ResultsUpdate<Episode>) {
    let isOfSearch = isFollowing || update.before.generation < followedGeneration
    let line = window.line(of: selection.position, from: top, count: listHeight)
    if isOfSearch {
      // All rows would be new or gone.
      recent.forget()
    } else {
      recent.note(update, shown: shown, until: now + linger)
    }
    snapshot = update.after
    reselect(from: update.before.index, isOfSearch: isOfSearch)
    let showsBeginning =
      top == 0 && window.line(of: selection.position, from: 0, count: listHeight) != nil
    top = showsBeginning ? 0 : window.top(showing: selection.position, atLine: line ?? 0)
    if case .editing(let rowID, _, let isSaving) = mode, !isSaving,
      snapshot.index.position(of: rowID) == nil
    {
      mode = .browsing
      complain(["the episode is gone: another program has deleted or changed it"])
    }
  }

  /// Searches for a text from now on.
  mutating func search(_ text: String) -> [WatchAction] {
    list.search = text.isEmpty ? nil : text
    return followWanted()
  }

  /// Whether what is shown is not yet what is wanted.
  var isSearching: Bool { isFollowing || list != followed }

  /// Asks for the list that is wanted, one request at a time.
  private mutating func followWanted() -> [WatchAction] {
    guard list != followed, !isFollowing else { return [] }
    isFollowing = true
    followed = list
    return [.follow(list)]
  }

  mutating func follow(_ result: Result<Int, any Error>) -> [WatchAction] {
    isFollowing = false
    switch result {
    case .success(let generation):
      followedGeneration = generation
      confirmed = followed
    case .failure(let error):
      complain(Self.reasons(error))
      (list, followed) = (confirmed, confirmed)
    }
    return followWanted()
  }

  /// Takes note of what an edit came to.
  mutating func finish(
    _ edit: EpisodeEdit, _ result: Result<EpisodeEditor.Outcome, any Error>
  ) {
    switch (edit, result) {
    case (.begin, .success): break
    case (.begin, .failure(let error)):
      if case .editing = mode { mode = .browsing }
      complain(Self.reasons(error))
    case (.setTitle, .success(let outcome)):
      if case .editing = mode { mode = .browsing }
      say(outcome.message)
    case (.setTitle, .failure(let error)):
      if case .editing(let rowID, let editor, _) = mode {
        mode = .editing(rowID, editor, isSaving: false)
      }
      let advice =
        error is ConflictError ? ["Enter saves your title anyway, Esc keeps the other one"] : []
      complain(Self.reasons(error) + advice)
    case (_, .success(let outcome)):
      say(outcome.message)
      // Where something has come back, which may not be in sight.
      if [.undo, .redo].contains(edit), mode == .browsing { seek(outcome.rowID) }
    case (_, .failure(let error)): complain(Self.reasons(error))
    }
  }

  /// What is wrong, line by line.
  static func reasons(_ error: any Error) -> [String] {
    "\(error)".split(separator: "\n").map(String.init)
  }
}
