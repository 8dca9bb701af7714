import EpisodeFeed

/// What an import left out of a feed, for standard error.
enum FeedNotes {
  private static let limit = 20

  /// The lines about a feed; empty if everything was imported.
  ///
  /// - Parameter name: The name of the document.
  static func lines(_ feed: Feed, from name: String) -> [String] {
    lines("Not imported from \(name):", feed.failures.flatMap(\.messages))
      + lines("Left out of episodes from \(name):", feed.skippedValues.flatMap(\.messages))
      + lines("Not well-formed in \(name):", feed.repairs)
  }

  private static func lines(_ title: String, _ messages: [String]) -> [String] {
    guard !messages.isEmpty else { return [] }
    let rest = messages.count - limit
    return [title] + messages.prefix(limit).map { "  \($0)" }
      + (rest > 0 ? ["  … and \(rest) more"] : [])
  }
}
