import MohoMapping
import MohoRows

/// The SQLite definition of a table, column by column.
///
/// Tables are `STRICT`, so that SQLite checks the type of each value. Checks
/// are named after their keys, so that error messages identify the key.
struct TableDefinition: Sendable, Hashable {
  let name: String
  /// The entity of the table. For a link table, the entity that declares the
  /// relationship.
  let entity: String
  /// The relationship whose links the table stores, or nil for an entity's
  /// table.
  let relationship: String?
  let columns: [ColumnDefinition]
  let uniqueKeys: [[String]]

  var object: SchemaObject {
    SchemaObject(kind: .table, name: name, table: name, sql: sql(named: name))
  }

  /// Returns the statement that creates the table with a name.
  func sql(named name: String) -> String {
    // The column names of a link table need no quotes.
    let quote = relationship == nil ? quotedName : { $0 }
    let columns = columns.map { column in
      column.sql(quote, isUnique: uniqueKeys.contains([column.name]))
    }
    let uniques = uniqueKeys.filter { $0.count > 1 }.map { keys in
      "UNIQUE (\(keys.map(quote).joined(separator: ", ")))"
    }
    return
      "CREATE TABLE \(quotedName(name)) (\((columns + uniques).joined(separator: ", "))) STRICT"
  }
}

/// The SQLite definition of a column.
struct ColumnDefinition: Sendable, Hashable {
  let name: String
  /// The key whose values the column stores, or nil for a column that the store
  /// adds.
  let key: String?
  var type = "INTEGER"
  var isRequired = false
  var isIdentity = false
  /// The default value as an SQL literal.
  var defaultValue: String?
  /// The value for rows that existed before the column, as an SQL literal.
  var backfill: String?
  /// The check constraint, as written in the table's statement.
  var check: String?
  /// The foreign key.
  var reference: StoredReference?

  fileprivate func sql(_ quote: (String) -> String, isUnique: Bool) -> String {
    if isIdentity { return "\(quote(name)) INTEGER PRIMARY KEY" }
    var sql = "\(quote(name)) \(type)"
    if isRequired { sql += " NOT NULL" }
    if isUnique { sql += " UNIQUE" }
    if let defaultValue { sql += " DEFAULT \(defaultValue)" }
    if let check { sql += " \(check)" }
    if let reference { sql += " \(reference.sql)" }
    return sql
  }
}

extension StoredReference {
  /// SQLite checks foreign keys at the end of the transaction, so rows can be
  /// written in any order. If the identity of a row changes, the references to
  /// it are updated.
  fileprivate var sql: String {
    "REFERENCES \(quotedName(table))" + (action == "NO ACTION" ? "" : " ON DELETE \(action)")
      + " ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED"
  }
}

extension Schema {
  /// The tables of the entities, followed by the link tables.
  var tableDefinitions: [TableDefinition] {
    compiled.entities.map { TableDefinition($0) } + compiled.linkTables.map { TableDefinition($0) }
  }
}

extension TableDefinition {
  fileprivate init(_ entity: CompiledEntity) {
    let links = entity.linkColumns
    let own = ColumnDefinition(name: entity.identityColumn, key: nil, isIdentity: true)
    self.init(
      name: entity.name, entity: entity.name, relationship: nil,
      columns: (entity.identityAttribute == nil ? [own] : [])
        + entity.attributes.map {
          ColumnDefinition($0, isIdentity: $0.name == entity.identityColumn)
        } + links.flatMap { ColumnDefinition.columns(of: $0) },
      uniqueKeys: entity.entity.uniqueKeys.filter { $0 != [entity.identityColumn] }
        + links.filter { $0.isUnique && !entity.entity.uniqueKeys.contains([$0.name]) }
        .map { [$0.name] })
  }

  fileprivate init(_ table: LinkTable) {
    let columns = table.table.columns.map { column in
      guard case .link(let entity) = column.content else {
        return ColumnDefinition(name: column.name, key: nil)
      }
      return ColumnDefinition(
        name: column.name, key: nil, isRequired: true,
        reference: StoredReference(column: column.name, table: entity, action: "CASCADE"))
    }
    self.init(
      name: table.name, entity: table.source, relationship: table.relationship, columns: columns,
      uniqueKeys: [[LinkTable.column(.source), LinkTable.column(.target)]])
  }
}

extension ColumnDefinition {
  fileprivate init(_ attribute: Attribute, isIdentity: Bool) {
    let checks = attribute.checkConditions.joined(separator: " AND ")
    self.init(
      name: attribute.name, key: attribute.name, type: attribute.type.columnType,
      isRequired: !attribute.isOptional && !isIdentity, isIdentity: isIdentity,
      defaultValue: isIdentity ? nil : attribute.defaultValue?.literal,
      backfill: (attribute.defaultValue ?? attribute.backfillValue)?.literal,
      check: isIdentity || checks.isEmpty
        ? nil : "CONSTRAINT \(quotedName(attribute.name)) CHECK (\(checks))")
  }

  fileprivate static func columns(of relationship: CompiledRelationship) -> [ColumnDefinition] {
    let name = relationship.name
    let link = ColumnDefinition(
      name: name, key: name, isRequired: !relationship.isOptional,
      reference: StoredReference(
        column: name, table: relationship.relationship.destination, action: relationship.action))
    return [link]
      + (relationship.positionColumn.map { [ColumnDefinition(name: $0, key: nil)] } ?? [])
  }
}

extension CompiledRelationship {
  /// The action of the foreign key on a row when the row that it is linked to
  /// is deleted.
  fileprivate var action: String {
    switch inverseRelationship?.deleteRule {
    case .cascade: "CASCADE"
    case .deny, .noAction: "NO ACTION"
    case .nullify, nil: isOptional ? "SET NULL" : "NO ACTION"
    }
  }
}
