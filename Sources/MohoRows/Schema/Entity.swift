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

  /// The attributes, in declaration order. A required integer that identifies rows by
  /// itself is signed, even if it is declared as unsigned.
  public let attributes: [Attribute]

  /// The relationships, in declaration order.
  public let relationships: [Relationship]

  /// The combinations of attributes and to-one relationships whose values must
  /// be unique, including the identifying keys. Nil is not equal to another nil.
  public let uniqueKeys: [[String]]

  /// The keys that identify the row of a model: the declared ones, or the first
  /// attribute that is unique by itself.
  ///
  /// If the array is empty, each save of a model inserts a row.
  public let identifyingKeys: [String]

  /// The indexed combinations of keys, in addition to the unique keys.
  public let indexes: [[String]]

  /// The attributes with a full-text index, in declaration order. They are
  /// text.
  public let searchableKeys: [String]

  /// The former name of the entity. A store that has a table with this name,
  /// and no table with the current name, renames the table.
  public let renamedFrom: String?

  /// Creates an entity.
  ///
  /// - Parameters:
  ///   - name: The name of the entity and the table.
  ///   - attributes: The attributes.
  ///   - relationships: The relationships.
  ///   - identifyingKeys: The attributes and to-one relationships that together
  ///     identify a row when models are saved. By default, the first of
  ///     `uniqueKeys` that consists of a single attribute identifies it.
  ///   - uniqueKeys: The combinations of keys whose values must be unique.
  ///   - indexes: The combinations of keys to index.
  ///   - searchableKeys: The attributes that requests can search with `matches`.
  ///   - renamedFrom: The former name of the entity.
  public init(
    _ name: String, attributes: [Attribute], relationships: [Relationship] = [],
    identifiedBy identifyingKeys: [String] = [], unique uniqueKeys: [[String]] = [],
    indexes: [[String]] = [], searchable searchableKeys: [String] = [],
    renamedFrom: String? = nil
  ) {
    let isDeclared = !identifyingKeys.isEmpty
    let names = Set(attributes.map(\.name))
    self.name = name
    self.relationships = relationships
    self.uniqueKeys =
      isDeclared && !uniqueKeys.contains(identifyingKeys)
      ? [identifyingKeys] + uniqueKeys : uniqueKeys
    let identifyingKeys =
      isDeclared
      ? identifyingKeys : uniqueKeys.first { $0.count == 1 && names.contains($0[0]) } ?? []
    self.identifyingKeys = identifyingKeys
    // Identities of rows are signed.
    self.attributes = attributes.map {
      identifyingKeys == [$0.name] && !$0.isOptional ? $0.signed : $0
    }
    self.indexes = indexes
    self.searchableKeys = searchableKeys
    self.renamedFrom = renamedFrom
  }

  /// Returns the attribute with a name.
  public func attribute(_ name: String) -> Attribute? { attributes.first { $0.name == name } }

  /// Returns the relationship with a name.
  public func relationship(_ name: String) -> Relationship? {
    relationships.first { $0.name == name }
  }

  /// The attribute that identifies the row of a model by itself. It is nil if
  /// several keys, a relationship or no key identifies the row.
  public var uniqueAttribute: Attribute? {
    identifyingKeys.count == 1 ? attribute(identifyingKeys[0]) : nil
  }

  /// The column with the identity of the row. This is the unique attribute if
  /// it is a required integer, and an additional column otherwise.
  public var identityColumn: String {
    uniqueAttribute.flatMap { $0.isIdentityType ? $0.name : nil } ?? ReservedName.identity
  }

  /// Returns the entity with another name.
  func named(_ name: String) -> Entity { replacing(name: name) }

  /// Returns the entity with other attributes of the same names.
  func replacingAttributes(_ attributes: [Attribute]) -> Entity {
    replacing(attributes: attributes)
  }

  /// Returns the entity with additional relationships.
  func adding(_ relationships: [Relationship]) -> Entity {
    replacing(relationships: self.relationships + relationships)
  }

  private func replacing(
    name: String? = nil, attributes: [Attribute]? = nil, relationships: [Relationship]? = nil
  ) -> Entity {
    Entity(
      name ?? self.name, attributes: attributes ?? self.attributes,
      relationships: relationships ?? self.relationships,
      identifiedBy: identifyingKeys, unique: uniqueKeys, indexes: indexes,
      searchable: searchableKeys, renamedFrom: renamedFrom)
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
