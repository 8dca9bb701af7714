import MohoRows

/// The content of rows since the oldest state that is still in use.
///
/// The history determines whether a row still has the content that it had in a
/// state, and what changed between two states. States are identified by their
/// generations. A change by a commit is recorded with the generation of the
/// state after the commit.
struct RowHistory: Sendable {
  private struct Entry {
    /// The content before the first recorded write.
    var first = RowWriteSet.RecordedRow.unknown
    /// The content after each write, with the generation of the write.
    var contents: [(generation: Int, content: RowWriteSet.RecordedRow)] = []
    /// The keys that read other rows, with the generations that changed them or
    /// their links.
    var relatedKeys: [(generation: Int, keys: Set<String>)] = []
    /// The commits that may have moved the row by changing other rows. An entry
    /// contains the generation of the state after the commit, and whether the
    /// commit created that state.
    var relatedMoves: [(generation: Int, isNew: Bool)] = []

    var lastGeneration: Int {
      max(
        relatedMoves.last?.generation ?? 0, contents.last?.generation ?? 0,
        relatedKeys.last?.generation ?? 0)
    }

    /// Returns whether a commit between two states may have moved the row by
    /// changing other rows.
    func hasRelatedMove(since old: Int, upTo new: Int) -> Bool {
      relatedMoves.contains { move in
        move.generation > old && (move.generation < new || move.generation == new && move.isNew)
      }
    }

    /// The number of recorded changes.
    var count: Int { contents.count + relatedKeys.count + relatedMoves.count + 1 }

    mutating func record(_ row: RowDelta, _ generation: Int) {
      if contents.isEmpty {
        first = row.before
      } else if contents[contents.count - 1].content == .unknown {
        // If there are many new rows, their content is not read until they are
        // written again.
        contents[contents.count - 1].content = row.before
      }
      contents.append((generation, row.after))
    }

    mutating func recordRelatedMove(_ generation: Int, isNew: Bool) {
      // Later commits of the same generation change no visible row.
      if relatedMoves.last?.generation == generation { return }
      relatedMoves.append((generation, isNew))
    }

    func content(at generation: Int) -> RowWriteSet.RecordedRow {
      contents.last { $0.generation <= generation }?.content ?? first
    }
  }

  /// The changes between two states.
  struct Changes {
    /// The rows that may have moved because of other rows.
    var relatedMoveCandidates: Set<Int64> = []
    /// Whether the move candidates are complete.
    var hasAllMoveCandidates = true
    /// The rows whose values may differ, with their content in the two states
    /// if they were written, and with the keys that read other rows.
    var contents: [Int64: (row: RowDelta?, related: Set<String>)] = [:]
    /// The keys whose values may differ in any row.
    var keysOfUnknownRows: Set<String> = []
  }

  /// The maximum number of recorded changes.
  private let limit: Int

  private var entries: [Int64: Entry] = [:]
  private var count = 0
  private var generationsInUse: Set<Int> = []
  /// The oldest generation that the history covers.
  private var oldestGeneration = 0
  /// The oldest generation for which the history contains all later move
  /// candidates.
  private var oldestMoveGeneration = 0
  /// The keys that may have changed in any row, with the generations that
  /// changed them.
  private var keysOfUnknownRows: [(generation: Int, keys: Set<String>)] = []

  init(limit: Int = 65_536) { self.limit = limit }

  /// Whether only the newest state is in use.
  var usesNewestOnly: Bool { generationsInUse.count <= 1 }

  /// Marks a state as in use.
  mutating func begin(_ generation: Int) { generationsInUse.insert(generation) }

  /// Marks a state as no longer in use.
  mutating func end(_ generation: Int) {
    generationsInUse.remove(generation)
    guard let oldest = generationsInUse.min() else { return removeAll() }
    guard generation < oldest else { return }
    entries = entries.filter { $1.lastGeneration > oldest }
    keysOfUnknownRows.removeAll { $0.generation <= oldest }
    count = entries.reduce(0) { $0 + $1.value.count }
  }

