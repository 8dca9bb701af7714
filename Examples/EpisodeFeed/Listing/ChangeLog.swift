import Moho
import TextTables

/// The updates of a list as lines of text, one for each change record.
///
/// ```
/// move [0, 2] → [0, 0] changed title, publishedAt  113 "Core-Mantle Boundary"
/// ```
///
/// It knows the episodes of the state it has come to, so that a deleted one can
/// be named when its row is gone.
public struct ChangeLog: Sendable {
  private var names: [Int64: String] = [:]

  /// Makes a log that begins at a state of a list.
  ///
  /// - Complexity: O(*n*) in the number of rows.
  public init(since snapshot: ResultsSnapshot<Episode>) {
    for (position, rowID) in snapshot.index.rowIDs.enumerated() {
      names[rowID] = snapshot.index.path(atPosition: position).flatMap { Self.name($0, snapshot) }
    }
  }

  /// The lines of an update that leads on from the last one.
  ///
  /// - Complexity: O(*m*) in the number of records.
  public mutating func lines(of update: ResultsUpdate<Episode>) -> [String] {
    update.changes.sections.map(\.description)
      + update.changes.rows.map { change in
        let name = change.new.flatMap { Self.name($0, update.after) } ?? names[change.rowID]
        names[change.rowID] = change.kind == .delete ? nil : name
        return name.map { "\(change)  \($0)" } ?? "\(change)"
      }
  }

  /// Nil where the row has been changed since; a later update says how.
  private static func name(_ path: RowPath, _ snapshot: ResultsSnapshot<Episode>) -> String? {
    snapshot[path].map { VisibleText.escaped("\($0.id) \"\($0.title)\"") }
  }
}
