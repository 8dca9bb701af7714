import Synchronization

/// The identity of a managed row.
///
/// A row that has not been saved has a temporary identity, which is unique in
/// the process. Saving the row replaces it with the identity in the store.
public struct RowIdentity: Hashable, Sendable {
  /// The part of the identity that is unique within an entity.
  public enum Key: Hashable, Sendable {
    /// The identity in the table.
    case stored(Int64)
    /// The number of a row that has not been saved.
    case temporary(Int)
  }

  /// The name of the entity.
  public let entity: String
  /// The part of the identity that is unique within the entity.
  public let key: Key

  /// Creates the identity of a row in a table.
  public init(entity: String, stored identity: Int64) {
    self.init(entity: entity, key: .stored(identity))
  }

  package init(entity: String, key: Key) {
    self.entity = entity
    self.key = key
  }

  /// The identity in the table, or nil if the row has not been saved.
  public var stored: Int64? {
    if case .stored(let identity) = key { identity } else { nil }
  }

  /// A Boolean value indicating whether the row has not been saved.
  public var isTemporary: Bool { stored == nil }

  /// Creates a new temporary identity.
  static func makeTemporary(_ entity: String) -> RowIdentity {
    let number = lastTemporary.wrappingAdd(1, ordering: .relaxed).newValue
    return RowIdentity(entity: entity, key: .temporary(number))
  }

  private static let lastTemporary = Atomic<Int>(0)
}

extension RowIdentity: Comparable {
  /// Orders identities by entity. Within an entity, stored identities precede
  /// temporary ones.
  public static func < (one: RowIdentity, other: RowIdentity) -> Bool {
    (one.entity, one.key) < (other.entity, other.key)
  }
}

extension RowIdentity.Key: Comparable {
  /// Stored identities precede temporary ones.
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
  /// The entity in backticks, followed by the key:
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
