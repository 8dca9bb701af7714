import MohoRows

extension StoredSchema {
  /// Reads the tables that a store has created, and those with declared names.
  ///
  /// - Parameter names: The names of declared tables, including former names.
  init(_ connection: PostgresConnection, names: some Collection<String>) throws {
    self.init(namespace: connection.schemaName)
    try readMetadata(connection)
    var arguments = PostgresArguments()
    try arguments.append(namespace)
    try arguments.append(Array(Set(names).union(owned.keys)))
    let results = try connection.queries(
      CatalogQuery.allCases.map { PostgresQuery($0.sql, arguments, isPrepared: false) })
    for (query, result) in zip(CatalogQuery.allCases, results) {
      for row in result.rows { read(row, query) }
    }
    let declared = Set(names)
    tables.removeAll { table in
      table.name.hasPrefix("_moho_") && !declared.contains(table.name) && table.links == nil
    }
  }

  private mutating func readMetadata(_ connection: PostgresConnection) throws {
    func name(_ table: String) -> String { qualifiedName(table, in: namespace) }
    var arguments = PostgresArguments()
    try arguments.append(name(Metadata.table))
    try arguments.append(name(ReservedName.historyState))
    let existence = PostgresQuery(
      "SELECT pg_catalog.to_regclass($1) IS NOT NULL, pg_catalog.to_regclass($2) IS NOT NULL",
      arguments, isPrepared: false)
    let found = try connection.query(existence).first
    hasMetadata = found?.bool(0) ?? false
    hasHistory = found?.bool(1) ?? false
    guard hasMetadata else { return }
    let result = try connection.query(Metadata.selection(in: namespace), isPrepared: false)
    for row in result.rows {
      let (kind, name) = (row.string(0), row.string(1))
      switch Metadata.Kind(rawValue: kind) {
      case .entity: owned[name] = row.optionalString(3) == "true"
      case .migration: migrations.insert(name)
      case nil:
        if let key = row.optionalString(2), let value = row.optionalString(3) {
          record.read(kind: kind, name: name, key: key, value: value)
        }
        guard let kind = StoredExpression.Kind(rawValue: kind), let column = row.optionalString(2),
          let declared = row.optionalString(3), let stored = row.optionalString(4)
        else { continue }
        let key = StoredExpression.Key(kind: kind, table: name, column: column)
        expressions[key] = StoredExpression(declared: declared, stored: stored)
      }
    }
  }

  private mutating func read(_ row: PostgresRow, _ query: CatalogQuery) {
    let name = row.string(0)
    if query == .relations {
      let kind = row.string(1)
      if kind == "r" || kind == "p" {
        tables.append(StoredTable(name))
      } else if let kind = RelationKind(rawValue: kind) {
        otherRelations[name] = kind
      }
      return
    }
    guard let index = tables.firstIndex(where: { $0.name == name }) else { return }
    switch query {
    case .relations: break
    case .columns:
      tables[index].columns.append(
        StoredColumn(
          name: row.string(1), storedName: row.string(1), type: row.string(2),
          isRequired: row.bool(3), defaultValue: row.optionalString(4), isIdentity: row.bool(5),
          isComputed: row.bool(6)))
    case .constraints: readConstraint(row, in: index)
    case .indexes: readIndex(row, in: index)
    case .triggers:
      tables[index].deleteTriggers.append(
        StoredTrigger(
          name: row.string(1), function: row.string(2), body: row.string(3),
          isBefore: row.bool(4), isEnabled: row.bool(5)))
    case .dependents:
      dependents.append(
        StoredDependent(name: row.string(1), table: name, column: row.optionalString(2)))
    }
  }

  private mutating func readIndex(_ row: PostgresRow, in index: Int) {
    if ReservedName.isPartOfSearch(row.string(1)) {
      tables[index].searchIndex = StoredSearchIndex(
        name: row.string(1), expression: row.optionalString(6) ?? "",
        version: row.optionalString(7))
      return
    }
    let found = StoredIndex(
      name: row.string(1),
      columns: zip(row.strings(2), row.strings(3)).map {
        IndexColumn(name: $0, isNullFirst: $1 != "0")
      }, isPlain: row.bool(4))
    if row.bool(5), found.isPlain {
      let columns = found.columns.map(\.name)
      tables[index].uniqueKeys.append(
        StoredKey(name: found.name, columns: columns, index: found))
    } else {
      tables[index].indexes.append(found)
    }
  }

  private mutating func readConstraint(_ row: PostgresRow, in index: Int) {
    let key = StoredKey(name: row.string(1), columns: row.strings(3))
    switch row.string(2) {
    case "p": tables[index].primaryKey = key
    case "u": tables[index].uniqueKeys.append(key)
    case "c":
      tables[index].checks.append(
        StoredCheck(name: key.name, definition: row.string(7)))
    case "f":
      tables[index].references.append(
        StoredForeignKey(
          name: key.name, columns: key.columns, table: row.string(4),
          action: row.string(5), isComplete: row.bool(6)))
    default: break
    }
  }

  /// Determines which tables are empty.
  mutating func readEmptiness(_ connection: PostgresConnection) throws {
    let queries = tables.map {
      PostgresQuery(
        "SELECT EXISTS (SELECT 1 FROM \(connection.qualified($0.name)))", isPrepared: false)
    }
    for (index, result) in try connection.queries(queries).enumerated() {
      tables[index].isEmpty = result.first?.bool(0) == false
    }
  }
}
