public import MohoMapping

/// What becomes of a row that has changed in the store since a context read it,
/// when the context is saved.
public enum ConflictPolicy: Sendable {
  /// Nothing is saved, and the error lists all conflicts.
  case error
  /// The row is as the store has it; what was changed of its values is lost.
  case storeWins
  /// The row is as the context has it, all of its values. A row that is gone is
  /// inserted again.
  case contextWins
  /// Each key is as the context has it where that has changed it, and as the
  /// store has it elsewhere; the closure chooses for keys that both have
  /// changed. A row that is gone remains a conflict, and one that is to be
  /// deleted is deleted.
  case perKey(@Sendable (KeyConflict) -> KeyChoice)

  /// Each key is as the context has it where that has changed it, and as the
  /// store has it elsewhere.
  public static let perKey = ConflictPolicy.perKey { _ in .mine }
}

/// Whose value a key takes.
public enum KeyChoice: Sendable, Hashable {
  /// The context's.
  case mine
  /// The store's.
  case theirs
}

/// A key that the store has another value of than a context has read.
public struct KeyConflict: Sendable, Hashable {
  /// The row.
  public let row: RowIdentity
  /// The name of the key.
  public let key: String
  /// The value that the context has read.
  public let old: FieldContent
  /// The value that the context has now.
  public let mine: FieldContent
  /// The value that the store has now. Rows that links lead to are their
  /// identities.
  public let theirs: FieldContent
}

/// A row that has changed in the store since a context read it.
public struct SaveConflict: Sendable, Hashable {
  /// What has become of the row in the store.
  public enum Kind: Sendable, Hashable {
    /// It has other values.
    case changed
    /// It is gone.
    case deleted
  }

  /// The row.
  public let row: RowIdentity
  /// What has become of it in the store.
  public let kind: Kind
  /// The keys that have other values in the store, in declaration order.
  public let keys: [KeyConflict]
}

/// Why a context was not saved: rows have changed since they were read.
///
/// Context and store are as they were. ``EditingContext/refresh(_:keepingChanges:)``
/// takes the store's values, so that the context can be saved.
public struct ConflictError: Error, Sendable, CustomStringConvertible {
  /// All conflicts, in the order of saving.
  public let conflicts: [SaveConflict]

  /// A line for each conflict.
  public var description: String {
    conflicts.map { conflict in
      switch conflict.kind {
      case .deleted: "save conflict: \(conflict.row) was deleted since it was fetched"
      case .changed:
        "save conflict: \(conflict.row) changed since it was fetched - "
          + (conflict.keys.count == 1 ? "key " : "keys ")
          + conflict.keys.map { "`\($0.key)`" }.joined(separator: ", ")
      }
    }.joined(separator: "\n")
  }
}
