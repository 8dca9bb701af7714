import Foundation
import Moho
import TextTables

/// Formats episodes as lines of text.
public enum EpisodeText {
  /// The lines of a list: headings, and rows in columns.
  ///
  /// - Parameters:
  ///   - sections: The list.
  ///   - hasMarks: Whether rows begin with a column for marks.
  ///   - width: The maximum width of a line in columns, or nil.
  public static func lines(
    _ sections: [EpisodeSection], hasMarks: Bool = false, width: Int? = nil
  ) -> [String] {
    let tables = sections.map { section in
      let rows = section.rows.map { row in
        (hasMarks ? [row.mark.padding(toLength: 2, withPad: " ", startingAt: 0)] : [])
          + columns(row.episode)
      }
      return (heading: section.heading, rows: rows)
    }
    return TextTable.lines(of: tables, rightAligned: hasMarks ? [4] : [3], width: width)
  }

  /// A line for each key of an episode that has a value, and the show notes.
  public static func details(_ episode: Episode) -> [String] {
    let fields: [(String, String?)] = [
      ("id", episode.id),
      ("title", episode.title),
      ("podcast", episode.podcast),
      ("season", episode.season.map { "\($0)" }),
      ("published", episode.publishedAt?.formatted(.iso8601)),
      ("kind", episode.kind.rawValue),
      ("played", episode.isPlayed ? "yes" : nil),
      ("duration", episode.duration.map(duration)),
      ("url", episode.url?.absoluteString),
      ("audio", episode.audioURL?.absoluteString),
      ("image", episode.imageURL?.absoluteString),
      ("summary", episode.summary),
    ]
    let rows = fields.compactMap { name, value in
      value.flatMap { $0.isEmpty ? nil : [name, $0] }
    }
    var lines = TextTable(rows: rows).lines
    if let notes = episode.contentText ?? episode.contentHTML {
      lines.append("")
      // In show notes, line breaks and tabs are layout.
      lines += notes.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        .map { VisibleText.escaped(String($0).replacing("\t", with: "    ")) }
    }
    return lines
  }

  private static func columns(_ episode: Episode) -> [String] {
    [date(episode), episode.id, kind(episode), duration(episode), title(episode)]
  }

  /// The date of publication in UTC.
  static func date(_ episode: Episode) -> String {
    episode.publishedAt?.formatted(.iso8601.year().month().day()) ?? "-"
  }

  /// The kind of an episode; empty for free episodes.
  static func kind(_ episode: Episode) -> String {
    episode.kind == .free ? "" : episode.kind.rawValue
  }

  /// The length of an episode; empty if it is unknown.
  static func duration(_ episode: Episode) -> String { episode.duration.map(duration) ?? "" }

  /// The title of an episode, or a note that it is untitled.
  static func title(_ episode: Episode) -> String {
    episode.title.isEmpty ? "(untitled)" : episode.title
  }

  /// A length of time such as `42:10` or `1:02:03`.
  static func duration(_ seconds: Double) -> String {
    guard let whole = Int(exactly: seconds.rounded()), whole >= 0 else { return "\(seconds) s" }
    func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes) = (whole / 3600, whole / 60 % 60)
    return (hours > 0 ? "\(hours):\(digits(minutes))" : "\(minutes)") + ":\(digits(whole % 60))"
  }
}
