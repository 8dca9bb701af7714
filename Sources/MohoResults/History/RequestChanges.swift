public import MohoRows

/// The rows of a request that have changed since a token.
///
/// ```swift
/// let changes = try store.fetchChanges(of: request, since: token, shown: shownRows)
/// for row in changes.inserted { highlight(row) }
/// ```
///
/// Rows are named by their identities, as in `fetchIdentities` and in
/// `ResultsSnapshot.index`.
///
/// **Guarantees**
///
/// With the rows that were shown at the token, all sets are exact: they compare
/// these rows with the rows of the request, including its limit. A row is updated
/// if a key of the row itself has changed.
///
/// **Limits**
///
/// - The history does not contain former values. Without the rows that were shown,
///   it is not known whether a changed row was in the request before. A row that
///   entered the request by an update is ``updated``. Rows that have left the
///   request by an update of a key that its conditions read are ``removed``, and
///   so are all deleted rows, whether they had been in the request or not.
/// - Changes of related rows are not included. If conditions read related rows,
///   each updated row that is not in the request is ``removed``.
public struct RequestChanges: Sendable, Hashable {
  /// The position of the state that the changes lead to.
  public let token: HistoryToken
  /// The rows that are in the request and were not in it.
  public let inserted: Set<Int64>
  /// The rows that are in the request and have changed, with the changed keys.
  public let updated: [Int64: Set<String>]
  /// The rows that are not in the request or not in the store anymore.
  public let removed: Set<Int64>

  /// A Boolean value indicating whether no row has changed.
  public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && removed.isEmpty }
}

extension RequestChanges: CustomStringConvertible {
  /// The numbers of rows, such as `2 inserted, 1 updated, 0 removed`.
  public var description: String {
    "\(inserted.count) inserted, \(updated.count) updated, \(removed.count) removed"
  }
}

extension StoreReader {
  /// Returns the rows of a request that have changed since a token.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - token: The position to start at, or nil for all recorded transactions.
  ///   - authors: The authors whose transactions are omitted.
  ///   - shown: The identities of the rows that the request had at the token, if
  ///     they are known. See ``RequestChanges``.
  /// - Throws: The errors of `fetchHistory(since:excludingAuthors:limit:)`, and a
  ///   `StoreError` if the request is invalid.
  /// - Complexity: Reads all changes since the token. Also reads the identities of
  ///   all rows of the request if `shown` is not nil or the request has a limit.
  public func fetchChanges(
    of request: some StoreRequest, since token: HistoryToken?,
    excludingAuthors authors: Set<String> = [], shown: [Int64]? = nil
  ) throws -> RequestChanges {
    let request = request.rows
    let definition = try ResultDefinition(
      request.unordered, isOrdered: false, of: nil, schema)
    let entity = definition.entity
    let changes = try fetchChanges(since: token, excludingAuthors: authors)
    let end = try currentHistoryToken()
    var rows = ChangedRows()
    for change in changes.rows(of: entity.name) {
      guard let row = change.row.stored else { continue }
      switch change.kind {
      case .inserted: rows.inserted.insert(row)
      case .updated: rows.updated[row] = change.changedKeys ?? entity.keys
      case .deleted: rows.deleted.insert(row)
      }
    }
    let changed = rows.inserted.union(rows.updated.keys)
    let members =
      shown != nil || request.isPaged
      ? Set(try fetchIdentities(request))
      : try session.resultReader(of: request.unordered, models: nil, isSectioned: false)
        .members(among: changed, self)
    if let shown {
      return rows.changes(from: Set(shown), to: members, end)
    }
    return rows.changes(in: members, end) { keys in
      !definition.readsOnlyOwnTable || !definition.sources.positionColumns.isDisjoint(with: keys)
    }
  }
}

/// The rows of an entity that have changed.
private struct ChangedRows {
  var inserted: Set<Int64> = []
  var updated: [Int64: Set<String>] = [:]
  var deleted: Set<Int64> = []

  /// Returns the changes between the rows of a request at two times. A new row can
  /// have the identity of a deleted one.
  func changes(
    from old: Set<Int64>, to new: Set<Int64>, _ token: HistoryToken
  ) -> RequestChanges {
    let isNew = { (row: Int64) in !old.contains(row) || inserted.contains(row) }
    return RequestChanges(
      token: token, inserted: new.filter(isNew),
      updated: updated.filter { new.contains($0.key) && !isNew($0.key) },
      removed: old.filter { !new.contains($0) || deleted.contains($0) })
  }

  /// Returns the changes of rows that may have been in a request.
  ///
  /// - Parameter affectsMembership: Whether changed keys may have moved a row into
  ///   the request or out of it.
  func changes(
    in members: Set<Int64>, _ token: HistoryToken, _ affectsMembership: (Set<String>) -> Bool
  ) -> RequestChanges {
    let left = updated.filter { !members.contains($0.key) && affectsMembership($0.value) }
    return RequestChanges(
      token: token, inserted: inserted.intersection(members),
      updated: updated.filter { members.contains($0.key) },
      removed: deleted.union(left.keys))
  }
}

extension Entity {
  fileprivate var keys: Set<String> { Set(attributes.map(\.name) + relationships.map(\.name)) }
}

extension ModelStore {
  /// Returns the rows of a request that have changed since a token.
  ///
  /// - Throws: The errors of
  ///   `StoreReader.fetchChanges(of:since:excludingAuthors:shown:)`.
  public func fetchChanges(
    of request: some StoreRequest, since token: HistoryToken?,
    excludingAuthors authors: Set<String> = [], shown: [Int64]? = nil
  ) throws -> RequestChanges {
    try read { reader in
      try reader.fetchChanges(
        of: request, since: token, excludingAuthors: authors, shown: shown)
    }
  }

  /// Returns the rows of a request that have changed since a token, without
  /// blocking the calling thread.
  ///
  /// - Throws: The errors of
  ///   `StoreReader.fetchChanges(of:since:excludingAuthors:shown:)`.
  public func fetchChanges(
    of request: some StoreRequest, since token: HistoryToken?,
    excludingAuthors authors: Set<String> = [], shown: [Int64]? = nil
  ) async throws -> RequestChanges {
    let rows = request.rows
    return try await read { reader in
      try reader.fetchChanges(of: rows, since: token, excludingAuthors: authors, shown: shown)
    }
  }
}
