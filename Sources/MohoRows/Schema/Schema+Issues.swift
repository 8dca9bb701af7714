import Foundation
import MohoMapping

extension Schema {
  /// The issues of the entities, in declaration order.
  var issues: [String] {
    var issues: [String] = []
    for (position, entity) in entities.enumerated() {
      let twin = entities[..<position].first { isEqualIgnoringCase($0.name, entity.name) }
      if let twin { issues.append("`\(twin.name)` and `\(entity.name)` have the same table name") }
      issues += entity.issues
      issues += entity.relationships.flatMap { self.issues(of: $0, in: entity) }
      issues += entity.identifyingKeys.flatMap { identityIssues(of: $0, in: entity) }
    }
    return issues.isEmpty ? nameConflicts : issues
  }

  /// The issues of generated tables, indexes and triggers with the same name.
  /// Generated names are composed of declared names, which can contain any
  /// character.
  private var nameConflicts: [String] {
    let triggers = compiled.entities.flatMap { entity in
      entity.relationships.filter(\.needsDeleteTrigger).map {
        ReservedName.deleteTrigger(of: $0.name, in: entity.name)
      }
    }
    let names =
      (compiled.tables.map(\.name) + compiled.searchIndexes.map(\.table)).map { ("table", $0) }
      + compiled.indexes.map { ("index", $0.name) }
      + triggers.map { ("trigger", $0) }
    var conflicts: [String] = []
    var seen: [[UInt8]: String] = [:]
    for (kind, name) in names {
      // SQLite and PostgreSQL have one namespace for tables and indexes.
      let key = folded((kind == "trigger" ? "trigger " : "") + name)
      if let other = seen.updateValue(kind, forKey: key) {
        conflicts.append("the \(other) and the \(kind) `\(name)` have the same name")
      }
    }
    return conflicts
  }

  private func issues(of relationship: Relationship, in entity: Entity) -> [String] {
    let name = "`\(entity.name).\(relationship.name)`"
    guard let destination = self.entity(relationship.destination) else {
      return ["\(name) refers to `\(relationship.destination)`, which is not an entity"]
    }
    var issues: [String] = []
    if let inverse = relationship.inverse {
      let back = "`\(destination.name).\(inverse)`"
      if let other = destination.relationship(inverse) {
        if other.destination != entity.name {
          issues.append("\(name) has the inverse \(back), which refers to `\(other.destination)`")
        } else if let back = other.inverse, back != relationship.name {
          issues.append(
            "\(name) has the inverse `\(destination.name).\(inverse)`,"
              + " whose inverse is `\(entity.name).\(back)`")
        }
      } else {
        issues.append("\(name) has the inverse \(back), which is not a relationship")
      }
    } else if ambiguousInverses(of: relationship, in: entity) > 1 {
      issues.append("\(name) is the inverse of several relationships of `\(destination.name)`")
    }
    issues += deleteRuleIssues(of: relationship, in: entity)
    if let count = relationship.count, !relationship.isToMany || count.lowerBound < 0 {
      issues.append("\(name) has the invalid count \(count.lowerBound)...\(count.upperBound)")
    }
    return issues
  }

  /// Returns the issues of a relationship that is part of an entity's identity.
  private func identityIssues(of key: String, in entity: Entity) -> [String] {
    guard let relationship = entity.relationship(key), !relationship.isToMany,
      let destination = self.entity(relationship.destination)
    else { return [] }
    let subject = "`\(entity.name)` is identified by `\(key)`"
    if destination.identifyingKeys.isEmpty {
      return ["\(subject), but `\(destination.name)` has no unique key"]
    }
    if storage(of: relationship, in: entity) != .column {
      return ["\(subject), whose links `\(destination.name)` stores"]
    }
    // Each cycle is reported once, for its first entity.
    guard let cycle = identityPath(from: destination, to: entity, [entity.name]),
      entities.first(where: { cycle.contains($0.name) }) == entity
    else { return [] }
    return ["\(subject), and its identity contains itself: \(cycle.joined(separator: " > "))"]
  }

  /// Returns the names of the entities from one to another, if the identity of
  /// the first contains that of the other.
  private func identityPath(
    from entity: Entity, to end: Entity, _ path: [String]
  ) -> [String]? {
    let isKnown = path.contains(entity.name)
    let path = path + [entity.name]
    if entity.name == end.name { return path }
    if isKnown { return nil }
    return entity.identifyingKeys.lazy
      .compactMap { entity.relationship($0) }.compactMap { self.entity($0.destination) }
      .compactMap { identityPath(from: $0, to: end, path) }.first
  }

  private func ambiguousInverses(of relationship: Relationship, in entity: Entity) -> Int {
    let destination = self.entity(relationship.destination)
    return destination?.relationships.count {
      $0.inverse == relationship.name && $0.destination == entity.name
    } ?? 0
  }
}

