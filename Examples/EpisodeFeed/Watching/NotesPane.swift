import Foundation
import Moho
import TerminalScreen
import TextTables

/// The pane with the show notes of the selected episode.
struct NotesPane {
  /// Whether the user wants to see the notes; nil until the user decides.
  var isRequested: Bool?
  /// The first visible line.
  private(set) var top = 0
  /// The lines of the episode at the last width.
  private var lines: [StyledLine] = []
  private var height = 0
  private var shown: (rowID: Int64, episode: Episode, width: Int)?

  /// Scrolls by a number of lines, within the notes.
  mutating func scroll(by count: Int) {
    top = max(0, min(top + count, lines.count - height))
  }

  /// Scrolls by pages.
  mutating func scroll(pages: Int) { scroll(by: pages * max(1, height - 1)) }

  /// The visible lines of an episode's notes. Notes that are shown for the
  /// first time begin at the top.
  mutating func draw(
    _ episode: Episode?, _ rowID: Int64?, size: TerminalSize, timeZone: TimeZone
  ) -> [StyledLine] {
    guard let episode, let rowID else { return [] }
    height = size.height
    if shown?.rowID != rowID { top = 0 }
    if shown?.rowID != rowID || shown?.width != size.width || shown?.episode != episode {
      lines = Self.lines(of: episode, width: size.width, timeZone)
      shown = (rowID, episode, size.width)
    }
    scroll(by: 0)
    var visible = Array(lines[top...].prefix(height))
    let rest = lines.count - top - visible.count
    if rest > 0, visible.count > 1 {
      visible[visible.count - 1] = StyledLine("… \(rest + 1) more lines", Style(isDim: true))
    }
    return visible
  }

  private static func lines(
    of episode: Episode, width: Int, _ timeZone: TimeZone
  ) -> [StyledLine] {
    var lines: [StyledLine] = []
    func append(_ text: String, _ style: Style = .plain) {
      guard !text.isEmpty else { return }
      lines += ShowNotes.lines(of: VisibleText.escaped(text), width: width).map {
        StyledLine($0, style)
      }
    }
    append(EpisodeText.title(episode), Style(isBold: true))
    append(episode.podcast)
    let facts = [
      EpisodeText.time(episode, in: timeZone), episode.duration.map(EpisodeText.duration),
      episode.kind == .paid ? "for subscribers" : nil, episode.season.map { "season \($0)" },
      episode.isPlayed ? "played" : nil,
    ]
    append(facts.compactMap { $0 }.joined(separator: " · "), Style(isDim: true))
    append("id \(episode.id)", Style(isDim: true))
    if let url = episode.url { append(url.absoluteString, Style(.blue)) }
    let notes = ShowNotes.lines(of: ShowNotes.text(of: episode), width: width)
    if notes.contains(where: { !$0.isEmpty }) {
      lines.append(StyledLine())
      lines += notes.map { StyledLine($0) }
    }
    return lines
  }
}
