import EpisodeFeed
import Moho
import TextTables

/// What a terminal shows of a list: its first rows with the marks of the last
/// change, and a line about both.
struct EpisodeScreen {
  let list: EpisodeList
  private var snapshot: ResultsSnapshot<Episode>
  private var changes: ChangeSet?
  private var shown: [EpisodeSection] = []

  init(list: EpisodeList, snapshot: ResultsSnapshot<Episode>) {
    self.list = list
    self.snapshot = snapshot
  }

  mutating func show(_ update: ResultsUpdate<Episode>) {
    snapshot = update.after
    changes = update.changes
  }

  /// The lines for a terminal of a size, the last one about the list.
  mutating func lines(width: Int, height: Int) -> [String] {
    // Where a row has changed again, its update is on the way: what is shown
    // stays until it is here.
    let marks = changes.map { ChangeMark.marks(of: $0) } ?? [:]
    shown = list.sections(of: snapshot, lineCount: height - 1, marks: marks) ?? shown
    let lines =
      snapshot.isEmpty
      ? [TextWidth.cut("No episodes. Import a feed from another terminal.", to: width)]
      : EpisodeText.lines(shown, hasMarks: true, width: width)
    let space = Array(repeating: "", count: max(0, height - 1 - lines.count))
    return lines + space + [TextWidth.cut(status, to: width)]
  }

  private var status: String {
    let count = snapshot.count == 1 ? "1 episode" : "\(snapshot.count) episodes"
    let visible = shown.reduce(0) { $0 + $1.rows.count }
    var parts = [
      "q quits", visible < snapshot.count ? "\(count), the first \(visible) shown" : count,
    ]
    for (kind, name) in [
      (RowChange.Kind.insert, "new"), (.update, "changed"), (.move, "moved"), (.delete, "deleted"),
    ] {
      let count = changes?.rows.count { $0.kind == kind } ?? 0
      if count > 0 { parts.append("\(count) \(name)") }
    }
    return parts.joined(separator: " · ")
  }
}
