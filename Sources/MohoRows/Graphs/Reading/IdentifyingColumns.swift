package import MohoMapping

/// The columns that identify the rows of an entity, in statements.
///
/// The value of a link column is the identity of the linked row. A statement
/// finds that row by the row's own identifying columns. A key has a parameter for
/// each single value: the key `[[1, "a"], 2]` has three.
package struct IdentifyingColumns {
  package let entity: CompiledEntity
  /// For each column, the identifying columns of the linked row. Nil for columns
  /// that are not links.
  package let targets: [IdentifyingColumns?]
  /// The number of parameters of a key.
  package let parameterCount: Int32

  package init(_ entity: CompiledEntity, _ schema: CompiledSchema) {
    self.entity = entity
    targets = entity.identifying.map { column in
      guard case .slot(let slot) = column else { return nil }
      return IdentifyingColumns(schema.entities[entity.linkColumns[slot].destination], schema)
    }
    parameterCount = targets.reduce(0) { $0 + ($1?.parameterCount ?? 1) }
  }

  /// The quoted names of the columns.
  package var names: [String] { entity.entity.identifyingKeys.map { quotedName($0) } }

  /// Calls a closure with a value for each parameter.
  ///
  /// - Throws: `MappingError` if the key has another number of values.
  package func forEachValue(of key: FieldContent, _ body: (FieldContent) throws -> Void) throws {
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

  /// Returns the value of each column in a key. The value of a link is the key of
  /// the linked row, or null if a part of it is null.
  ///
  /// - Throws: `MappingError` if the key has another number of values.
  package func values(of key: FieldContent) throws -> [FieldContent] {
    var parts: [FieldContent] = []
    try forEachValue(of: key) { parts.append($0) }
    var rest = parts[...]
    return targets.map { target in
      let values = Array(rest.prefix(Int(target?.parameterCount ?? 1)))
      rest = rest.dropFirst(values.count)
      if values.contains(.null) { return .null }
      return values.count == 1 ? values[0] : .array(values)
    }
  }
}

extension IdentifyingColumns {
  /// The expressions for the single values of a row's key.
  ///
  /// - Parameter alias: The name of the table in the statement.
  package func selection(in alias: String) -> [String] { selection { "\(alias).\($0)" } }

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
  package func reference(from values: [StoredValue]) -> RelatedItem {
    if values.contains(.null) { return .key(.null) }
    var rest = values[...]
    return reference(taking: &rest)
  }

  private func reference(taking values: inout ArraySlice<StoredValue>) -> RelatedItem {
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
  package var hasOwnKey: Bool { !isKeyedByIdentity && !identifying.isEmpty }
}
