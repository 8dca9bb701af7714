package import MohoMapping

/// The definition of a table, column by column, in the types and literals of an
/// engine.
package struct TableDefinition: Sendable, Hashable {
  package let name: String
  /// The entity of the table. For a link table, the entity that declares the
  /// relationship.
  package let entity: String
  /// The relationship whose links the table stores, or nil for an entity's
  /// table.
  package let relationship: String?
  package let columns: [ColumnDefinition]
  package let uniqueKeys: [[String]]
}

/// The definition of a column.
package struct ColumnDefinition: Sendable, Hashable {
  package let name: String
  /// The key whose values the column stores, or nil for a column that the store
  /// adds.
  package let key: String?
  /// The type of the column in SQL.
  package let type: String
  package var isRequired = false
  package var isIdentity = false
  /// The default value as an SQL literal.
  package var defaultValue: String?
  /// The value for rows that existed before the column, as an SQL literal.
  package var backfill: String?
  /// The conditions of the check constraint. Nil if values are not checked.
  package var check: String?
  /// The foreign key.
  package var reference: StoredReference?

  package init(name: String, key: String?, type: String, isIdentity: Bool = false) {
    self.name = name
    self.key = key
    self.type = type
    self.isIdentity = isIdentity
  }
}

/// A foreign key of a table.
package struct StoredReference: Sendable, Hashable {
  package var column: String
  package var table: String
  /// The action in SQL when the row that the column refers to is deleted.
  package let action: String

  package init(column: String, table: String, action: String) {
    self.column = column
    self.table = table
    self.action = action
  }
}

/// The SQL of an engine for columns and their values.
package protocol ColumnDialect: Sendable {
  /// The type of columns with the identities or the positions of rows.
  var integerType: String { get }

  /// Returns the type of the columns of an attribute type.
  func columnType(of type: AttributeType) -> String

  /// Returns a value of an attribute as an SQL literal, for default values and for
  /// existing rows without a value.
  func literal(_ value: FieldContent, of type: AttributeType) -> String

  /// Returns the SQL conditions of an attribute's check constraint, which are joined by
  /// `AND`: those of the attribute's constraints, and those that the type of the column
  /// does not ensure. Empty if values are not checked.
  ///
  /// The conditions must not use functions and collations of the store, because other
  /// programs may write to the table.
  func checkConditions(of attribute: Attribute) -> [String]
}

extension Schema {
  /// Returns the tables of the entities, followed by the link tables.
  package func tableDefinitions(_ dialect: some ColumnDialect) -> [TableDefinition] {
    compiled.entities.map { TableDefinition($0, dialect) }
      + compiled.linkTables.map { TableDefinition($0, dialect) }
  }
}

extension TableDefinition {
  fileprivate init(_ entity: CompiledEntity, _ dialect: some ColumnDialect) {
    let links = entity.linkColumns
    let own = ColumnDefinition(
      name: entity.identityColumn, key: nil, type: dialect.integerType, isIdentity: true)
    self.init(
      name: entity.name, entity: entity.name, relationship: nil,
      columns: (entity.identityAttribute == nil ? [own] : [])
        + entity.attributes.map {
          ColumnDefinition($0, isIdentity: $0.name == entity.identityColumn, dialect)
        } + links.flatMap { ColumnDefinition.columns(of: $0, dialect) },
      uniqueKeys: entity.entity.uniqueKeys.filter { $0 != [entity.identityColumn] }
        + links.filter { $0.isUnique && !entity.entity.uniqueKeys.contains([$0.name]) }
        .map { [$0.name] })
  }

  fileprivate init(_ table: LinkTable, _ dialect: some ColumnDialect) {
    let columns = table.table.columns.map { column in
      var definition = ColumnDefinition(name: column.name, key: nil, type: dialect.integerType)
      guard case .link(let entity) = column.content else { return definition }
      definition.isRequired = true
      definition.reference = StoredReference(
        column: column.name, table: entity, action: "CASCADE")
      return definition
    }
    self.init(
      name: table.name, entity: table.source, relationship: table.relationship, columns: columns,
      uniqueKeys: [[LinkTable.column(.source), LinkTable.column(.target)]])
  }
}

extension ColumnDefinition {
  fileprivate init(_ attribute: Attribute, isIdentity: Bool, _ dialect: some ColumnDialect) {
    let checks = dialect.checkConditions(of: attribute).joined(separator: " AND ")
    func literal(_ value: FieldContent) -> String { dialect.literal(value, of: attribute.type) }
    self.init(
      name: attribute.name, key: attribute.name,
      type: isIdentity ? dialect.integerType : dialect.columnType(of: attribute.type),
      isIdentity: isIdentity)
    backfill = (attribute.defaultValue ?? attribute.backfillValue).map(literal)
    if isIdentity { return }
    isRequired = !attribute.isOptional
    defaultValue = attribute.defaultValue.map(literal)
    check = checks.isEmpty ? nil : checks
  }

  fileprivate static func columns(
    of relationship: CompiledRelationship, _ dialect: some ColumnDialect
  ) -> [ColumnDefinition] {
    let name = relationship.name
    var link = ColumnDefinition(name: name, key: name, type: dialect.integerType)
    link.isRequired = !relationship.isOptional
    link.reference = StoredReference(
      column: name, table: relationship.relationship.destination, action: relationship.action)
    let position = relationship.positionColumn.map {
      ColumnDefinition(name: $0, key: nil, type: dialect.integerType)
    }
    return [link] + [position].compactMap { $0 }
  }
}

extension CompiledRelationship {
  /// The action of the foreign key on a row when the row that it is linked to
  /// is deleted.
  fileprivate var action: String {
    switch targetDeleteRule {
    case .cascade, .cascadeEvenIfShared: "CASCADE"
    case .deny, .noAction: "NO ACTION"
    case .nullify: isOptional ? "SET NULL" : "NO ACTION"
    }
  }
}
