/// A table of a store, with its columns, relationships, unique keys and
/// indexes.
///
/// Entities are derived from models. You can also declare entities for rows
/// without a model:
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
  /// The name of the entity and the table.
  public let name: String

  /// The attributes, in declaration order.
  public let attributes: [Attribute]

  /// The relationships, in declaration order.
  public let relationships: [Relationship]

  /// The combinations of attributes and to-one relationships whose values must
  /// be unique. Nil is not equal to another nil.
  public let uniqueKeys: [[String]]

  /// The indexed combinations of keys, in addition to the unique keys.
  public let indexes: [[String]]

  /// The former name of the entity. A store that has a table with this name,
  /// and no table with the current name, renames the table.
  public let renamedFrom: String?

  /// Creates an entity.
  ///
  /// - Parameters:
  ///   - name: The name of the entity and the table.
  ///   - attributes: The attributes.
  ///   - relationships: The relationships.
  ///   - uniqueKeys: The combinations of keys whose values must be unique. The
  ///     first one that consists of a single attribute identifies the rows when
  ///     models are saved.
  ///   - indexes: The combinations of keys to index.
  ///   - renamedFrom: The former name of the entity.
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

  /// Returns the attribute with a name.
  public func attribute(_ name: String) -> Attribute? { attributes.first { $0.name == name } }

  /// Returns the relationship with a name.
  public func relationship(_ name: String) -> Relationship? {
    relationships.first { $0.name == name }
  }

  /// The attribute that identifies the row of a model: the first one that is
  /// unique by itself.
  ///
  /// Without a unique attribute, each save of a model inserts a row.
  public var uniqueAttribute: Attribute? {
    uniqueKeys.lazy.filter { $0.count == 1 }.compactMap { attribute($0[0]) }.first
  }

  /// The column with the identity of the row. This is the unique attribute if
  /// it is a required integer, and an additional column otherwise.
  public var identityColumn: String {
    uniqueAttribute.flatMap { $0.isIdentityType ? $0.name : nil } ?? ReservedName.identity
  }

  /// Returns the entity with another name.
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
