import MohoRows
import Synchronization

/// What observers read about the rows that a commit has written.
enum RowQueryKind: Hashable {
  /// The rows that are in the result, in order, with their predecessors and sections.
  case positions
  /// The rows that are in the result, in order, with their sections.
  case members
}

/// A query for some rows.
struct RowQueryKey: Hashable {
  let kind: RowQueryKind
  let rowIDs: Set<Int64>
}

extension PostgresResultReader {
  /// Returns the query of a kind, or nil if no query returns the rows in all states.
  func query(_ kind: RowQueryKind) -> SQLQuery? {
    switch kind {
    case .positions: sql?.predecessors
    case .members: sql?.members
    }
  }

  /// Reads rows for an observer of a commit.
  ///
  /// The readers of other results of the same entity probably read the same rows,
  /// so all of them are read in one round trip. A reader whose last result was not
  /// used does not take part.
  func rows(
    _ kind: RowQueryKind, _ query: SQLQuery, _ rowIDs: Set<Int64>, _ session: PostgresSession
  ) throws -> PostgresResult {
    guard session.reportedCommit != nil else { return try run(query, rowIDs, session) }
    let key = RowQueryKey(kind: kind, rowIDs: rowIDs)
    state.withLock { _ = $0.expected.insert(kind) }
    if let known = shared(session, { $0.found[key] }) { return known }
    let locks = try session.connection.stepLocks
    try locks?.lock(tables, on: session.connection)
    let others =
      session.reportedCommit?.resultReaders.expectedQueries(for: rowIDs, session, except: self)
      .filter { locks?.hasLocked($0.reader.tables) ?? true } ?? []
    guard !others.isEmpty, let results = try? rows(rowIDs, query, with: others, session) else {
      try session.recover()
      let result = try run(query, rowIDs, session)
      share(session) { $0.found[key] = result }
      return result
    }
    for (other, result) in zip(others, results.dropFirst()) {
      let key = RowQueryKey(kind: other.kind, rowIDs: rowIDs)
      other.reader.share(session) { $0.found[key] = result }
    }
    share(session) { $0.found[key] = results[0] }
    return results[0]
  }

  private func rows(
    _ rowIDs: Set<Int64>, _ query: SQLQuery, with others: [ExpectedQuery],
    _ session: PostgresSession
  ) throws -> [PostgresResult] {
    let queries = try ([query] + others.map(\.query)).map {
      try PostgresQuery($0, among: rowIDs)
    }
    let connection = try session.connection
    guard let locks = connection.stepLocks else { return try connection.queries(queries) }
    return try locks.withoutRecordingReads { try connection.queries(queries) }
  }

  /// Returns the queries whose results observers of the commit probably need.
  func expectedQueries(
    for rowIDs: Set<Int64>, _ session: PostgresSession
  ) -> [ExpectedQuery] {
    let expected = state.withLock { $0.expected }
    return expected.compactMap { kind in
      let key = RowQueryKey(kind: kind, rowIDs: rowIDs)
      guard shared(session, { $0.found[key] }) == nil, let query = query(kind) else { return nil }
      state.withLock { _ = $0.expected.remove(kind) }
      return ExpectedQuery(reader: self, kind: kind, query: query)
    }
  }
}

/// A query whose result observers of a commit probably need.
struct ExpectedQuery {
  let reader: PostgresResultReader
  let kind: RowQueryKind
  let query: SQLQuery
}

extension PostgresQuery {
  /// Creates the query with identities of rows as its last argument.
  init(_ query: SQLQuery, among rowIDs: Set<Int64>) throws {
    var arguments = try PostgresArguments(query.arguments)
    arguments.append(rowIDs)
    self.init(query.sql, arguments)
  }
}
