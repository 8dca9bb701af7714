/// A table: its columns, its links to other tables, its identity and its
/// constraints.
///
/// Entities are derived from models, or declared by hand for rows without one:
///
/// ```swift
/// let task = Entity("Task",
///   attributes: [
///     Attribute("text", .string, constraints: [.length(1...200)]),
///     Attribute("priority", .int16, default: .int64(3), constraints: .range(1...5)),
///   ],
///   relationships: [.toOne("list", "List", inverse: "tasks")],
///   unique: [["text", "list"]])
/// ```
public struct Entity: Sendable, Hashable {
  /// The name of the table.
  public let name: String

  /// The columns, in declaration order.
  public let attributes: [Attribute]

  /// The links to other rows, in declaration order.
  public let relationships: [Relationship]

  /// The keys, attributes or relationships to one, whose values no two rows
  /// have together. Nil equals no other nil.
  public let uniqueKeys: [[String]]

  /// The keys that indexes are kept on, beside those that are unique.
  public let indexes: [[String]]

  /// The name that the entity had before, or nil: a store that has a table of
  /// that name and none of this renames it.
  public let renamedFrom: String?

  /// Declares an entity.
  ///
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - attributes: The columns.
  ///   - relationships: The links to other rows.
  ///   - uniqueKeys: The keys whose values no two rows have together. The first
  ///     says which row is meant when a row is saved.
  ///   - indexes: The keys that indexes are kept on.
  ///   - renamedFrom: The name that the entity had before.
  public init(
    _ name: String, attributes: [Attribute], relationships: [Relationship] = [],
    unique uniqueKeys: [[String]] = [], indexes: [[String]] = [], renamedFrom: String? = nil
  ) {
    self.name = name
    self.attributes = attributes
    self.relationships = relationships
    self.uniqueKeys = uniqueKeys
    self.indexes = indexes
    self.renamedFrom = renamedFrom
  }

  /// The attribute of a name.
  public func attribute(_ name: String) -> Attribute? { attributes.first { $0.name == name } }

  /// The relationship of a name.
  public func relationship(_ name: String) -> Relationship? {
    relationships.first { $0.name == name }
  }

  /// The attribute that tells which row a model is: the first that is unique by
  /// itself.
  ///
  /// Without one, each save of a model is a new row.
  public var uniqueAttribute: Attribute? {
    uniqueKeys.lazy.filter { $0.count == 1 }.compactMap { attribute($0[0]) }.first
  }

  /// The column that is the table's row identity: the unique attribute where it
  /// is a required integer, else a column of the store's own.
  public var identityColumn: String {
    uniqueAttribute.flatMap { $0.isIdentityType ? $0.name : nil } ?? "_moho_id"
  }

  /// The entity under another name.
  func named(_ name: String) -> Entity {
    Entity(
      name, attributes: attributes, relationships: relationships, unique: uniqueKeys,
      indexes: indexes, renamedFrom: renamedFrom)
  }

  func isIdentity(_ attribute: Attribute) -> Bool { attribute.name == identityColumn }
}

extension Attribute {
  fileprivate var isIdentityType: Bool {
    switch type {
    case .int16, .int32, .int64: !isOptional
    default: false
    }
  }
}
