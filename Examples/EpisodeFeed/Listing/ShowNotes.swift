import TextTables

/// The show notes of an episode as plain text.
enum ShowNotes {
  /// The number of characters that can stand for a title.
  static let beginningLength = 300

  /// The longest text that is shown, in characters.
  static let limit = 100_000

  /// The show notes; the summary if the episode has none.
  static func text(of episode: Episode) -> String {
    let notes =
      episode.contentText.map { String($0.prefix(limit)) }
      ?? episode.contentHTML.map(HTMLText.plain)
    if let notes, !VisibleText.isBlank(notes) { return notes }
    return String((episode.summary ?? "").prefix(limit))
  }

  /// The beginning of the show notes. Its cost does not depend on their length.
  static func beginning(of episode: Episode) -> String? {
    if let text = episode.contentText { return String(text.prefix(beginningLength)) }
    return episode.contentHTML.map { HTMLText.plain(String($0.prefix(10 * beginningLength))) }
  }

  /// The lines of a text in a terminal, at most `width` columns wide. In show
  /// notes, line breaks and tabs are layout; other unsafe characters are
  /// escaped.
  static func lines(of text: String, width: Int) -> [String] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).flatMap { line in
      TextWidth.wrap(
        VisibleText.escaped(String(line).replacing("\t", with: "    ")), to: width)
    }
  }
}
