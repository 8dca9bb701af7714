import MohoMapping
import MohoRows

/// The columns that identify the rows of an entity, in statements.
///
/// The value of a link column is the identity of the linked row. A statement
/// finds that row by the row's own identifying columns. A key has a parameter for
/// each single value: the key `[[1, "a"], 2]` has three.
struct IdentifyingColumns {
  private let entity: CompiledEntity
  private let schema: CompiledSchema
  /// The number of parameters of a key.
  let parameterCount: Int32

  init(_ entity: CompiledEntity, _ schema: CompiledSchema) {
    self.entity = entity
    self.schema = schema
    parameterCount = entity.identifying.reduce(0) { count, column in
      guard case .slot(let slot) = column else { return count + 1 }
      return count + IdentifyingColumns(entity.linkColumns[slot], schema).parameterCount
    }
  }

  private init(_ link: CompiledRelationship, _ schema: CompiledSchema) {
    self.init(schema.entities[link.destination], schema)
  }

  /// The quoted names of the columns.
  var names: [String] { entity.entity.identifyingKeys.map { quotedName($0) } }

  /// Returns an expression for the value of each column.
  ///
  /// - Parameter first: The number of the first parameter.
  func values(first: Int32) -> [String] {
    var next = first
    return entity.identifying.map { column in
      guard case .slot(let slot) = column else {
        defer { next += 1 }
        return "?\(next)"
      }
      let target = IdentifyingColumns(entity.linkColumns[slot], schema)
      defer { next += target.parameterCount }
      return target.entity.isKeyedByIdentity ? "?\(next)" : target.lookup(first: next)
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
    for (index, value) in try values(of: key).enumerated() {
      try statement.bind(value, at: first + Int32(index))
    }
  }

  /// Returns a value for each parameter.
  ///
  /// - Throws: `MappingError` if the key has another number of values.
  func values(of key: FieldContent) throws -> [FieldContent] {
    if key == .null { return Array(repeating: .null, count: Int(parameterCount)) }
    let parts = key.identityParts
    guard parts.count == parameterCount else {
      throw MappingError(
        .invalidValue, model: entity.name, found: "identity \(key)",
        expected: "\(parameterCount) values")
    }
    return parts
  }
}

extension IdentifyingColumns {
  /// The expressions for the single values of a row's key.
  ///
  /// - Parameter alias: The name of the table in the statement.
  func selection(in alias: String) -> [String] { selection { "\(alias).\($0)" } }

  /// - Parameter column: Returns the expression for a column of the row.
  private func selection(_ column: (String) -> String) -> [String] {
    zip(entity.identifying, names).flatMap { identifying, name in
      guard case .slot(let slot) = identifying else { return [column(name)] }
      let target = IdentifyingColumns(entity.linkColumns[slot], schema)
      if target.entity.isKeyedByIdentity { return [column(name)] }
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
    for column in entity.identifying {
      if case .slot(let slot) = column {
        let target = IdentifyingColumns(entity.linkColumns[slot], schema)
        parts.append(target.reference(taking: &values))
      } else {
        parts.append(.key(values.popFirst() ?? .null))
      }
    }
    return parts.count == 1 ? parts[0] : .keys(parts)
  }
}
