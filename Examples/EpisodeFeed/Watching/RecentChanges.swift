import Moho

/// What happened to a list a moment ago, for as long as that is shown.
struct RecentChanges {
  /// Beside which row something stands.
  enum Neighbor: Hashable {
    case before(Int64)
    case after(Int64)
  }

  /// A row that is gone.
  struct Ghost {
    var episode: Episode
    var neighbor: Neighbor
    var end: Duration
  }

  /// How many rows something happened to.
  struct Tally: Hashable {
    var new = 0
    var changed = 0
    var moved = 0
    var deleted = 0
    var end: Duration

    /// As people say it; what did not happen is left out.
    var text: String {
      [(new, "new"), (changed, "changed"), (moved, "moved"), (deleted, "deleted")]
        .filter { $0.0 > 0 }.map { "\($0) \($1)" }.joined(separator: " · ")
    }
  }

  /// Beyond this many records at once, single rows are not marked.
  private static let limit = 2_000

  private var marks: [Int64: (mark: RowMark, end: Duration)] = [:]
  private(set) var ghosts: [Ghost] = []
  private(set) var tally: Tally?

  /// When the next of it is to vanish.
  var nextEnd: Duration? {
    (marks.values.map(\.end) + ghosts.map(\.end) + [tally?.end].compactMap { $0 }).min()
  }

  /// The mark of a row, if something happened to it.
  func mark(of rowID: Int64) -> RowMark? { marks[rowID]?.mark }

  /// Forgets what was long enough ago.
  mutating func expire(at now: Duration) {
    marks = marks.filter { $0.value.end > now }
    ghosts = ghosts.filter { $0.end > now }
    if let end = tally?.end, end <= now { tally = nil }
  }

  /// Forgets everything.
  mutating func forget() { self = RecentChanges() }

  /// Notes an update.
  ///
  /// - Parameter shown: The rows that could be seen when it came.
  mutating func note(_ update: ResultsUpdate<Episode>, shown: ShownRows, until end: Duration) {
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
    ghosts = ghosts.filter { new.position(of: $0.neighbor.rowID) != nil }
    guard changes.count <= Self.limit else { return marks = [:] }
    let directions = MoveDirections(changes, from: old, to: new)
    for change in changes where change.kind != .delete {
      let mark = RowMark(change, isUp: directions.isUp(change))
      marks[change.rowID] = (marks[change.rowID]?.mark.following(mark) ?? mark, end)
    }
    let gone = Set(changes.lazy.filter { $0.kind == .delete }.map(\.rowID))
    let moved = Set(changes.lazy.filter { $0.kind == .move }.map(\.rowID))
    for rowID in gone { marks[rowID] = nil }
    for (number, rowID) in shown.order.enumerated() where gone.contains(rowID) {
      guard let episode = shown.episodes[rowID] else { continue }
      let section = old.path(of: rowID)?.section
      let isThere: (Int64) -> Bool = { other in
        !gone.contains(other) && !moved.contains(other) && old.path(of: other)?.section == section
      }
      let neighbor =
        shown.order[..<number].last(where: isThere).map { Neighbor.after($0) }
        ?? shown.order[number...].first(where: isThere).map { .before($0) }
      if let neighbor { ghosts.append(Ghost(episode: episode, neighbor: neighbor, end: end)) }
    }
  }

  /// The places of the rows that are gone, in a state of the list: of as many as
  /// there is room for, the last ones.
  func places(in index: OrderedIndex, limit: Int) -> ListWindow.Ghosts {
    var places = ListWindow.Ghosts()
    for (number, ghost) in ghosts.enumerated().suffix(limit) {
      guard let position = index.position(of: ghost.neighbor.rowID) else { continue }
      switch ghost.neighbor {
      case .before: places.before[position, default: []].append(number)
      case .after: places.after[position, default: []].append(number)
      }
    }
    return places
  }
}

extension RecentChanges.Neighbor {
  fileprivate var rowID: Int64 {
    switch self {
    case .before(let rowID), .after(let rowID): rowID
    }
  }
}