extension Entity {
  fileprivate var issues: [String] {
    var issues: [String] = []
    if name.isEmpty { issues.append("an entity has no name") }
    if name.utf8.contains(0) { issues.append("`\(name)` contains a null character") }
    if isReserved(name) { issues.append(reservation(of: "`\(name)`")) }
    let names = attributes.map(\.name) + relationships.map(\.name)
    for (position, key) in names.enumerated() {
      if key.isEmpty { issues.append("a key of `\(name)` has no name") }
      if key.utf8.contains(0) {
        issues.append("`\(name).\(key)` contains a null character")
      }
      if isReserved(key) { issues.append(reservation(of: "`\(name).\(key)`")) }
      if let twin = names[..<position].first(where: { isEqualIgnoringCase($0, key) }) {
        issues.append("`\(name).\(twin)` and `\(name).\(key)` have the same column name")
      }
    }
    issues += attributes.flatMap { attribute in
      attribute.issues.map { "`\(name).\(attribute.name)` \($0)" }
    }
    for (position, key) in identifyingKeys.enumerated() {
      if attribute(key) == nil && relationship(key)?.isToMany != false {
        issues.append("`\(name)` is identified by `\(key)`, which is not a column")
      } else if identifyingKeys[..<position].contains(key) {
        issues.append("`\(name)` is identified by `\(key)` several times")
      }
    }
    for keys in uniqueKeys.filter({ $0 != identifyingKeys }) + indexes {
      if keys.isEmpty { issues.append("`\(name)` has an empty unique key or index") }
      for key in keys where attribute(key) == nil && relationship(key)?.isToMany != false {
        issues.append("`\(name)` has a unique key or index on `\(key)`, which is not a column")
      }
    }
    for (position, key) in searchableKeys.enumerated() {
      if searchableKeys[..<position].contains(key) {
        issues.append("`\(name)` has the searchable key `\(key)` several times")
      } else if let attribute = attribute(key) {
        guard attribute.type != .string && attribute.type != .url else { continue }
        issues.append("`\(name).\(key)` is searchable, but it is not text")
      } else {
        issues.append("`\(name)` has the searchable key `\(key)`, which is not an attribute")
      }
    }
    return issues
  }

  private func reservation(of name: String) -> String {
    "\(name): names that start with `_moho` or `sqlite_` are reserved"
  }
}

extension Attribute {
  fileprivate var issues: [String] {
    var issues: [String] = []
    if let defaultValue, !type.holds(defaultValue) {
      issues.append("has the default \(defaultValue), which is not of type \(type.rawValue)")
    }
    for constraint in constraints {
      switch constraint {
      case .minimum(let value), .maximum(let value):
        if !type.holds(value) {
          issues.append("has the limit \(value), which is not of type \(type.rawValue)")
        }
      case .oneOf(let values):
        for value in values where !type.holds(value) {
          issues.append("has the allowed value \(value), which is not of type \(type.rawValue)")
        }
      case .length(let range):
        if range.lowerBound < 0 { issues.append("has a negative length") }
        if ![.string, .data, .url].contains(type) {
          issues.append("has a length constraint, which \(type.rawValue) does not support")
        }
      }
    }
    return issues
  }
}

extension AttributeType {
  /// Returns a Boolean value indicating whether a column of the type can store
  /// a value. The value must not be null.
  func holds(_ value: FieldContent) -> Bool {
    switch (self, value) {
    case (.int16, .int64(let value)): Int16(exactly: value) != nil
    case (.int32, .int64(let value)): Int32(exactly: value) != nil
    case (.int64, .int64): true
    case (.int16, .uint64(let value)): Int16(exactly: value) != nil
    case (.int32, .uint64(let value)): Int32(exactly: value) != nil
    case (.int64, .uint64(let value)): Int64(exactly: value) != nil
    case (.uint64, .int64(let value)): value >= 0
    case (.uint64, .uint64): true
    case (.decimal, .decimal(let value)): !value.isNaN
    case (.double, .double(let value)): !value.isNaN
    case (.float, .double(let value)): Double(Float(value)) == value
    case (.string, .string), (.url, .string), (.structured, .string): true
    case (.boolean, .bool), (.data, .data): true
    case (.date, .date(let value)): !value.timeIntervalSinceReferenceDate.isNaN
    case (.uuid, .string(let text)): UUID(uuidString: text) != nil
    default: false
    }
  }
}

/// Returns whether SQLite considers two names equal.
package func isEqualIgnoringCase(_ one: String, _ other: String) -> Bool {
  folded(one) == folded(other)
}

/// Returns a name in the form that SQLite compares, which is its bytes with
/// ASCII letters in lower case.
package func folded(_ name: String) -> [UInt8] {
  name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
}

private func isReserved(_ name: String) -> Bool {
  let name = folded(name)
  return name.starts(with: folded("_moho")) || name.starts(with: folded("sqlite_"))
}
