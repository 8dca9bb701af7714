public import MohoMapping

/// A relationship between the rows of an entity and the rows of another entity
/// or the same one.
public struct Relationship: Sendable, Hashable {
  /// The name of the key.
  public let name: String
  /// The name of the related entity.
  public let destination: String
  /// A Boolean value indicating whether a row can be linked to more than one
  /// row.
  public let isToMany: Bool
  /// A Boolean value indicating whether the related rows are ordered.
  public let isOrdered: Bool
  /// A Boolean value indicating whether a to-one relationship can be nil.
  public let isOptional: Bool
  /// The name of the inverse relationship, or nil if this relationship does not
  /// declare one.
  public let inverse: String?
  /// The rule for the related rows when a row is deleted, or nil if this
  /// relationship does not declare it.
  public let deleteRule: DeleteRule?
  /// The rule for a row when the row that it refers to is deleted, or nil if this
  /// relationship does not declare it.
  public let targetDeleteRule: DeleteRule?
  /// The valid number of related rows, or nil for any number.
  public let count: ClosedRange<Int>?
  /// The former name of the relationship. A store that has links with this
  /// name, and no links with the current name, renames them.
  public private(set) var renamedFrom: String?

  /// Creates a to-one relationship.
  ///
  /// - Parameters:
  ///   - name: The name of the relationship.
  ///   - destination: The name of the entity of the related row.
  ///   - isOptional: Whether a row may have no related row.
  ///   - inverse: The name of the relationship in the opposite direction.
  ///   - targetRule: What happens to a row when the row that it refers to is
  ///     deleted, like `ON DELETE` in SQL.
  ///   - deleteRule: What happens to the related row when a row is deleted, like
  ///     the delete rule in Core Data.
  ///   - renamedFrom: The former name of the relationship.
  public static func toOne(
    _ name: String, _ destination: String, isOptional: Bool = true, inverse: String? = nil,
    whenTargetIsDeleted targetRule: DeleteRule? = nil,
    whenThisIsDeleted deleteRule: DeleteRule? = nil, renamedFrom: String? = nil
  ) -> Relationship {
    Relationship(
      name: name, destination: destination, isToMany: false, isOrdered: false,
      isOptional: isOptional, inverse: inverse, deleteRule: deleteRule,
      targetDeleteRule: targetRule, count: nil, renamedFrom: renamedFrom)
  }

  /// Unavailable: `onDelete:` does not say which of the two rows is deleted.
  @available(
    *, unavailable,
    message:
      "use `whenTargetIsDeleted:` for what happens to this row when the related row is deleted, as `ON DELETE` in SQL, or `whenThisIsDeleted:` for what happens to the related row when this row is deleted, as the delete rule in Core Data"
  )
  public static func toOne(
    _ name: String, _ destination: String, isOptional: Bool = true, inverse: String? = nil,
    onDelete deleteRule: DeleteRule, renamedFrom: String? = nil
  ) -> Relationship {
    toOne(name, destination, isOptional: isOptional, inverse: inverse, renamedFrom: renamedFrom)
  }

  /// Creates a to-many relationship.
  ///
  /// - Parameters:
  ///   - name: The name of the relationship.
  ///   - destination: The name of the entity of the related rows.
  ///   - isOrdered: Whether the related rows have an order.
  ///   - inverse: The name of the relationship in the opposite direction.
  ///   - deleteRule: What happens to the related rows when a row is deleted.
  ///   - count: The valid number of related rows, or nil for any number.
  ///   - renamedFrom: The former name of the relationship.
  public static func toMany(
    _ name: String, _ destination: String, isOrdered: Bool = false, inverse: String? = nil,
    onDelete deleteRule: DeleteRule? = nil, count: ClosedRange<Int>? = nil,
    renamedFrom: String? = nil
  ) -> Relationship {
    Relationship(
      name: name, destination: destination, isToMany: true, isOrdered: isOrdered,
      isOptional: true, inverse: inverse, deleteRule: deleteRule, targetDeleteRule: nil,
      count: count, renamedFrom: renamedFrom)
  }
}
