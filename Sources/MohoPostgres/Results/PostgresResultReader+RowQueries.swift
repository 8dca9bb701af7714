import MohoRows
import Synchronization

/// What observers read about the rows that a commit has written.
enum RowQueryKind: Hashable {
  /// The rows that are in the result, with their predecessors and sections.
  case positions
  /// The rows that are in the result.
  case members
}

/// A query for some rows.
struct RowQueryKey: Hashable {
  let kind: RowQueryKind
  let rowIDs: Set<Int64>
}

extension PostgresResultReader {
  /// Returns the query of a kind, or nil if no query returns the rows in all states.
  func query(_ kind: RowQueryKind, for rowIDs: Set<Int64>) -> SQLQuery? {
    guard let sql else { return nil }
    switch kind {
    case .members: return sql.members
    case .positions:
      if let predecessors = sql.predecessors { return predecessors }
      return sortsAll(for: rowIDs.count) ? sql.ranks : nil
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
    guard session.commitNumber != nil else { return try run(query, rowIDs, session) }
    let key = RowQueryKey(kind: kind, rowIDs: rowIDs)
    state.withLock { _ = $0.expected.insert(kind) }
    if let known = shared(session, { $0.found[key] }) { return known }
    let others = session.resultReaders?.readers(expecting: key, session, except: self) ?? []
    guard !others.isEmpty, let results = try? rows(key, query, with: others, session) else {
      try session.recover()
      let result = try run(query, rowIDs, session)
      share(session) { $0.found[key] = result }
      return result
    }
    for (other, result) in zip(others, results.dropFirst()) {
      other.reader.share(session) { $0.found[key] = result }
    }
    share(session) { $0.found[key] = results[0] }
    return results[0]
  }

  private func rows(
    _ key: RowQueryKey, _ query: SQLQuery,
    with others: [(reader: PostgresResultReader, query: SQLQuery)], _ session: PostgresSession
  ) throws -> [PostgresResult] {
    try session.connection.queries(
      ([query] + others.map(\.query)).map { try PostgresQuery($0, among: key.rowIDs) })
  }

  /// Returns a query if observers of the commit probably need its result.
  func expectedQuery(_ key: RowQueryKey, _ session: PostgresSession) -> SQLQuery? {
    guard shared(session, { $0.found[key] }) == nil, let query = query(key.kind, for: key.rowIDs)
    else { return nil }
    return state.withLock { $0.expected.remove(key.kind) } == nil ? nil : query
  }
}

extension PostgresQuery {
  /// Creates the query with identities of rows as its last argument.
  init(_ query: SQLQuery, among rowIDs: Set<Int64>) throws {
    var arguments = try PostgresArguments(query.arguments)
    arguments.append(rowIDs)
    self.init(query.sql, arguments)
  }
}
