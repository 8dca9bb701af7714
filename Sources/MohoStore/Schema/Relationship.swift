public import MohoMapping

/// What links the rows of an entity to rows of another, or of the same.
public struct Relationship: Sendable, Hashable {
  /// The name of the key.
  public let name: String
  /// The name of the entity at the other end.
  public let destination: String
  /// Whether a row is linked to any number of rows.
  public let isToMany: Bool
  /// Whether the rows that a row is linked to have an order.
  public let isOrdered: Bool
  /// Whether a row may be linked to none, of a relationship to one.
  public let isOptional: Bool
  /// The relationship of the destination that is the way back, or nil where
  /// none is declared.
  public let inverse: String?
  /// What becomes of the rows at the other end when a row is deleted.
  public let deleteRule: DeleteRule
  /// How many rows a row may be linked to; nil for any number.
  public let count: ClosedRange<Int>?
  /// The name that the relationship had before, or nil: a store that has links
  /// of that name and none of this renames them.
  public private(set) var renamedFrom: String?

  /// Declares a relationship to one row.
  public static func toOne(
    _ name: String, _ destination: String, isOptional: Bool = true, inverse: String? = nil,
    onDelete deleteRule: DeleteRule = .nullify, renamedFrom: String? = nil
  ) -> Relationship {
    Relationship(
      name: name, destination: destination, isToMany: false, isOrdered: false,
      isOptional: isOptional, inverse: inverse, deleteRule: deleteRule, count: nil,
      renamedFrom: renamedFrom)
  }

  /// Declares a relationship to any number of rows.
  public static func toMany(
    _ name: String, _ destination: String, isOrdered: Bool = false, inverse: String? = nil,
    onDelete deleteRule: DeleteRule = .nullify, count: ClosedRange<Int>? = nil,
    renamedFrom: String? = nil
  ) -> Relationship {
    Relationship(
      name: name, destination: destination, isToMany: true, isOrdered: isOrdered,
      isOptional: true, inverse: inverse, deleteRule: deleteRule, count: count,
      renamedFrom: renamedFrom)
  }
}
