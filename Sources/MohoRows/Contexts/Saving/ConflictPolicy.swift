public import MohoMapping

/// How a context saves a row that has changed in the store since the context
/// read it.
public enum ConflictPolicy: Sendable {
  /// Nothing is saved, and the error lists all conflicts.
  case error
  /// The row keeps the values of the store. Changes of the context are lost.
  case storeWins
  /// The row takes all values of the context. A deleted row is inserted again.
  case contextWins
  /// Each key takes the value of the side that has changed it. The closure
  /// chooses for keys that both have changed. A row that is deleted in the store
  /// is a conflict. A row that is deleted in the context is deleted.
  case perKey(@Sendable (KeyConflict) -> KeyChoice)

  /// Each key takes the value of the side that has changed it; the context's if
  /// both have.
  public static let perKey = ConflictPolicy.perKey { _ in .mine }
}

/// The side whose value a key takes.
public enum KeyChoice: Sendable, Hashable {
  /// The context's.
  case mine
  /// The store's.
  case theirs
}

/// A key whose value in the store differs from the value that the context has
/// read.
public struct KeyConflict: Sendable, Hashable {
  /// The row.
  public let row: RowIdentity
  /// The name of the key.
  public let key: String
  /// The value that the context has read.
  public let old: FieldContent
  /// The current value of the context.
  public let mine: FieldContent
  /// The current value of the store. Linked rows are their identities.
  public let theirs: FieldContent
}

/// A row that has changed in the store since a context read it.
public struct SaveConflict: Sendable, Hashable {
  /// How the row has changed in the store.
  public enum Kind: Sendable, Hashable {
    /// It has different values.
    case changed
    /// It was deleted.
    case deleted
  }

  /// The row.
  public let row: RowIdentity
  /// How it has changed in the store.
  public let kind: Kind
  /// The keys whose values in the store differ, in declaration order.
  public let keys: [KeyConflict]
}

/// The error of a context that was not saved because rows have changed since
/// they were read.
///
/// Context and store are unchanged.
/// ``EditingContext/refresh(_:keepingChanges:)`` takes the values of the store,
/// so that the context can be saved.
public struct ConflictError: Error, Sendable, CustomStringConvertible {
  /// All conflicts, in the order of saving.
  public let conflicts: [SaveConflict]

  package init(conflicts: [SaveConflict]) { self.conflicts = conflicts }

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
