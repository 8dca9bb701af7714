public import Foundation
public import MohoMapping

/// The change of one row in a transaction, or in several transactions.
public struct HistoryChange: Sendable, Hashable {
  /// The kind of a change.
  public enum Kind: Sendable, Hashable {
    /// The row did not exist before.
    case inserted
    /// The row existed before and exists after the change.
    case updated
    /// The row does not exist after the change.
    case deleted
  }

  /// The identity of the row in its table. It is valid in this store only.
  public let row: RowIdentity

  /// The value of the unique key, in the form of `ModelReference.key`. It
  /// identifies the row in other stores, too, and is also available for deleted
  /// rows.
  ///
  /// If the entity has no unique key, this is the identity in the table. If a
  /// part of the unique key is nil, this is null.
  public let key: FieldContent

  /// The kind of the change.
  public let kind: Kind

  /// The names of the keys that an update has changed. They include
  /// relationships that the row has gained or lost members of.
  ///
  /// Nil if the row was not updated, or if it was deleted and inserted again, so
  /// that any key may have changed.
  public let changedKeys: Set<String>?

  /// The time of the change: of the transaction, or of the last of several
  /// transactions.
  public let date: Date

  /// Creates a change.
  public init(
    row: RowIdentity, key: FieldContent, kind: Kind, changedKeys: Set<String>? = nil, date: Date
  ) {
    self.row = row
    self.key = key
    self.kind = kind
    self.changedKeys = changedKeys
    self.date = date
  }

  /// Returns the date of a time since 1970 in milliseconds, in which histories store times.
  package static func date(milliseconds: Int64) -> Date {
    Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
  }

  /// The name of the row's entity.
  public var entity: String { row.entity }

  /// Returns the reference to the changed row. Returns nil if the row is not a
  /// row of the model, or if the model has no unique key.
  public func reference<Model: MappedModel>(to model: Model.Type) -> ModelReference<Model>? {
    guard entity == model.mapping.name, key != .null else { return nil }
    return try? ModelReference<Model>(content: key)
  }
}

extension HistoryChange: CustomStringConvertible {
  /// The change on one line, such as `update `Episode` 8: season, title`.
  public var description: String {
    let subject = "`\(entity)` \(key == .null ? "\(row.stored ?? 0)" : "\(key)")"
    switch kind {
    case .inserted: return "insert \(subject)"
    case .updated:
      return "update \(subject)"
        + (changedKeys.map { ": " + $0.sorted().joined(separator: ", ") } ?? "")
    case .deleted: return "delete \(subject)"
    }
  }
}

/// A committed transaction with the rows that it has changed.
///
/// A transaction has at most one change for each row. It has no change for a row
/// that it has inserted and deleted.
public struct HistoryTransaction: Sendable, Hashable {
  /// The position after the transaction.
  public let token: HistoryToken

  /// The time of the transaction, in milliseconds.
  public let date: Date

  /// The author that was passed to `ModelStore.write(author:_:)`, or the
  /// ``EditingContext/author`` of a context. Nil for writes without an author, of
  /// GRDB, and of other programs.
  public let author: String?

  /// The changed rows, in the order of their first changes.
  public let changes: [HistoryChange]

  /// Creates a transaction.
  public init(token: HistoryToken, date: Date, author: String?, changes: [HistoryChange]) {
    self.token = token
    self.date = date
    self.author = author
    self.changes = changes
  }
}

extension HistoryTransaction: CustomStringConvertible {
  /// The author, followed by a line for each change.
  public var description: String {
    ([author ?? "no author"] + changes.map { "  \($0)" }).joined(separator: "\n")
  }
}
