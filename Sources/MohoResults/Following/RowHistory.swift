import MohoStore

/// What rows have held since the oldest state that somebody still knows.
///
/// It tells whether a row holds what it held in a state, and what lies between
/// two states. States are known by their generations; a change that a commit
/// makes is noted with the generation that the commit leads to.
struct RowHistory: Sendable {
  private struct Entry {
    /// What the row held before it was first written.
    var first = WrittenRows.Before.unknown
    /// What it has held since generations.
    var values: [(generation: Int, held: WrittenRows.Before)] = []
    /// Keys that are read from other rows, with the generations that changed them
    /// or the links to those rows.
    var related: [(generation: Int, keys: Set<String>)] = []
    /// The last generation whose commit may have changed the row's place by
    /// other rows.
    var led = 0

    var last: Int { max(led, values.last?.generation ?? 0, related.last?.generation ?? 0) }

    mutating func note(_ row: WrittenRow, _ generation: Int) {
      if values.isEmpty {
        first = row.before
      } else if values[values.count - 1].held == .unknown {
        // What many new rows hold is not read until they are written again.
        values[values.count - 1].held = row.before
      }
      values.append((generation, row.after))
    }

    func held(at generation: Int) -> WrittenRows.Before {
      values.last { $0.generation <= generation }?.held ?? first
    }
  }

  /// What lies between two states.
  struct Changes {
    /// Rows that may have another place because of other rows.
    var led: Set<Int64> = []
    /// Whether all of them are known.
    var arePlacesKnown = true
    /// Rows whose values may be others: with what they held in the two states,
    /// where they were written, and the keys that are made of other rows.
    var contents: [Int64: (row: WrittenRow?, related: Set<String>)] = [:]
    /// Keys whose values may be others in any row.
    var unknownKeys: Set<String> = []
  }

  /// How many changes of rows are kept.
  private let limit: Int

  private var entries: [Int64: Entry] = [:]
  private var count = 0
  private var living: Set<Int> = []
  /// Of earlier states nothing is known.
  private var horizon = 0
  /// Since earlier states any row may have got another place.
  private var placesHorizon = 0
  /// Keys that may have changed in any row, with the generations that did it.
  private var unknownKeys: [(generation: Int, keys: Set<String>)] = []

  init(limit: Int = 65_536) { self.limit = limit }

  /// Whether nobody knows another state than the newest.
  var isOfNewestAlone: Bool { living.count <= 1 }

  /// Somebody knows a state.
  mutating func begin(_ generation: Int) { living.insert(generation) }

  /// Nobody knows a state any more.
  mutating func end(_ generation: Int) {
    living.remove(generation)
    guard let oldest = living.min() else { return removeAll() }
    guard generation < oldest else { return }
    entries = entries.filter { $1.last > oldest }
    unknownKeys.removeAll { $0.generation <= oldest }
    count = entries.reduce(0) { $0 + $1.value.values.count + $1.value.related.count + 1 }
  }

  /// Notes what a commit has changed.
  mutating func note(_ touched: TouchedRows, generation: Int) {
    guard touched.written.count + touched.related.count + touched.led.count <= limit else {
      return forget(before: generation)
    }
    for (rowID, row) in touched.written {
      entries[rowID, default: Entry()].note(row, generation)
    }
    noteReturns(among: touched.newRows, generation)
    for (rowID, keys) in touched.related {
      entries[rowID, default: Entry()].related.append((generation, keys))
    }
    for (rowID, keys) in touched.relinked {
      entries[rowID, default: Entry()].related.append((generation, keys))
    }
    for rowID in touched.led { entries[rowID, default: Entry()].led = generation }
    count +=
      touched.written.count + touched.related.count + touched.relinked.count + touched.led.count
    if !touched.arePlacesKnown { placesHorizon = generation }
    if !touched.unknownKeys.isEmpty { unknownKeys.append((generation, touched.unknownKeys)) }
    if count > limit { forget(before: generation) }
  }

  /// Notes rows that were gone and are among many new ones, of which it is not
  /// known what they hold.
  private mutating func noteReturns(among newRows: RowRuns, _ generation: Int) {
    if newRows == RowRuns() { return }
    for (rowID, entry) in entries
    where entry.values.last?.held == .absent && newRows.contains(rowID) {
      entries[rowID]?.values.append((generation, .unknown))
    }
  }

  /// Nothing is known any more of states before a generation.
  mutating func forget(before generation: Int) {
    removeAll()
    horizon = generation
    placesHorizon = generation
  }

  /// Since states before a generation any row may have another place.
  mutating func forgetPlaces(before generation: Int) { placesHorizon = generation }

  /// Whether what a row was found to hold is what it held in a state.
  ///
  /// - Parameters:
  ///   - rowID: The row.
  ///   - generation: The state.
  ///   - start: The newest state that was there before the row was read. Which of
  ///     the commits after it the reader has seen is not known: what each of
  ///     them has left must be the same.
  func isUnchanged(_ rowID: Int64, since generation: Int, readAfter start: Int) -> Bool {
    guard generation >= horizon else { return false }
    if let last = unknownKeys.last, last.generation > generation { return false }
    guard let entry = entries[rowID] else { return true }
    if let related = entry.related.last, related.generation > generation { return false }
    guard let last = entry.values.last, last.generation > generation else { return true }
    let held = entry.held(at: generation)
    return held != .unknown && entry.held(at: max(start, generation)) == held
      && entry.values.allSatisfy { $0.generation <= start || $0.held == held }
  }

  /// Whether a row has been written since a state, perhaps with what it held.
  func isWritten(_ rowID: Int64, since generation: Int) -> Bool {
    entries[rowID]?.values.last.map { $0.generation > generation } ?? false
  }

  /// What lies between two states, or nil where that is not known any more.
  func changes(since old: Int, upTo new: Int) -> Changes? {
    guard old >= horizon else { return nil }
    var changes = Changes()
    changes.arePlacesKnown = old >= placesHorizon
    for change in unknownKeys where change.generation > old && change.generation <= new {
      changes.unknownKeys.formUnion(change.keys)
    }
    for (rowID, entry) in entries {
      if entry.led > old { changes.led.insert(rowID) }
      let written = entry.values.contains { $0.generation > old && $0.generation <= new }
      let related = entry.related.filter { $0.generation > old && $0.generation <= new }
      guard written || !related.isEmpty else { continue }
      changes.contents[rowID] = (
        written
          ? WrittenRow(before: entry.held(at: old), after: entry.held(at: new)) : nil,
        related.reduce(into: []) { $0.formUnion($1.keys) }
      )
    }
    return changes
  }

  private mutating func removeAll() {
    entries = [:]
    unknownKeys = []
    count = 0
  }
}
