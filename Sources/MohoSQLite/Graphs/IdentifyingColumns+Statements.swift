import GRDB
import MohoMapping
import MohoRows

extension IdentifyingColumns {
  /// Returns the number of the first parameter of each column, and the identifying
  /// columns of the linked row if the column is a link.
  func parameters(first: Int32) -> [(first: Int32, target: IdentifyingColumns?)] {
    var next = first
    return targets.map { target in
      defer { next += target?.parameterCount ?? 1 }
      return (next, target)
    }
  }

  /// Returns an expression for the value of each column.
  ///
  /// - Parameter first: The number of the first parameter.
  func values(first: Int32) -> [String] {
    parameters(first: first).map { first, target in
      guard let target, !target.entity.isKeyedByIdentity else { return "?\(first)" }
      return target.lookup(first: first)
    }
  }

  /// Returns the condition that a row has a key.
  func condition(first: Int32) -> String {
    zip(names, values(first: first)).map { "\($0) = \($1)" }.joined(separator: " AND ")
  }

  /// Returns the condition that a row does not have a key.
  func negation(first: Int32) -> String {
    let differences = zip(names, values(first: first)).map { "\($0) IS NOT \($1)" }
    return differences.count == 1 ? differences[0] : "(\(differences.joined(separator: " OR ")))"
  }

  /// Returns the condition that a row has one of several keys.
  func isAmong(count: Int) -> String {
    let keys = (0..<Int32(count)).map { values(first: 1 + $0 * parameterCount) }
    guard names.count > 1 else {
      return "\(names[0]) IN (\(keys.map { $0[0] }.joined(separator: ", ")))"
    }
    let lists = keys.map { "(\($0.joined(separator: ", ")))" }.joined(separator: ", ")
    return "(\(names.joined(separator: ", "))) IN (VALUES \(lists))"
  }

  /// Returns a subquery for the identity of the row with a key.
  func lookup(first: Int32) -> String {
    "(SELECT \(quotedName(entity.identityColumn)) FROM \(quotedName(entity.name))"
      + " WHERE \(condition(first: first)))"
  }

  /// Binds the values of a key; null to all parameters if the key is null.
  ///
  /// - Throws: `MappingError` if the key has another number of values.
  func bind(_ key: FieldContent, to statement: PreparedStatement, first: Int32) throws {
    if parameterCount == 1 { return try statement.bind(key, at: first) }
    var next = first
    try forEachValue(of: key) { value in
      try statement.bind(value, at: next)
      next += 1
    }
  }
}

extension CompiledEntity {
  /// Returns the values of the columns that identify a row, or nil if the row does
  /// not exist.
  func identifyingValues(of row: Int64, _ database: Database) throws -> [StoredValue]? {
    let sql = """
      SELECT \(entity.identifyingKeys.map { quotedName($0) }.joined(separator: ", ")) \
      FROM \(quotedName(name)) WHERE \(quotedName(identityColumn)) = ?
      """
    return try PreparedStatement(database, SQLQuery(sql, [.int64(row)])).first { statement in
      identifying.indices.map { StoredValue(statement, Int32($0)) }
    }
  }
}