  /// Records the changes of a commit.
  ///
  /// - Parameters:
  ///   - generation: The generation of the state after the commit.
  ///   - isNew: Whether the commit created that state. False if the commit
  ///     changed no visible row.
  mutating func record(_ touched: TouchedRows, generation: Int, isNew: Bool = true) {
    let rowCount =
      touched.writtenRows.count + touched.relatedKeys.count + touched.relatedMoveCandidates.count
    guard rowCount <= limit else { return forget(before: generation) }
    for (rowID, row) in touched.writtenRows {
      entries[rowID, default: Entry()].record(row, generation)
    }
    recordReinsertions(among: touched.newRows, generation)
    for (rowID, keys) in touched.relatedKeys {
      entries[rowID, default: Entry()].relatedKeys.append((generation, keys))
    }
    for (rowID, keys) in touched.relinkedKeys {
      entries[rowID, default: Entry()].relatedKeys.append((generation, keys))
    }
    for rowID in touched.relatedMoveCandidates {
      entries[rowID, default: Entry()].recordRelatedMove(generation, isNew: isNew)
    }
    count += rowCount + touched.relinkedKeys.count
    if !touched.hasAllMoveCandidates { oldestMoveGeneration = generation }
    if !touched.keysOfUnknownRows.isEmpty {
      keysOfUnknownRows.append((generation, touched.keysOfUnknownRows))
    }
    if count > limit { forget(before: generation) }
  }

  /// Records deleted rows that were inserted again, if they are among many new
  /// rows whose content was not read.
  private mutating func recordReinsertions(among newRows: RowIDRanges, _ generation: Int) {
    if newRows == RowIDRanges() { return }
    for (rowID, entry) in entries
    where entry.contents.last?.content == .absent && newRows.contains(rowID) {
      entries[rowID]?.contents.append((generation, .unknown))
    }
  }

  /// Discards the history of all states before a generation.
  mutating func forget(before generation: Int) {
    removeAll()
    oldestGeneration = generation
    oldestMoveGeneration = generation
  }

  /// Records that any row may have moved between an earlier state and a
  /// generation.
  mutating func forgetMoves(before generation: Int) { oldestMoveGeneration = generation }

  /// Returns whether the content that was read from a row is the content that
  /// it had in a state.
  ///
  /// - Parameters:
  ///   - rowID: The ID of the row.
  ///   - generation: The generation of the state.
  ///   - start: The generation of the newest state that existed before the row
  ///     was read. The reader may have seen any later commit, so each later
  ///     commit must have left the same content.
  func isUnchanged(_ rowID: Int64, since generation: Int, readAfter start: Int) -> Bool {
    guard generation >= oldestGeneration else { return false }
    if let last = keysOfUnknownRows.last, last.generation > generation { return false }
    guard let entry = entries[rowID] else { return true }
    if let related = entry.relatedKeys.last, related.generation > generation { return false }
    guard let last = entry.contents.last, last.generation > generation else { return true }
    let content = entry.content(at: generation)
    return content != .unknown && entry.content(at: max(start, generation)) == content
      && entry.contents.allSatisfy { $0.generation <= start || $0.content == content }
  }

  /// Returns whether a row has been written since a state, even with the same
  /// content.
  func isWritten(_ rowID: Int64, since generation: Int) -> Bool {
    entries[rowID]?.contents.last.map { $0.generation > generation } ?? false
  }

  /// Returns the changes between two states, or `nil` if the history no longer
  /// covers them.
  func changes(since old: Int, upTo new: Int) -> Changes? {
    guard old >= oldestGeneration else { return nil }
    var changes = Changes()
    changes.hasAllMoveCandidates = old >= oldestMoveGeneration
    for change in keysOfUnknownRows where change.generation > old && change.generation <= new {
      changes.keysOfUnknownRows.formUnion(change.keys)
    }
    for (rowID, entry) in entries {
      if entry.hasRelatedMove(since: old, upTo: new) {
        changes.relatedMoveCandidates.insert(rowID)
      }
      let isWritten = entry.contents.contains { $0.generation > old && $0.generation <= new }
      let related = entry.relatedKeys.filter { $0.generation > old && $0.generation <= new }
      guard isWritten || !related.isEmpty else { continue }
      changes.contents[rowID] = (
        isWritten
          ? RowDelta(before: entry.content(at: old), after: entry.content(at: new)) : nil,
        related.reduce(into: []) { $0.formUnion($1.keys) }
      )
    }
    return changes
  }

  private mutating func removeAll() {
    entries = [:]
    keysOfUnknownRows = []
    count = 0
  }
}
