import TextTables

/// The show notes of an episode as plain text.
enum ShowNotes {
  /// The number of characters that can stand for a title.
  static let beginningLength = 300

  /// The longest text that is shown, in characters.
  static let limit = 100_000

  /// The beginning of the show notes, or of the summary if the episode has no
  /// show notes.
  static func text(of episode: Episode) -> String {
    notes(of: episode, limit: limit) ?? String((episode.summary ?? "").prefix(limit))
  }

  /// The show notes; nil if the episode has none.
  ///
  /// - Parameter limit: The maximum number of characters of plain text. For HTML,
  ///   twice the number of bytes are converted.
  static func notes(of episode: Episode, limit: Int = .max / 2) -> String? {
    let notes =
      episode.contentText.map { String($0.prefix(limit)) }
      ?? episode.contentHTML.map { HTMLText.plain($0, limit: 2 * limit) }
    return notes.flatMap { VisibleText.isBlank($0) ? nil : $0 }
  }

  /// The beginning of the show notes. Its cost does not depend on their length.
  static func beginning(of episode: Episode) -> String? {
    if let text = episode.contentText { return String(text.prefix(beginningLength)) }
    return episode.contentHTML.map { HTMLText.plain(String($0.prefix(10 * beginningLength))) }
  }

  /// The lines of a text, at most `width` columns wide unless it is nil. In show
  /// notes, line breaks and tabs are layout; other unsafe characters are
  /// escaped.
  static func lines(of text: String, width: Int?) -> [String] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).flatMap { line in
      let line = VisibleText.escaped(String(line).replacing("\t", with: "    "))
      return width.map { TextWidth.wrap(line, to: $0) } ?? [line]
    }
  }
}
