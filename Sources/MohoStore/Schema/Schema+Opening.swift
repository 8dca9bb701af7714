import GRDB

extension Schema {
  /// Makes the tables and indexes that are not there, in one transaction.
  ///
  /// Where all are there, nothing is locked: a store can be opened while
  /// another process writes to it.
  ///
  /// - Throws: ``StoreError`` of code ``StoreError/Code/incompatibleSchema``
  ///   that lists each difference, where a table is there and is another.
  func prepare(_ writer: some DatabaseWriter) throws {
    guard try !writer.read(missingParts).isEmpty else { return }
    try writer.write { database in
      for creation in try missingParts(database) { try database.execute(sql: creation) }
    }
  }

  /// The statements that make the tables and indexes that are not there.
  private func missingParts(_ database: Database) throws -> [String] {
    var missing: [Entity] = []
    var differences: [String] = []
    for entity in entities {
      let sql = try String.fetchOne(
        database,
        sql: """
          SELECT sql FROM sqlite_schema
          WHERE type IN ('table', 'view') AND name = ? COLLATE NOCASE
          """,
        arguments: [entity.name])
      switch sql {
      case nil: missing.append(entity)
      case entity.creation: break
      default: differences += try entity.differences(in: database)
      }
    }
    guard differences.isEmpty else {
      throw StoreError(
        .incompatibleSchema,
        reason: differences.joined(separator: "; "),
        suggestion: "choose another file, or the version of the program that made this one")
    }
    let indexes = try String.fetchSet(
      database, sql: "SELECT name FROM sqlite_schema WHERE type = 'index'")
    return missing.map(\.creation)
      + entities.flatMap(\.indexCreations).filter { !indexes.contains($0.name) }.map(\.sql)
  }
}

extension Entity {
  /// How a table in the database differs from this entity.
  fileprivate func differences(in database: Database) throws -> [String] {
    let found = try database.columns(in: name)
    var differences: [String] = []
    for attribute in attributes {
      let column = found.first { $0.name.lowercased() == attribute.name.lowercased() }
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
    let names = Set((attributes.map(\.name) + [identityColumn]).map { $0.lowercased() })
    for column in found where !names.contains(column.name.lowercased()) {
      differences.append("`\(name).\(column.name)` is not in the model")
    }
    return differences.isEmpty ? ["the constraints of `\(name)` differ"] : differences
  }
}
