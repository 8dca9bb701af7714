import Moho
import TextTables

/// Formats the updates of a list as lines of text, one for each change record.
///
/// ```
/// move [0, 2] → [0, 0] changed title, publishedAt  113 "Core-Mantle Boundary"
/// ```
///
/// The log stores the names of all episodes in the list, so that it can name an
/// episode that was deleted.
public struct ChangeLog: Sendable {
  private var names: [Int64: String] = [:]

  /// Creates a log of the changes since a snapshot.
  ///
  /// - Complexity: O(*n*) in the number of rows.
  public init(since snapshot: ResultsSnapshot<Episode>) {
    for (position, rowID) in snapshot.index.rowIDs.enumerated() {
      names[rowID] = snapshot.index.path(atPosition: position).flatMap { Self.name($0, snapshot) }
    }
  }

  /// The lines of the next update.
  ///
  /// - Complexity: O(*m*) in the number of records.
  public mutating func lines(of update: ResultsUpdate<Episode>) -> [String] {
    update.changes.sections.map { Self.line($0, update.after) }
      + update.changes.rows.map { change in
        let name = change.new.flatMap { Self.name($0, update.after) } ?? names[change.rowID]
        names[change.rowID] = change.kind == .delete ? nil : name
        return name.map { "\(change)  \($0)" } ?? "\(change)"
      }
  }

  /// The record of a section. An updated one has its new summary instead of the names of
  /// the values.
  private static func line(
    _ change: SectionChange, _ snapshot: ResultsSnapshot<Episode>
  ) -> String {
    guard change.kind == .update, snapshot.sections.indices.contains(change.index) else {
      return change.description
    }
    let unplayed = UnplayedSummary(snapshot.sections[change.index].summary)
    return "update section \(change.index) \(change.key)" + (unplayed.map { "  \($0.text)" } ?? "")
  }

  /// Nil if the row has changed since the snapshot; a later update has the new
  /// name.
  private static func name(_ path: RowPath, _ snapshot: ResultsSnapshot<Episode>) -> String? {
    snapshot[path].map { VisibleText.escaped("\($0.id) \"\($0.title)\"") }
  }
}

/// The marks of changed rows in a printed list.
public enum ChangeMark {
  /// The meaning of the marks.
  public static let legend = "+ new   ~ changed   > moved   >~ moved and changed"

  /// The marks of the rows in a change set, by row id.
  public static func marks(of changes: ChangeSet) -> [Int64: String] {
    var marks: [Int64: String] = [:]
    for change in changes.rows {
      switch change.kind {
      case .insert: marks[change.rowID] = "+"
      case .update: marks[change.rowID] = "~"
      case .move: marks[change.rowID] = change.hasChangedContent ? ">~" : ">"
      case .delete: break
      }
    }
    return marks
  }
}
