import Moho
import TerminalScreen

extension WatchState {
  /// Hides played episodes, or shows them again.
  mutating func toggleHidingPlayed() -> [WatchAction] {
    list.hidesPlayed.toggle()
    showMessage(list.hidesPlayed ? "played episodes are hidden" : "played episodes are shown")
    return requestList()
  }

  /// Asks whether to mark all episodes of the list.
  mutating func askToMarkAll(isPlayed: Bool) {
    guard !snapshot.isEmpty else { return showMessage("the list has no episodes") }
    message = nil
    mode = .confirming(isPlayed: isPlayed)
  }

  /// The question that the user has to answer.
  func question(isPlayed: Bool) -> String {
    "mark \(episodeCount) as \(isPlayed ? "played" : "not played")? y/n"
  }

  private var episodeCount: String {
    snapshot.count == 1 ? "1 episode" : "\(snapshot.count) episodes"
  }

  /// Handles the answer.
  mutating func confirm(_ key: Key, isPlayed: Bool) -> [WatchAction] {
    switch key {
    case .character("y"), .character("Y"):
      mode = .browsing
      // The result replaces the message.
      message = Message(lines: ["marking \(episodeCount)…"])
      return [.edit(.setAllPlayed(confirmed, rowIDs: Array(snapshot.index.rowIDs), isPlayed))]
    case .character, .enter, .escape: mode = .browsing
    default: break
    }
    return []
  }

  /// The number of rows that are read before the store is asked for the rows
  /// that are not played.
  private static let searchLimit = 200

  /// Selects the next episode that is not played, beginning again at the top.
  mutating func selectNextUnplayed() -> [WatchAction] {
    guard !snapshot.isEmpty else {
      showMessage("the list has no episodes")
      return []
    }
    let (count, start) = (snapshot.count, selection.position)
    // Most often, the row is near, and its batch is in memory.
    for distance in 1...Self.searchLimit where distance <= count {
      let position = (start + distance) % count
      guard let path = snapshot.index.path(atPosition: position) else { break }
      if let episode = snapshot[path], !episode.isPlayed {
        select(position)
        return []
      }
    }
    if count <= Self.searchLimit {
      showMessage("all episodes of the list are played")
      return []
    }
    return [.findUnplayed(confirmed)]
  }

  /// Selects the next row of those that are not played.
  mutating func selectUnplayed(_ result: Result<[Int64], any Error>) {
    switch result {
    case .failure(let error): showError(Self.reasons(error))
    case .success(let rowIDs):
      let index = snapshot.index
      let positions = rowIDs.lazy.compactMap { index.position(of: $0) }
      let start = selection.position
      // The positions after the selection come before the others.
      let next = positions.min { one, other in
        (one <= start ? 1 : 0, one) < (other <= start ? 1 : 0, other)
      }
      if let next { select(next) } else { showMessage("all episodes of the list are played") }
    }
  }
}
