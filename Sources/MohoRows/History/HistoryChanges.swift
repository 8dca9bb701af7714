public import MohoMapping

/// The net changes of several transactions, with one change for each row.
///
/// ```swift
/// let changes = try store.fetchChanges(since: token, excludingAuthors: ["sync"])
/// print(changes)
/// ```
///
/// ```
/// insert `Episode` 7
/// update `Episode` 8: title
/// delete `Episode` 9
/// ```
///
/// | first | then | net change |
/// |---|---|---|
/// | inserted | updated | inserted |
/// | inserted | deleted | none |
/// | updated | updated | updated, with the keys of both |
/// | updated | deleted | deleted |
/// | deleted | inserted | updated, without changed keys |
///
/// Rows are identified by their unique keys. An update of a unique key is the
/// deletion of one row and the insertion of another.
public struct HistoryChanges: Sendable {
  private enum Identity: Hashable {
    case key(entity: String, UniqueKey)
    case row(RowIdentity)
  }

  /// The position after the last transaction. Nil before the first transaction.
  public private(set) var token: HistoryToken?

  /// The changes in the order of their first changes. Nil for rows without a net
  /// change.
  private var changes: [HistoryChange?] = []
  private var indices: [Identity: Int] = [:]

  /// Creates the net changes of transactions, in the order of the history.
  public init(_ transactions: some Sequence<HistoryTransaction> = []) {
    for transaction in transactions { append(transaction) }
  }

  /// - Parameter token: The position that the changes lead to, which may be
  ///   after the last transaction.
  package init(_ changes: HistoryChanges, upTo token: HistoryToken) {
    self = changes
    self.token = token
  }

  /// Adds the changes of a transaction that follows all transactions so far.
  public mutating func append(_ transaction: HistoryTransaction) {
    for change in transaction.changes { append(change) }
    token = transaction.token
  }

  /// Adds a later change.
  package mutating func append(_ change: HistoryChange) {
    let identity = Self.identity(of: change)
    guard let index = indices[identity], let earlier = changes[index] else {
      indices[identity] = changes.count
      changes.append(change)
      return
    }
    changes[index] = earlier.followed(by: change)
    if changes[index] == nil { indices[identity] = nil }
  }

  private static func identity(of change: HistoryChange) -> Identity {
    UniqueKey(change.key).map { .key(entity: change.entity, $0) } ?? .row(change.row)
  }

  /// The changed rows, in the order of their first changes.
  public var rows: [HistoryChange] { changes.compactMap { $0 } }

  /// Returns the changed rows of a model.
  public func rows<Model: MappedModel>(of model: Model.Type) -> [HistoryChange] {
    rows(of: model.mapping.name)
  }

  /// Returns the changed rows of an entity.
  public func rows(of entity: String) -> [HistoryChange] { rows.filter { $0.entity == entity } }

  /// Returns the change of a row, or nil if it has not changed.
  public subscript<Model: MappedModel>(reference: ModelReference<Model>) -> HistoryChange? {
    UniqueKey(reference.key).flatMap { indices[.key(entity: Model.mapping.name, $0)] }
      .flatMap { changes[$0] }
  }

  /// A Boolean value indicating whether no row has changed.
  public var isEmpty: Bool { indices.isEmpty }
}

extension HistoryChange {
  /// Returns the net change of two changes of a row. Returns nil if a row was
  /// inserted and then deleted.
  func followed(by later: HistoryChange) -> HistoryChange? {
    switch (kind, later.kind) {
    case (.inserted, .deleted): return nil
    case (.inserted, _): return later.with(.inserted, nil)
    case (_, .deleted): return later
    case (.updated, .updated):
      guard let changedKeys, let laterKeys = later.changedKeys else {
        return later.with(.updated, nil)
      }
      return later.with(.updated, changedKeys.union(laterKeys))
    // `REPLACE` inserts a row without deleting the existing one first.
    case (.deleted, _), (.updated, .inserted): return later.with(.updated, nil)
    }
  }

  private func with(_ kind: Kind, _ changedKeys: Set<String>?) -> HistoryChange {
    HistoryChange(row: row, key: key, kind: kind, changedKeys: changedKeys, date: date)
  }
}

extension HistoryChanges: Hashable {
  /// Returns a Boolean value indicating whether the same rows have changed in
  /// the same way, up to the same position.
  public static func == (one: HistoryChanges, other: HistoryChanges) -> Bool {
    one.token == other.token && one.rows == other.rows
  }

  /// Hashes the values that the equality operator compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(token)
    hasher.combine(rows)
  }
}

extension HistoryChanges: CustomStringConvertible {
  /// A line for each changed row.
  public var description: String { rows.map(\.description).joined(separator: "\n") }
}
