import GRDB

extension Schema {
  /// Makes the tables, indexes and triggers that are not there, in one
  /// transaction.
  ///
  /// Where all are there, nothing is locked: a store can be opened while
  /// another process writes to it.
  ///
  /// - Throws: ``StoreError`` of code ``StoreError/Code/incompatibleSchema``
  ///   that lists each difference, where a table is there and is another.
  func prepare(_ writer: some DatabaseWriter) throws {
    guard try !writer.read(missingParts).isEmpty else { return }
    try writer.write { database in
      for object in try missingParts(database) { try database.execute(sql: object.sql) }
    }
  }

  /// What is not there.
  private func missingParts(_ database: Database) throws -> [SchemaObject] {
    var missing: [SchemaObject] = []
    var differences: [String] = []
    for object in objects {
      let found = try String.fetchOne(
        database,
        sql: """
          SELECT sql FROM sqlite_schema
          WHERE type IN (\(object.kind == .table ? "'table', 'view'" : "?2"))
          AND name = ?1 COLLATE NOCASE
          """,
        arguments: object.kind == .table ? [object.name] : [object.name, object.kind.rawValue])
      switch found {
      case nil: missing.append(object)
      case object.sql: break
      default: differences += try self.differences(of: object, in: database)
      }
    }
    guard differences.isEmpty else {
      throw StoreError(
        .incompatibleSchema,
        reason: differences.joined(separator: "; "),
        suggestion: "choose another file, or the version of the program that made this one")
    }
    return missing
  }

  private func differences(of object: SchemaObject, in database: Database) throws -> [String] {
    guard object.kind == .table, let entity = entity(object.name) else {
      return ["the \(object.kind.rawValue) `\(object.name)` differs"]
    }
    return try entity.differences(in: database)
  }
}

extension Entity {
  /// How a table in the database differs from this entity.
  fileprivate func differences(in database: Database) throws -> [String] {
    let found = try database.columns(in: name)
    var differences: [String] = []
    for attribute in attributes {
      let column = found.first { isSameName($0.name, attribute.name) }
      guard let column else {
        differences.append("`\(name).\(attribute.name)` is not in the table")
        continue
      }
      if column.type.uppercased() != attribute.type.columnType {
        differences.append(
          "`\(name).\(attribute.name)` is \(column.type) in the table,"
            + " \(attribute.type.columnType) in the model")
      }
      if !isIdentity(attribute), column.isNotNull == attribute.isOptional {
        differences.append(
          "`\(name).\(attribute.name)` is \(column.isNotNull ? "required" : "optional")"
            + " in the table, \(attribute.isOptional ? "optional" : "required") in the model")
      }
    }
    let names = attributes.map(\.name) + relationships.map(\.name) + [identityColumn]
    for column in found where !names.contains(where: { isSameName($0, column.name) }) {
      differences.append("`\(name).\(column.name)` is not in the model")
    }
    return differences.isEmpty ? ["the constraints of `\(name)` differ"] : differences
  }
}
