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
/// - A row is in at most one of the sets.
/// - With the rows that were shown at the token, all sets are exact: they compare
///   the identities that were shown with those of the request now, including its
///   limit. The shown rows without ``removed``, and with ``inserted``, are the rows
///   of the request.
/// - If a row has been deleted and its identity belongs to another row now, the row
///   that is shown has another content. It is ``updated`` with all keys.
///
/// **Limits**
///
/// - The history does not contain former values. A row is ``updated`` if a key of
///   the row itself has changed at any time since the token, even if it has its
///   former value again.
/// - Without the rows that were shown, it is not known whether a changed row was in
///   the request before. A row that entered the request by an update is
///   ``updated``. Rows that have left the request by an update of a key that its
///   conditions read are ``removed``, and so are all deleted rows, whether they had
///   been in the request or not.
/// - Without the rows that were shown, rows that `REPLACE` has deleted without a
///   record in the history are not ``removed``. See the article about the history.
/// - Changes of related rows are not included. If conditions read related rows,
///   each updated row that is not in the request is ``removed``.
public struct RequestChanges: Sendable, Hashable {
  /// The position of the state that the changes lead to.
  public let token: HistoryToken
  /// The rows that are in the request and were not in it.
  public let inserted: Set<Int64>
  /// The rows that are in the request, were in it, and have changed, with the
  /// changed keys. A row with a new unique key may have changed in all keys.
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
  ///   - authors: The authors whose transactions do not update rows. With `shown`,
  ///     rows that they have inserted and removed are included.
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
    let isOrdered = request.groupLimit != nil
    let definition = try ResultDefinition(
      isOrdered ? request : request.unordered, isOrdered: isOrdered, of: nil, schema)
    let entity = definition.entity
    let end = try currentHistoryToken()
    var rows = ChangedRows(allKeys: entity.keys)
    try session.forEachRowChange(
      of: entity.name, since: token, excludingAuthors: authors
    ) { rows.append($0) }
    let members =
      shown != nil || request.isPaged
      ? Set(try fetchIdentities(request))
      : try session.resultReader(of: definition.request, models: nil, isSectioned: false)
        .members(among: rows.changed, self)
    if let shown {
      return rows.changes(from: Set(shown), to: members, end)
    }
    return rows.changes(in: members, end) { keys in
      !definition.readsOnlyOwnTable || !definition.sources.positionColumns.isDisjoint(with: keys)
    }
  }
}

/// The rows of an entity that have changed, by their identities. A new row can have
/// the identity of a deleted one.
private struct ChangedRows {
  private struct Change {
    let existed: Bool
    var exists: Bool
    var keys: Set<String>
  }

  let allKeys: Set<String>
  private var changes: [Int64: Change] = [:]

  init(allKeys: Set<String>) { self.allKeys = allKeys }

  /// Adds a later change.
  mutating func append(_ change: HistoryRowChange) {
    let keys = change.kind == .updated ? change.keys : allKeys
    changes[
      change.row, default: Change(existed: change.kind != .inserted, exists: true, keys: [])
    ].keys.formUnion(keys)
    changes[change.row]?.exists = change.kind != .deleted
  }

  /// The identities of the changed rows. Another author may have given the identity of a
  /// deleted row to another one.
  var changed: Set<Int64> { Set(changes.keys) }

  /// Returns the changes between the rows of a request at two times.
  func changes(
    from old: Set<Int64>, to new: Set<Int64>, _ token: HistoryToken
  ) -> RequestChanges {
    let updated = changes.filter { old.contains($0.key) && new.contains($0.key) }
    return RequestChanges(
      token: token, inserted: new.subtracting(old), updated: updated.mapValues(\.keys),
      removed: old.subtracting(new))
  }

  /// Returns the changes of rows that may have been in a request.
  ///
  /// - Parameter affectsMembership: Whether changed keys may have moved a row into
  ///   the request or out of it.
  func changes(
    in members: Set<Int64>, _ token: HistoryToken, _ affectsMembership: (Set<String>) -> Bool
  ) -> RequestChanges {
    let existed = changes.filter(\.value.existed)
    let inserted = changes.filter { !$0.value.existed && members.contains($0.key) }
    let removed = existed.filter { row, change in
      !members.contains(row) && (!change.exists || affectsMembership(change.keys))
    }
    return RequestChanges(
      token: token, inserted: Set(inserted.keys),
      updated: existed.filter { members.contains($0.key) }.mapValues(\.keys),
      removed: Set(removed.keys))
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
