public import MohoMapping

/// The table of one model: its columns, its identity and its constraints.
public struct Entity: Sendable, Hashable {
  /// One column.
  public struct Attribute: Sendable, Hashable {
    /// The name of the key and of the column.
    public let name: String
    /// The kind of value it holds.
    public let type: FieldType
    /// Whether it may hold no value.
    public let isOptional: Bool
    /// Whether no two rows may have the same value.
    public let isUnique: Bool
    /// Whether the store keeps an index on it.
    public let isIndexed: Bool
  }

  /// The name of the table.
  public let name: String

  /// The columns, in declaration order.
  public let attributes: [Attribute]

  /// The attribute that tells which row a model is: the first unique one.
  ///
  /// Without one, each save of a model is a new row.
  public let uniqueAttribute: Attribute?

  /// The column that is the table's row identity: the unique attribute where it
  /// is an integer, else a column of the store's own.
  public let identityColumn: String

  /// The entity that a mapping declares.
  public init<Model>(_ mapping: Mapping<Model>) {
    name = mapping.name
    attributes = mapping.keys.filter { !$0.isTransient }.map { key in
      Attribute(
        name: key.name,
        type: key.type,
        isOptional: key.isOptional,
        isUnique: key.traits.contains(.unique),
        isIndexed: key.traits.contains(.indexed))
    }
    uniqueAttribute = attributes.first(where: \.isUnique)
    identityColumn =
      uniqueAttribute.flatMap { $0.type == .integer && !$0.isOptional ? $0.name : nil }
      ?? "_moho_id"
  }

  func isIdentity(_ attribute: Attribute) -> Bool { attribute.name == identityColumn }
}
