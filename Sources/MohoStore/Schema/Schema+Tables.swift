import MohoMapping

extension Schema {
  /// The table of an entity.
  ///
  /// Tables are `STRICT`, so that SQLite enforces the type of each column.
  /// Check constraints have the names of their keys, which identify the key
  /// when a check fails.
  func table(of entity: Entity) -> SchemaObject {
    var columns = entity.attributes.map { definition(of: $0, in: entity) }
    if !entity.attributes.contains(where: entity.isIdentity) {
      columns.insert("\(quoted(entity.identityColumn)) INTEGER PRIMARY KEY", at: 0)
    }
    for relationship in entity.relationships {
      guard link(relationship, of: entity) == .column else { continue }
      columns.append(definition(of: relationship, in: entity))
      if let position = position(of: relationship, in: entity) {
        columns.append("\(quoted(position)) INTEGER")
      }
    }
    let uniques = entity.uniqueKeys.filter { $0.count > 1 }.map { keys in
      "UNIQUE (\(keys.map(quoted).joined(separator: ", ")))"
    }
    let parts = (columns + uniques).joined(separator: ", ")
    return SchemaObject(
      kind: .table, name: entity.name, table: entity.name,
      sql: "CREATE TABLE \(quoted(entity.name)) (\(parts)) STRICT")
  }

  /// The link table of a relationship, and its index.
  func objects(of table: LinkTable) -> [SchemaObject] {
    let (source, target) = (LinkTable.column(.source), LinkTable.column(.target))
    var columns = [
      "\(source) INTEGER NOT NULL \(reference(to: table.source, " ON DELETE CASCADE"))",
      "\(target) INTEGER NOT NULL \(reference(to: table.target, " ON DELETE CASCADE"))",
    ]
    columns += [table.position(seenFrom: .source), table.position(seenFrom: .target)]
      .compactMap { $0.map { "\($0) INTEGER" } }
    columns.append("UNIQUE (\(source), \(target))")
    return [
      SchemaObject(
        kind: .table, name: table.name, table: table.name,
        sql: "CREATE TABLE \(quoted(table.name)) (\(columns.joined(separator: ", "))) STRICT"),
      index(on: [target, source], of: table.name),
    ]
  }

  /// The indexes of an entity's table.
  func indexes(of entity: Entity) -> [SchemaObject] {
    var indexes = entity.indexes
    for relationship in entity.relationships where link(relationship, of: entity) == .column {
      let position = position(of: relationship, in: entity).map { [$0] } ?? []
      if !isUnique(relationship, in: entity) { indexes.append([relationship.name] + position) }
    }
    var seen = Set(entity.uniqueKeys)
    return indexes.filter { seen.insert($0).inserted }.map { index(on: $0, of: entity.name) }
  }

  private func index(on columns: [String], of table: String) -> SchemaObject {
    let name = "\(table)(\(columns.joined(separator: ",")))"
    let list = columns.map(quoted).joined(separator: ", ")
    return SchemaObject(
      kind: .index, name: name, table: table,
      sql: "CREATE INDEX \(quoted(name)) ON \(quoted(table)) (\(list))")
  }

  private func definition(of attribute: Attribute, in entity: Entity) -> String {
    let column = quoted(attribute.name)
    if entity.isIdentity(attribute) { return "\(column) INTEGER PRIMARY KEY" }
    var definition = "\(column) \(attribute.type.columnType)"
    if !attribute.isOptional { definition += " NOT NULL" }
    if entity.uniqueKeys.contains([attribute.name]) { definition += " UNIQUE" }
    if let value = attribute.defaultValue { definition += " DEFAULT \(value.literal)" }
    if let check = check(of: attribute) { definition += " \(check)" }
    return definition
  }

  /// The check constraint of an attribute, or nil if the attribute has no
  /// checks.
  func check(of attribute: Attribute) -> String? {
    let checks = attribute.checks
    if checks.isEmpty { return nil }
    return "CONSTRAINT \(quoted(attribute.name)) CHECK (\(checks.joined(separator: " AND ")))"
  }

  private func definition(of relationship: Relationship, in entity: Entity) -> String {
    var definition = "\(quoted(relationship.name)) INTEGER"
    if !relationship.isOptional { definition += " NOT NULL" }
    if isUnique(relationship, in: entity) { definition += " UNIQUE" }
    let action = action(of: relationship, in: entity)
    return definition + " "
      + reference(
        to: relationship.destination, action == "NO ACTION" ? "" : " ON DELETE \(action)")
  }

  /// The foreign key action for a row when its related row is deleted.
  func action(of relationship: Relationship, in entity: Entity) -> String {
    switch inverse(of: relationship, in: entity)?.deleteRule {
    case .cascade: "CASCADE"
    case .deny, .noAction: "NO ACTION"
    case .nullify, nil: relationship.isOptional ? "SET NULL" : "NO ACTION"
    }
  }

  /// A foreign key. It is checked at the end of the transaction, so that rows
  /// can be written in any order. It is updated when the identity of the
  /// related row changes.
  private func reference(to entity: String, _ action: String) -> String {
    "REFERENCES \(quoted(entity))\(action) ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED"
  }

  /// Whether two rows cannot be linked to the same row.
  func isUnique(_ relationship: Relationship, in entity: Entity) -> Bool {
    entity.uniqueKeys.contains([relationship.name])
      || inverse(of: relationship, in: entity).map { !$0.isToMany } ?? false
  }

  /// The column with the position of a row among the rows of the same owner.
  func position(of relationship: Relationship, in entity: Entity) -> String? {
    guard let inverse = inverse(of: relationship, in: entity),
      let owner = self.entity(relationship.destination),
      case .inverseColumn(_, let position) = link(inverse, of: owner)
    else { return nil }
    return position
  }
}

/// Returns an identifier in double quotes.
func quoted(_ identifier: String) -> String {
  "\""
    + identifier.split(separator: "\"", omittingEmptySubsequences: false)
    .joined(separator: "\"\"") + "\""
}
