/// A declared table with its columns.
struct TableLayout: Sendable, Hashable {
  let object: SchemaObject
  /// The entity of the table. For a link table, the entity of the relationship.
  let entity: String
  /// The relationship whose links the table stores, or nil for the table of an
  /// entity.
  let relationship: String?
  let columns: [ColumnLayout]
  let uniqueKeys: [[String]]

  var name: String { object.name }

  /// The statement that creates the table under another name.
  func sql(named name: String) -> String {
    "CREATE TABLE \(quoted(name))"
      + object.sql.dropFirst("CREATE TABLE \(quoted(self.name))".count)
  }
}

/// A declared column.
struct ColumnLayout: Sendable, Hashable {
  let name: String
  /// The key whose values the column stores, or nil for a column that the store
  /// adds.
  let key: String?
  let type: String
  let isRequired: Bool
  let isIdentity: Bool
  /// The default value as an SQL literal.
  var defaultValue: String?
  /// The value for existing rows when the column is added, as an SQL literal.
  var filling: String?
  /// The check constraint, as in the statement of the table.
  var check: String?
  /// The foreign key: the related entity and the action when the related row is
  /// deleted.
  var reference: StoredReference?
}

extension Schema {
  /// The declared tables: entity tables followed by link tables.
  var layouts: [TableLayout] {
    entities.map(layout)
      + entities.flatMap { entity in
        entity.relationships.compactMap { relationship in
          guard case .table(let table, .source) = link(relationship, of: entity) else { return nil }
          return layout(of: table, relationship)
        }
      }
  }

  private func layout(of entity: Entity) -> TableLayout {
    var columns = entity.attributes.map { attribute in
      let isIdentity = entity.isIdentity(attribute)
      return ColumnLayout(
        name: attribute.name, key: attribute.name, type: attribute.type.columnType,
        isRequired: !attribute.isOptional && !isIdentity, isIdentity: isIdentity,
        defaultValue: isIdentity ? nil : attribute.defaultValue?.literal,
        filling: (attribute.defaultValue ?? attribute.fallback)?.literal,
        check: isIdentity ? nil : check(of: attribute))
    }
    if !columns.contains(where: \.isIdentity) {
      columns.insert(own(entity.identityColumn, isIdentity: true), at: 0)
    }
    var uniqueKeys = entity.uniqueKeys.filter { $0 != [entity.identityColumn] }
    for relationship in entity.relationships where link(relationship, of: entity) == .column {
      columns.append(
        ColumnLayout(
          name: relationship.name, key: relationship.name, type: "INTEGER",
          isRequired: !relationship.isOptional, isIdentity: false,
          reference: StoredReference(
            column: relationship.name, table: relationship.destination,
            action: action(of: relationship, in: entity))))
      if let position = position(of: relationship, in: entity) {
        columns.append(own(position, isIdentity: false))
      }
      if isUnique(relationship, in: entity), !uniqueKeys.contains([relationship.name]) {
        uniqueKeys.append([relationship.name])
      }
    }
    return TableLayout(
      object: table(of: entity), entity: entity.name, relationship: nil, columns: columns,
      uniqueKeys: uniqueKeys)
  }

  private func layout(of table: LinkTable, _ relationship: Relationship) -> TableLayout {
    let ends = [(LinkTable.End.source, table.source), (.target, table.target)]
    let columns = ends.map { end, entity in
      ColumnLayout(
        name: LinkTable.column(end), key: nil, type: "INTEGER", isRequired: true,
        isIdentity: false,
        reference: StoredReference(
          column: LinkTable.column(end), table: entity, action: "CASCADE"))
    }
    let positions = [table.position(seenFrom: .source), table.position(seenFrom: .target)]
    return TableLayout(
      object: objects(of: table)[0], entity: table.source, relationship: relationship.name,
      columns: columns + positions.compactMap { $0.map { own($0, isIdentity: false) } },
      uniqueKeys: [[LinkTable.column(.source), LinkTable.column(.target)]])
  }

  private func own(_ name: String, isIdentity: Bool) -> ColumnLayout {
    ColumnLayout(
      name: name, key: nil, type: "INTEGER", isRequired: false, isIdentity: isIdentity)
  }
}
