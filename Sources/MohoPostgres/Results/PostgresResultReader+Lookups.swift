import MohoRows
import Synchronization

/// What observers read about the rows that a commit has written.
enum Lookup: Hashable {
  /// The rows that are in the result, with their predecessors and sections.
  case positions
  /// The rows that are in the result.
  case members
}

/// A lookup of some rows.
struct LookupKey: Hashable {
  let lookup: Lookup
  let rowIDs: Set<Int64>
}

extension PostgresResultReader {
  /// Returns the query of a lookup, or nil if no single query answers it in all states.
  func query(_ lookup: Lookup, for rowIDs: Set<Int64>) -> SQLQuery? {
    guard let sql else { return nil }
    switch lookup {
    case .members: return sql.members
    case .positions:
      if let predecessors = sql.predecessors { return predecessors }
      return sortsAll(for: rowIDs.count) ? sql.ranks : nil
    }
  }

  /// Reads rows for an observer of a commit.
  ///
  /// The readers of other results of the same entity probably look up the same rows,
  /// so all of them are read in one round trip. A reader whose last result was not
  /// used does not take part.
  func lookUp(
    _ lookup: Lookup, _ query: SQLQuery, _ rowIDs: Set<Int64>, _ session: PostgresSession
  ) throws -> PostgresResult {
    guard session.commitNumber != nil else { return try run(query, rowIDs, session) }
    let key = LookupKey(lookup: lookup, rowIDs: rowIDs)
    state.withLock { _ = $0.expected.insert(lookup) }
    if let known = shared(session, { $0.found[key] }) { return known }
    let others = session.resultReaders?.readers(expecting: key, session, except: self) ?? []
    guard !others.isEmpty, let results = try? lookUp(key, query, with: others, session) else {
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

  private func lookUp(
    _ key: LookupKey, _ query: SQLQuery,
    with others: [(reader: PostgresResultReader, query: SQLQuery)], _ session: PostgresSession
  ) throws -> [PostgresResult] {
    try session.connection.queries(
      ([query] + others.map(\.query)).map { query in
        var arguments = try PostgresArguments(query.arguments)
        arguments.append(key.rowIDs)
        return PostgresQuery(query.sql, arguments)
      })
  }

  /// Returns the query of a lookup if observers of the commit probably need it.
  func expectedQuery(_ key: LookupKey, _ session: PostgresSession) -> SQLQuery? {
    guard shared(session, { $0.found[key] }) == nil, let query = query(key.lookup, for: key.rowIDs)
    else { return nil }
    return state.withLock { $0.expected.remove(key.lookup) } == nil ? nil : query
  }
}
