/// The problems that `ModelStore.check(limit:)` has found in a store.
public struct StoreCheck: Sendable, Hashable {
  /// A reference to a row that does not exist.
  public struct DanglingReference: Sendable, Hashable, CustomStringConvertible {
    /// The entity that declares the relation.
    public let entity: String
    /// The relation.
    public let key: String
    /// The identity of the row with the reference.
    public let row: Int64
    /// The entity of the row that does not exist.
    public let destination: String
    /// The identity of the row that does not exist.
    public let target: Int64

    /// The message on a single line.
    public var description: String {
      DanglingLink.description("`\(entity).\(key)`", of: row, to: destination, "\(target)")
    }
  }

  /// The damage that the database reports, such as SQLite's `PRAGMA integrity_check`: pages
  /// that cannot be read, indexes without rows, and values that violate constraints of their
  /// tables. Always empty on PostgreSQL, which checks its files itself.
  public internal(set) var damage: [String] = []

  /// References to rows that do not exist, up to the limit for each relation.
  public internal(set) var danglingReferences: [DanglingReference] = []

  /// The number of all references to rows that do not exist.
  public internal(set) var danglingReferenceCount = 0

  /// A Boolean value indicating whether the check has found no problems.
  public var isValid: Bool { damage.isEmpty && danglingReferenceCount == 0 }
}

extension StoreCheck: CustomStringConvertible {
  /// The problems, one per line.
  public var description: String {
    if isValid { return "no problems" }
    let rest = danglingReferenceCount - danglingReferences.count
    return
      (damage + danglingReferences.map(\.description)
      + (rest > 0 ? ["\(rest) more references to rows that do not exist"] : []))
      .joined(separator: "\n")
  }
}
