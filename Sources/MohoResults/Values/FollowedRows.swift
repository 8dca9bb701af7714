import MohoMapping
import MohoRows
import Synchronization

/// The rows that a value is computed from, and their groups. They follow each commit.
///
/// The type is not generic, so that commits that do not affect the value cost little.
final class FollowedRows: Sendable {
  /// The numbers of updates, for tests.
  struct UpdateCounts: Equatable {
    /// Updates by the rows that a commit had changed.
    var incremental = 0
    /// Updates that read all rows, including the first one.
    var full = 0
    /// Statements that read values, including the first ones.
    var statements = 0
  }

  private struct State {
    /// Nil while they are updated.
    var groups: OrderedGroups?
    /// Whether an earlier commit could not be followed.
    var missesCommits = false
    var counts = UpdateCounts()
  }

  private let result: ResultDefinition
  /// The request of the rows, which selects the values to compute with.
  private let request: ResolvedRequest
  private let reader: any ResultReader
  /// The values that are computed from the rows, or nil.
  private let aggregates: RequestAggregates?
  /// Whether the values are computed from those of the rows. Those of a page also depend on
  /// other rows.
  private let storesValues: Bool
  private let readsModels: Bool
  /// Whether only the number of rows matters.
  private let isCount: Bool
  private let state: Lock<State>

  init<Value>(_ query: ValueQuery<Value>, _ reader: StoreReader) throws {
    result = try ResultDefinition(
      query.request, isOrdered: query.isOrdered, selecting: query.operands, of: query.model,
      reader.schema)
    var groups = OrderedGroups(LiveRows(nil))
    if case .aggregating(let aggregates, _) = query.computation {
      let computation = LiveRows.Computation(aggregates, result.request.selection)
      groups = OrderedGroups(
        LiveRows(computation), try reader.order(of: aggregates), names: aggregates.names)
      self.aggregates = aggregates
    } else {
      aggregates = nil
    }
    storesValues = aggregates?.request.isPaged == false
    readsModels = query.model != nil
    isCount = if case .counting = query.computation { true } else { false }
    let request = result.request.unordered
    self.request = storesValues ? request : request.withoutSelection
    self.reader = try reader.session.resultReader(
      of: self.request, models: nil, isSectioned: false)
    state = Lock(State(groups: groups))
    _ = try update(nil, reader)
  }

  /// The number of rows, and the groups.
  var values: (count: Int, groups: GroupsSnapshot) {
    state.withLock { ($0.groups?.rows.count ?? 0, $0.groups?.snapshot ?? GroupsSnapshot()) }
  }

  var counts: UpdateCounts { state.withLock { $0.counts } }

  /// Follows a commit.
  ///
  /// - Returns: Whether what is computed from the rows may have changed.
  func follow(_ commit: CommittedChanges, _ reader: StoreReader) throws -> Bool {
    let missesCommits = state.withLock { $0.missesCommits }
    if !missesCommits, try !mayAffect(commit, reader) { return false }
    let isKnown = commit.hasAllTables && !missesCommits
    let touched = isKnown ? try reader.touchedRows(of: result, by: commit) : nil
    if touched?.isEmpty == true { return false }
    // After an error, the value is not that of the former rows.
    let mayHaveChanged = try update(touched, reader) || missesCommits
    state.withLock { $0.missesCommits = false }
    return mayHaveChanged
  }

  /// Records that a commit could not be followed, or that the value could not be read.
  func fail() { state.withLock { $0.missesCommits = true } }

  /// Records that a statement reads a value.
  func countStatement() { state.withLock { $0.counts.statements += 1 } }

  /// Returns whether a commit may affect the value, based on the written rows only.
  private func mayAffect(_ commit: CommittedChanges, _ reader: StoreReader) throws -> Bool {
    guard let rows = try reader.fewOwnRows(of: result, by: commit) else { return true }
    return state.withLock { state in
      !rows.allSatisfy { rowID, row in
        let isIncluded = state.groups?.rows.contains(rowID) != false
        if isIncluded && readsModels { return row.isUnchanged }
        return result.isUnmoved(by: row, isIncluded: isIncluded)
      }
    }
  }

  /// Updates the rows and the groups.
  ///
  /// - Parameter touched: What a commit may have changed; nil if that is unknown.
  /// - Returns: Whether what is computed from the rows may have changed.
  private func update(_ touched: TouchedRows?, _ reader: StoreReader) throws -> Bool {
    // Taken, so that the rows are changed in place and nothing is read while they are
    // locked.
    guard
      var groups = state.withLock({ state in
        defer { state.groups = nil }
        return state.groups
      })
    else { return false }
    defer { state.withLock { [groups] in $0.groups = groups } }
    guard try update(&groups.rows, touched, reader) else { return false }
    guard let aggregates else { return true }
    let former = groups.snapshot.log.generation
    if try !groups.update() {
      countStatement()
      try groups.set(reader.fetch(aggregates))
    }
    return groups.snapshot.log.generation != former
  }

  private func update(
    _ rows: inout LiveRows, _ touched: TouchedRows?, _ reader: StoreReader
  ) throws -> Bool {
    guard let touched, touched.hasAllMoveCandidates, rows.hasValues == storesValues,
      !RequiredUpdate.exceedsLookups(touched.moveCandidates.count, of: rows.count)
    else {
      try read(&rows, reader)
      return true
    }
    let oldCount = rows.count
    var mayHaveChanged = readsModels && touched.changesContent(of: rows)
    var candidates = touched.moveCandidates
    do {
      try self.reader.forEachRow(among: candidates, reader) { row, values in
        candidates.remove(row)
        rows.set(row, values)
        mayHaveChanged = true
      }
    } catch is UnreadableValue {
      try read(&rows, reader)
      return true
    }
    for row in candidates where rows.remove(row) { mayHaveChanged = true }
    state.withLock { $0.counts.incremental += 1 }
    return isCount ? rows.count != oldCount : mayHaveChanged
  }

  /// Reads all rows again.
  private func read(_ rows: inout LiveRows, _ reader: StoreReader) throws {
    state.withLock { $0.counts.full += 1 }
    try rows.read(self.reader, request, storingValues: storesValues, reader)
  }
}

extension TouchedRows {
  /// Whether the content of models of some rows may have changed.
  fileprivate func changesContent(of rows: LiveRows) -> Bool {
    !keysOfUnknownRows.isEmpty || writtenRows.keys.contains(where: rows.contains)
      || relatedKeys.keys.contains(where: rows.contains)
  }
}

extension LiveRows {
  /// Reads all rows again. If another program has stored a value that does not have its
  /// type, only the identities of the rows are stored.
  fileprivate mutating func read(
    _ result: any ResultReader, _ request: ResolvedRequest, storingValues: Bool,
    _ reader: StoreReader
  ) throws {
    removeAll(storingValues: storingValues)
    guard storingValues else {
      try result.scan(reader, limit: nil) { rowIDs, _ in
        for row in rowIDs { set(row, []) }
      }
      return
    }
    do {
      try reader.session.forEachRow(of: request) { set($0, Array($1)) }
    } catch is UnreadableValue {
      try read(result, request, storingValues: false, reader)
    }
  }
}

extension LiveRows.Computation {
  /// - Parameter selection: The operands of the aggregates, as ``RequestAggregates/operands``.
  fileprivate init(_ request: RequestAggregates, _ selection: [ResolvedOperand]) {
    self.init(
      keyCount: request.keys.count, request.aggregates,
      selection.dropFirst(request.keys.count))
  }
}
