import Foundation
import Moho
import TerminalScreen
import TextTables

/// The columns before the titles of a list. They are as wide as the widest
/// value that was displayed.
struct EpisodeColumns {
  private var idWidth = 0
  private var kindWidth = 0
  private var durationWidth = 0

  /// The maximum width of ids. Some feeds number their episodes, others use
  /// long addresses, which must not displace the titles.
  private static func idLimit(_ width: Int) -> Int { max(8, min(40, width / 5)) }

  /// Widens the columns for an episode.
  mutating func widen(for episode: Episode) {
    idWidth = max(idWidth, TextWidth.of(VisibleText.escaped(episode.id)))
    kindWidth = max(kindWidth, TextWidth.of(EpisodeText.kind(episode)))
    durationWidth = max(durationWidth, TextWidth.of(EpisodeText.duration(episode)))
  }

  /// The columns before the title. Narrow lists have fewer columns.
  func leading(_ episode: Episode, width: Int, _ timeZone: TimeZone) -> String {
    var cells = [(EpisodeText.date(episode, in: timeZone), 10, false)]
    if width >= 56 {
      let limit = min(idWidth, Self.idLimit(width))
      cells.append((TextWidth.cutMiddle(VisibleText.escaped(episode.id), to: limit), limit, false))
    }
    if width >= 48 { cells.append((EpisodeText.kind(episode), kindWidth, false)) }
    if width >= 40 { cells.append((EpisodeText.duration(episode), durationWidth, true)) }
    if width < 28 { cells = [] }
    return cells.filter { $0.1 > 0 }
      .map { text, width, isRight in
        let text = TextWidth.cut(text, to: width)
        let space = String(repeating: " ", count: width - TextWidth.of(text))
        return (isRight ? space + text : text + space) + "  "
      }
      .joined()
  }
}
