import GRDB
import MohoMapping
import MohoRows

/// The columns that identify the rows of an entity, in statements.
///
/// The value of a link column is the identity of the linked row. A statement
/// finds that row by the row's own identifying columns. A key has a parameter for
/// each single value: the key `[[1, "a"], 2]` has three.
struct IdentifyingColumns {
  private let entity: CompiledEntity
  /// For each column, the identifying columns of the linked row. Nil for columns
  /// that are not links.
  private let targets: [IdentifyingColumns?]
  /// The number of parameters of a key.
  let parameterCount: Int32

  init(_ entity: CompiledEntity, _ schema: CompiledSchema) {
    self.entity = entity
    targets = entity.identifying.map { column in
      guard case .slot(let slot) = column else { return nil }
      return IdentifyingColumns(schema.entities[entity.linkColumns[slot].destination], schema)
    }
    parameterCount = targets.reduce(0) { $0 + ($1?.parameterCount ?? 1) }
  }

  /// The quoted names of the columns.
  var names: [String] { entity.entity.identifyingKeys.map { quotedName($0) } }

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

  /// Calls a closure with a value for each parameter.
  ///
  /// - Throws: `MappingError` if the key has another number of values.
  func forEachValue(of key: FieldContent, _ body: (FieldContent) throws -> Void) throws {
    if key == .null {
      for _ in 0..<parameterCount { try body(.null) }
      return
    }
    var count = 0
    try key.forEachIdentityPart { value in
      count += 1
      if count <= parameterCount { try body(value) }
    }
    guard count == parameterCount else {
      throw MappingError(
        .invalidValue, model: entity.name, found: "identity \(key)",
        expected: "\(parameterCount) values")
    }
  }
}

extension IdentifyingColumns {
  /// The expressions for the single values of a row's key.
  ///
  /// - Parameter alias: The name of the table in the statement.
  func selection(in alias: String) -> [String] { selection { "\(alias).\($0)" } }

  /// - Parameter column: Returns the expression for a column of the row.
  private func selection(_ column: (String) -> String) -> [String] {
    zip(targets, names).flatMap { target, name in
      guard let target, !target.entity.isKeyedByIdentity else { return [column(name)] }
      let (table, identity) = (target.entity.name, target.entity.identityColumn)
      return target.selection {
        "(SELECT \($0) FROM \(quotedName(table)) WHERE \(quotedName(identity)) = \(column(name)))"
      }
    }
  }

  /// Returns the key of the single values that a statement has selected: what
  /// the reference to a row contains. A key with a null value is null.
  func reference(from values: [SQLiteValueCopy]) -> RelatedItem {
    if values.contains(.null) { return .key(.null) }
    var rest = values[...]
    return reference(taking: &rest)
  }

  private func reference(taking values: inout ArraySlice<SQLiteValueCopy>) -> RelatedItem {
    var parts: [RelatedItem] = []
    for target in targets {
      if let target {
        parts.append(target.reference(taking: &values))
      } else {
        parts.append(.key(values.popFirst() ?? .null))
      }
    }
    return parts.count == 1 ? parts[0] : .keys(parts)
  }
}

extension CompiledEntity {
  /// Whether rows are identified by other values than their identity in the
  /// table.
  var hasOwnKey: Bool { !isKeyedByIdentity && !identifying.isEmpty }

  /// Returns the values of the columns that identify a row, or nil if the row does
  /// not exist.
  func identifyingValues(of row: Int64, _ database: Database) throws -> [SQLiteValueCopy]? {
    let sql = """
      SELECT \(entity.identifyingKeys.map { quotedName($0) }.joined(separator: ", ")) \
      FROM \(quotedName(name)) WHERE \(quotedName(identityColumn)) = ?
      """
    return try PreparedStatement(database, SQLQuery(sql, [.int64(row)])).first { statement in
      identifying.indices.map { SQLiteValueCopy(statement, Int32($0)) }
    }
  }
}
