import MohoRows

extension Schema {
  /// Finds the entity and the constraint of an error. Returns nil if the error is
  /// not about a table of the store.
  func failure(of error: PostgresError) -> (entity: String, failure: ConstraintFailure)? {
    guard let table = error.table else { return nil }
    switch error.sqlState {
    case "23505":
      guard let (entity, keys) = uniqueKeys(of: error, table) else { return nil }
      return (entity, .unique(keys))
    case "23502":
      guard let column = error.column, let (entity, key) = key(of: column, in: table) else {
        return nil
      }
      return (entity, .missing(key))
    case "23514":
      guard let constraint = error.constraint,
        let entity = entity(table),
        let attribute = entity.attributes.first(where: {
          PostgresName.check($0.name) == constraint
        })
      else { return nil }
      return (entity.name, .check(attribute.name))
    case "23001":
      guard let key = error.column, entity(table) != nil else { return nil }
      return (table, .denial(key))
    default: return nil
    }
  }

  /// Returns the entity and the keys of an index whose values are too long, or nil if the
  /// error is about something else.
  ///
  /// The server names no index if a value has more than a page. Then, these are all texts
  /// of the entity that an index contains.
  func overlongKeys(of error: PostgresError) -> (entity: String, keys: [String])? {
    guard error.isOverlongIndexEntry else { return nil }
    if let table = error.table, let entity = entity(table) {
      let index = compiled.indexes.first {
        $0.table == table && PostgresName.index($0.name) == error.constraint
      }
      let unique = entity.uniqueKeys.first {
        PostgresName.unique($0, of: table) == error.constraint
      }
      guard let keys = index?.columns ?? unique else { return nil }
      return (table, entity.longKeys(among: keys))
    }
    guard let sql = error.sql,
      let entity = entities.first(where: { entity in
        ["INSERT INTO", "UPDATE"].contains { sql.contains("\($0) \(quotedName(entity.name)) ") }
      })
    else { return nil }
    let indexes = compiled.indexes.filter { $0.table == entity.name }.map(\.columns)
    return (entity.name, entity.longKeys(among: (indexes + entity.uniqueKeys).flatMap { $0 }))
  }

  /// Returns the link to a row that does not exist that an error is about.
  func danglingLink(of error: PostgresError) -> DanglingLink? {
    guard error.sqlState == "23503",
      let table = compiled.tables.first(where: { $0.name == error.table }),
      let column = table.columnNames.first(where: {
        PostgresName.foreignKey($0) == error.constraint
      })
    else { return nil }
    return danglingLink(
      table: table.name, column: column, rows: [(nil, error.detailedKey?.value ?? "")])
  }

  /// Returns the keys of a unique constraint or index.
  private func uniqueKeys(
    of error: PostgresError, _ table: String
  ) -> (entity: String, keys: [String])? {
    if let links = compiled.linkTables.first(where: { $0.name == table }) {
      return (links.source, [links.relationship])
    }
    guard let entity = entity(table) else { return nil }
    if error.constraint == PostgresName.primaryKey(of: table) {
      return (table, [entity.identityColumn])
    }
    let known = entity.uniqueKeys.first {
      error.constraint == PostgresName.unique($0, of: table)
    }
    if let known { return (table, known) }
    // An index that the store has not created.
    guard let columns = error.detailedKey?.columns else { return nil }
    let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
    let keys = names.filter { columns.contains($0) }
    return keys.count == columns.count ? (table, keys) : nil
  }

  private func key(of column: String, in table: String) -> (entity: String, key: String)? {
    if let links = compiled.linkTables.first(where: { $0.name == table }) {
      return (links.source, links.relationship)
    }
    return entity(table).map { ($0.name, column) }
  }
}

extension Entity {
  /// Returns those of the keys that can have long values, in the order of the entity.
  fileprivate func longKeys(among keys: [String]) -> [String] {
    let long = attributes.filter {
      [.string, .url, .data, .structured].contains($0.type) && keys.contains($0.name)
    }
    return long.map(\.name)
  }
}

extension PostgresError {
  /// Whether a value has more bytes than an entry of an index.
  var isOverlongIndexEntry: Bool { sqlState == "54000" && message.hasPrefix("index row ") }

  /// The columns and the values of a detail such as
  /// `Key (list)=(7) is not present in table "List".`
  ///
  /// The columns are incomplete if a name contains a comma or a parenthesis.
  fileprivate var detailedKey: (columns: [String], value: String)? {
    guard let detail, let start = detail.firstIndex(of: "("),
      let middle = detail.ranges(of: ")=(").first,
      let end = detail[middle.upperBound...].ranges(of: ") ").last, start < middle.lowerBound
    else { return nil }
    let columns = detail[detail.index(after: start)..<middle.lowerBound].split(separator: ", ")
      .map { name in
        name.hasPrefix("\"") && name.hasSuffix("\"") && name.count > 1
          ? String(name.dropFirst().dropLast()).replacing("\"\"", with: "\"") : String(name)
      }
    return (columns, String(detail[middle.upperBound..<end.lowerBound]))
  }
}
