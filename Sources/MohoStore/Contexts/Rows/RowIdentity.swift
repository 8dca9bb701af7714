import Synchronization

/// Which row of a store a managed row is.
///
/// A row that was not saved yet has a temporary identity, which no other row of
/// the process has; saving it replaces the identity by that of the store.
public struct RowIdentity: Hashable, Sendable {
  /// How rows of one entity are told apart.
  public enum Key: Hashable, Sendable {
    /// The identity in the table.
    case stored(Int64)
    /// The number of a row that is in no table yet.
    case temporary(Int)
  }

  /// The name of the entity.
  public let entity: String
  /// How rows of the entity are told apart.
  public let key: Key

  /// The identity of a row in a table.
  public init(entity: String, stored identity: Int64) {
    self.init(entity: entity, key: .stored(identity))
  }

  /// The identity of a row by what tells it apart.
  package init(entity: String, key: Key) {
    self.entity = entity
    self.key = key
  }

  /// The identity in the table, or nil of a row that was not saved yet.
  public var stored: Int64? {
    if case .stored(let identity) = key { identity } else { nil }
  }

  /// Whether the row was not saved yet.
  public var isTemporary: Bool { stored == nil }

  /// An identity that no row has yet.
  static func makeTemporary(_ entity: String) -> RowIdentity {
    let number = lastTemporary.wrappingAdd(1, ordering: .relaxed).newValue
    return RowIdentity(entity: entity, key: .temporary(number))
  }

  private static let lastTemporary = Atomic<Int>(0)
}

extension RowIdentity: Comparable {
  /// By entity; then what is stored before what is not.
  public static func < (one: RowIdentity, other: RowIdentity) -> Bool {
    (one.entity, one.key) < (other.entity, other.key)
  }
}

extension RowIdentity.Key: Comparable {
  /// What is stored before what is not.
  public static func < (one: Self, other: Self) -> Bool {
    switch (one, other) {
    case (.stored(let one), .stored(let other)): one < other
    case (.temporary(let one), .temporary(let other)): one < other
    case (.stored, .temporary): true
    case (.temporary, .stored): false
    }
  }
}

extension RowIdentity: CustomStringConvertible {
  /// The entity in backticks and the key:
  ///
  /// ```
  /// `Episode` 42
  /// `Episode` new 3
  /// ```
  public var description: String {
    switch key {
    case .stored(let identity): "`\(entity)` \(identity)"
    case .temporary(let number): "`\(entity)` new \(number)"
    }
  }
}
