package import MohoMapping

/// Reads rows as the keys of models, including the contents of related rows.
package struct RowContents {
  private let context: EditingContext
  /// The rows that contain the current row, outermost first.
  private var path: [Int] = []
  /// The rows whose values have been read, including the rows of references.
  private(set) var rows: Set<Int> = []
  /// The rows whose contents have been read, without those of references.
  private(set) var containedRows: Set<Int> = []

  package init(in context: EditingContext) { self.context = context }

  /// Returns the content of a row at each key, or nil for transient properties.
  ///
  /// - Throws: ``StoreError`` if a key is outside the entity, or if a nested
  ///   value would contain itself.
  package mutating func contents(of row: Int, for keys: [FieldKey]) throws -> [FieldContent?] {
    guard !path.contains(row) else { throw cycle(to: row) }
    if path.count >= NestingDepth.limit {
      throw StoreError(nestedIn: "\(context.graph[path[0]].identity)")
    }
    path.append(row)
    rows.insert(row)
    containedRows.insert(row)
    defer { path.removeLast() }
    let values = try context.requireValues(row)
    let entity = context.graph.entity(of: row)
    return try keys.map { key in
      if !key.isStored { return nil }
      if let relation = key.relation, let relationship = entity.relationship(key.name) {
        return try content(of: row, relationship, relation)
      }
      guard let index = entity.attribute(key.name) else { throw unknown(key, entity) }
      return values.attributes[index]
    }
  }

  private mutating func content(
    of row: Int, _ relationship: CompiledRelationship, _ relation: Relation
  ) throws -> FieldContent {
    var partners = try context.partners(of: row, relationship)
    if !relationship.isOrdered { partners = context.sortedByIdentity(partners) }
    let contents = try partners.map { partner in
      relation.models.isReference
        ? try reference(to: partner) : try object(partner, relation.models.model)
    }
    return relationship.isToMany ? .array(contents) : contents.first ?? .null
  }

  private mutating func reference(to row: Int) throws -> FieldContent {
    rows.insert(row)
    let entity = context.graph.entity(of: row)
    guard !entity.identifying.isEmpty else {
      throw StoreError(
        .invalidRequest, subject: "`\(entity.name)`",
        reason: "a row without a unique key cannot be referred to")
    }
    // If the identity is the key, the fault does not need to be read.
    if entity.isKeyedByIdentity, let identity = context.graph[row].identity.stored {
      return .int64(identity)
    }
    let values = try context.requireValues(row)
    var parts: [FieldContent] = []
    for column in entity.identifying {
      switch column {
      case .attribute(let index): parts.append(values.attributes[index])
      case .slot(let slot):
        let target = context.graph.partners(of: row, entity.linkColumns[slot]).first
        parts.append(try target.map { try reference(to: $0) } ?? .null)
      }
    }
    return parts.count == 1 ? parts[0] : FieldContent(identity: parts)
  }

  private mutating func object<Model: MappedModel>(
    _ row: Int, _ model: Model.Type
  ) throws -> FieldContent {
    let mapping = model.mapping
    let contents = try contents(of: row, for: mapping.keys)
    return .object(
      mapping.keys.indices.compactMap { index in
        if mapping.keys[index].isTransient { return nil }
        // An object has a content for each key. Keys that are not stored have
        // their default values.
        return contents[index] ?? mapping.defaultContent(at: index) ?? .null
      })
  }

  private func cycle(to row: Int) -> StoreError {
    let rows = (path + [row]).map { "\(context.graph[$0].identity)" }
    return StoreError(
      .cycle, subject: rows.last, reason: rows.joined(separator: " > "),
      suggestion: "declare the way back as a `ModelReference`")
  }

  private func unknown(_ key: FieldKey, _ entity: CompiledEntity) -> StoreError {
    StoreError(
      .invalidRequest, subject: "`\(entity.name)`",
      reason: "`\(key.name)` is not "
        + (key.relation == nil ? "an attribute" : "a relationship") + " of the entity")
  }
}
