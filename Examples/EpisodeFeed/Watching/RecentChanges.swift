import Moho

/// The recent changes of a list, which are highlighted for a few seconds.
struct RecentChanges {
  /// The row next to which a deleted row is displayed.
  enum Neighbor: Hashable {
    case before(Int64)
    case after(Int64)
  }

  /// A deleted row that is still displayed.
  struct DeletedRow {
    var episode: Episode
    var neighbor: Neighbor
    var end: Duration
  }

  /// The numbers of changed rows.
  struct Tally: Hashable {
    var new = 0
    var changed = 0
    var moved = 0
    var deleted = 0
    var end: Duration

    /// The numbers that are not zero, such as `1 new · 2 moved`.
    ///
    /// - Parameter word: The word for rows that the list no longer has.
    func text(deleted word: String) -> String {
      [(new, "new"), (changed, "changed"), (moved, "moved"), (deleted, word)]
        .filter { $0.0 > 0 }.map { "\($0) \($1)" }.joined(separator: " · ")
    }
  }

  /// An update with more records than this does not mark its rows.
  private static let limit = 2_000

  private var marks: [Int64: (mark: RowMark, end: Duration)] = [:]
  private(set) var deletedRows: [DeletedRow] = []
  private(set) var tally: Tally?

  /// When the next mark disappears.
  var nextEnd: Duration? {
    (marks.values.map(\.end) + deletedRows.map(\.end) + [tally?.end].compactMap { $0 }).min()
  }

  /// The mark of a row, if it has changed recently.
  func mark(of rowID: Int64) -> RowMark? { marks[rowID]?.mark }

  /// Removes the changes whose time is over.
  mutating func expire(at now: Duration) {
    marks = marks.filter { $0.value.end > now }
    deletedRows = deletedRows.filter { $0.end > now }
    if let end = tally?.end, end <= now { tally = nil }
  }

  /// Removes all changes.
  mutating func removeAll() { self = RecentChanges() }

  /// Records an update.
  ///
  /// - Parameter displayed: The rows on the screen before the update.
  mutating func record(
    _ update: ResultsUpdate<Episode>, displayed: DisplayedRows, until end: Duration
  ) {
    let changes = update.changes.rows
    var tally = self.tally ?? Tally(end: end)
    tally.end = end
    for change in changes {
      switch change.kind {
      case .insert: tally.new += 1
      case .update: tally.changed += 1
      case .move: tally.moved += 1
      case .delete: tally.deleted += 1
      }
    }
    self.tally = tally
    let (old, new) = (update.before.index, update.after.index)
    deletedRows = deletedRows.filter { new.position(of: $0.neighbor.rowID) != nil }
    guard changes.count <= Self.limit else { return marks = [:] }
    let directions = MoveDirections(changes, from: old, to: new)
    for change in changes where change.kind != .delete {
      let mark = RowMark(change, isUp: directions.isUp(change))
      marks[change.rowID] = (marks[change.rowID]?.mark.following(mark) ?? mark, end)
    }
    let deleted = Set(changes.lazy.filter { $0.kind == .delete }.map(\.rowID))
    let moved = Set(changes.lazy.filter { $0.kind == .move }.map(\.rowID))
    for rowID in deleted { marks[rowID] = nil }
    for (number, rowID) in displayed.order.enumerated() where deleted.contains(rowID) {
      guard let episode = displayed.episodes[rowID] else { continue }
      let section = old.path(of: rowID)?.section
      let isUnmoved: (Int64) -> Bool = { candidate in
        !deleted.contains(candidate) && !moved.contains(candidate)
          && old.path(of: candidate)?.section == section
      }
      let neighbor =
        displayed.order[..<number].last(where: isUnmoved).map { Neighbor.after($0) }
        ?? displayed.order[number...].first(where: isUnmoved).map { .before($0) }
      if let neighbor {
        deletedRows.append(DeletedRow(episode: episode, neighbor: neighbor, end: end))
      }
    }
  }

  /// The positions at which the last deleted rows are displayed.
  func deletedRowPositions(in index: OrderedIndex, limit: Int) -> ListWindow.DeletedRows {
    var positions = ListWindow.DeletedRows()
    for (number, row) in deletedRows.enumerated().suffix(limit) {
      guard let position = index.position(of: row.neighbor.rowID) else { continue }
      switch row.neighbor {
      case .before: positions.before[position, default: []].append(number)
      case .after: positions.after[position, default: []].append(number)
      }
    }
    return positions
  }
}

/// The rows that the last frame displayed.
struct DisplayedRows {
  /// The row ids of the lines of the list; nil for headings and deleted rows.
  var lines: [Int64?] = []
  /// The row ids from top to bottom.
  var order: [Int64] = []
  /// The episodes of the rows.
  var episodes: [Int64: Episode] = [:]
}

extension RecentChanges.Neighbor {
  fileprivate var rowID: Int64 {
    switch self {
    case .before(let rowID), .after(let rowID): rowID
    }
  }
}
