public import Foundation
public import MohoMapping

/// The way a context saves a row that has changed in the store since the
/// context read it.
public enum ConflictPolicy: Sendable {
  /// Nothing is saved, and the error lists all conflicts.
  case error
  /// The row takes the values of the store, and an assigned relationship takes the
  /// links of the store and those to new rows. The changes of the context are lost.
  case storeWins
  /// The row takes all values of the context, and an assigned relationship takes
  /// exactly its links. A deleted row is inserted again.
  case contextWins
  /// Each key takes the value of the side that has changed it. The closure
  /// chooses a side for keys that both have changed. The additions and removals of
  /// both sides apply to a to-many relationship, and the closure chooses the order
  /// if both have moved rows. A row that has been
  /// deleted in the store is a conflict. A row that is deleted in the context
  /// is deleted.
  case perKey(@Sendable (KeyConflict) -> KeyChoice)

  /// Each key takes the value of the side that has changed it, or the value of
  /// the context if both have changed it.
  public static let perKey = ConflictPolicy.perKey { _ in .mine }
}

/// The side of a conflict from which a key takes its value.
public enum KeyChoice: Sendable, Hashable {
  /// The value of the context.
  case mine
  /// The value of the store.
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
  /// The current value of the store. A linked row is represented by its
  /// identity.
  public let theirs: FieldContent
}

/// A row that has changed in the store since a context read it.
public struct SaveConflict: Sendable, Hashable {
  /// A kind of change in the store.
  public enum Kind: Sendable, Hashable {
    /// The row has different values.
    case changed
    /// The row was deleted.
    case deleted
    /// The row is linked to other rows. The values of the key are the identities of
    /// the linked rows.
    case linked
  }

  /// The row.
  public let row: RowIdentity
  /// The kind of change in the store.
  public let kind: Kind
  /// The keys whose values in the store differ, in declaration order.
  public let keys: [KeyConflict]
}

/// An error that prevents saving a context, because rows have changed since
/// they were read.
///
/// The context and the store are unchanged. To save the context, read the
/// values of the store with ``EditingContext/refresh(_:keepingChanges:)-(ManagedRow,_)``
/// first.
public struct ConflictError: Error, Sendable, CustomStringConvertible {
  /// All conflicts, in the order of saving.
  public let conflicts: [SaveConflict]

  package init(conflicts: [SaveConflict]) { self.conflicts = conflicts }

  /// A description with one line per conflict.
  public var description: String {
    conflicts.map { conflict in
      switch conflict.kind {
      case .deleted: "save conflict: \(conflict.row) was deleted since it was fetched"
      case .linked:
        "save conflict: \(conflict.row) was linked to other rows since it was fetched - "
          + "key " + conflict.keys.map { "`\($0.key)`" }.joined(separator: ", ")
      case .changed:
        "save conflict: \(conflict.row) changed since it was fetched - "
          + (conflict.keys.count == 1 ? "key " : "keys ")
          + conflict.keys.map { "`\($0.key)`" }.joined(separator: ", ")
      }
    }.joined(separator: "\n")
  }
}

extension ConflictError: LocalizedError {
  /// The description of the error, for `localizedDescription`. It is not
  /// localized.
  public var errorDescription: String? { description }
}
