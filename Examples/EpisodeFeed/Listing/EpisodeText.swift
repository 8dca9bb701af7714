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
  ///   - timeZone: The time zone of dates.
  public static func lines(
    _ sections: [EpisodeSection], hasMarks: Bool = false, width: Int? = nil,
    timeZone: TimeZone = .gmt
  ) -> [String] {
    var columnWidths: [Int] = []
    return lines(
      sections, hasMarks: hasMarks, width: width, timeZone: timeZone, columnWidths: &columnWidths)
  }

  /// The lines of a part of a list.
  ///
  /// - Parameter columnWidths: The column widths of the parts before; empty for
  ///   the first one. They grow if this part is wider.
  public static func lines(
    _ sections: [EpisodeSection], hasMarks: Bool = false, width: Int? = nil,
    timeZone: TimeZone = .gmt, columnWidths: inout [Int]
  ) -> [String] {
    let tables = sections.map { section in
      let rows = section.rows.map { row in
        (hasMarks ? [row.mark.padding(toLength: 2, withPad: " ", startingAt: 0)] : [])
          + columns(row.episode, timeZone)
      }
      return (heading: section.heading, rows: rows)
    }
    return TextTable.lines(
      of: tables, rightAligned: hasMarks ? [4] : [3], width: width, columnWidths: &columnWidths)
  }

  /// A line for each key of an episode that has a value, and the show notes as
  /// plain text.
  ///
  /// - Parameters:
  ///   - width: The maximum width of a line of the show notes in columns, or nil.
  ///   - timeZone: The time zone of dates.
  public static func details(
    _ episode: Episode, width: Int? = nil, timeZone: TimeZone = .gmt
  ) -> [String] {
    let fields: [(String, String?)] = [
      ("id", episode.id),
      ("title", episode.title),
      ("podcast", episode.podcast),
      ("season", episode.season.map { "\($0)" }),
      ("published", episode.publishedAt.map { timestamp($0, in: timeZone) }),
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
    if let notes = ShowNotes.notes(of: episode) {
      lines += [""] + ShowNotes.lines(of: notes, width: width)
    }
    return lines
  }

  private static func columns(_ episode: Episode, _ timeZone: TimeZone) -> [String] {
    [date(episode, in: timeZone), episode.id, kind(episode), duration(episode), title(episode)]
  }

  /// A time with its zone, such as `2026-06-16T10:30:00+02:00`.
  public static func timestamp(_ date: Date, in timeZone: TimeZone) -> String {
    date.formatted(Date.ISO8601FormatStyle(timeZoneSeparator: .colon, timeZone: timeZone))
  }

  /// The date of publication in a time zone.
  static func date(_ episode: Episode, in timeZone: TimeZone) -> String {
    let style = Date.ISO8601FormatStyle(timeZone: timeZone).year().month().day()
    return episode.publishedAt?.formatted(style) ?? "-"
  }

  /// The date and the time of publication in a time zone, such as
  /// `2026-06-16 10:30 +0200`.
  static func time(_ episode: Episode, in timeZone: TimeZone) -> String? {
    let style = Date.ISO8601FormatStyle(
      dateTimeSeparator: .space, timeSeparator: .colon, timeZone: timeZone
    ).year().month().day().time(includingFractionalSeconds: false)
    guard let date = episode.publishedAt else { return nil }
    let minutes = timeZone.secondsFromGMT(for: date) / 60
    let offset = String(abs(minutes) / 60 * 100 + abs(minutes) % 60)
    let zeros = String(repeating: "0", count: 4 - offset.count)
    return date.formatted(style).dropLast(3) + " \(minutes < 0 ? "-" : "+")\(zeros)\(offset)"
  }

  /// The kind of an episode; empty for free episodes.
  static func kind(_ episode: Episode) -> String {
    episode.kind == .free ? "" : episode.kind.rawValue
  }

  /// The length of an episode; empty if it is unknown.
  static func duration(_ episode: Episode) -> String { episode.duration.map(duration) ?? "" }

  /// The title of an episode; if it has none, the beginning of its summary or
  /// of its show notes, or a note that it is untitled.
  static func title(_ episode: Episode) -> String {
    if !VisibleText.isBlank(episode.title) { return episode.title }
    let texts = [episode.summary, ShowNotes.beginning(of: episode)].lazy.compactMap { $0 }
    let words = texts.map { text in
      VisibleText.plain(String(text.prefix(ShowNotes.beginningLength)))
        .split(separator: " ").joined(separator: " ")
    }
    return words.first { !VisibleText.isBlank($0) } ?? "(untitled)"
  }

  /// A length of time such as `42:10` or `1:02:03`.
  static func duration(_ seconds: Double) -> String {
    guard let whole = Int(exactly: seconds.rounded()), whole >= 0 else { return "\(seconds) s" }
    func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes) = (whole / 3600, whole / 60 % 60)
    return (hours > 0 ? "\(hours):\(digits(minutes))" : "\(minutes)") + ":\(digits(whole % 60))"
  }
}
