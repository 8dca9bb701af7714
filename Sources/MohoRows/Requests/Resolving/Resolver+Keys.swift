import MohoMapping

extension Resolver {
  enum ResolvedKey {
    case attribute(RowReferencePath, Attribute)
    case nested(RowReferencePath, Attribute, NestedKey)
    case row(RowReferencePath)
    case related(RelatedRows)
  }

  mutating func related(_ name: KeyName) -> RelatedRows? {
    switch resolveKey(name) {
    case .related(let rows): return rows
    case .attribute, .nested, .row:
      issues.append("`\(self.name(name))` is not a to-many relationship")
      return nil
    case nil: return nil
    }
  }

  /// Looks up a key in the schema. Returns nil and adds an issue if the key
  /// does not exist.
  mutating func resolveKey(_ name: KeyName) -> ResolvedKey? {
    guard case .level(let level) = name.scope, level < entities.count else {
      issues.append("`\(name)` is a key of a row outside the condition")
      return nil
    }
    let start = entities[entities.count - 1 - level]
    var path = RowReferencePath(level: level, entity: start)
    if let problem = name.problem {
      issues.append(problem)
      return nil
    }
    guard name.path.count <= KeyName.maximumLength else {
      issues.append("the path from `\(name.path[0])` has more than \(KeyName.maximumLength) keys")
      return nil
    }
    for (position, key) in name.path.enumerated() {
      let isLast = position == name.path.count - 1
      let entity = path.entity
      if isLast, let attribute = entity.attribute(key) ?? entity.identity(named: key) {
        return .attribute(path, attribute)
      }
      guard let relationship = schema.compiled.entity(entity.name)?.relationship(key) else {
        if let attribute = entity.attribute(key) {
          return nested(path, attribute, name, at: position)
        }
        issues.append("`\(entity.name)` has no key `\(key)`" + entity.suggestion(for: key))
        return nil
      }
      let step = step(along: relationship)
      if relationship.isToMany {
        guard isLast else {
          issues.append(
            "`\(entity.name).\(key)` is a to-many relationship: use `any`, `all`, `none`"
              + " or `count`")
          return nil
        }
        return .related(
          RelatedRows(owner: path, relationship: key, link: step.link, entity: step.destination))
      }
      path = path.following(step)
    }
    return .row(path)
  }

  /// Returns the step to the related rows, whose tables the request reads.
  mutating func step(along relationship: CompiledRelationship) -> RowReferencePath.Step {
    let destination = schema.compiled.entities[relationship.destination].entity
    tables.insert(destination.name)
    if case .table(let table, _) = relationship.storage { tables.insert(table.name) }
    return RowReferencePath.Step(
      relationship: relationship.name, link: relationship.storage, destination: destination)
  }

  func name(_ name: KeyName) -> String {
    guard case .level(let level) = name.scope, level < entities.count else { return "\(name)" }
    return "\(entities[entities.count - 1 - level].name).\(name)"
  }

  func description(_ operand: Operand, _ resolved: ResolvedOperand) -> String {
    if case .key(let name) = operand.kind {
      return "`\(self.name(name))` (\(resolved.type.rawValue))"
    }
    return "`\(operand)` (\(resolved.type.rawValue))"
  }
}

extension Entity {
  /// Returns the identity column as an attribute, if it has the given name.
  fileprivate func identity(named name: String) -> Attribute? {
    name == identityColumn ? Attribute(name, .int64) : nil
  }

  /// A suggestion with the most similar key, or an empty string.
  fileprivate func suggestion(for name: String) -> String {
    MohoRows.suggestion(for: name, among: attributes.map(\.name) + relationships.map(\.name))
  }
}
