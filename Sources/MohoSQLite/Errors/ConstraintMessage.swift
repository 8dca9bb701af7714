import MohoRows

/// A message of SQLite about a constraint.
enum ConstraintMessage: Hashable {
  /// The values of some columns are not unique. The text contains the qualified
  /// column names, as in `T.a, T.b`.
  case unique(String)
  /// A column that requires a value has none. The text is the qualified column
  /// name, as in `T.a`.
  case missing(String)
  /// The check with this name failed.
  case check(String)
  /// A value does not have the type of its column.
  case type(String, found: String)
  /// The relationship, as in `T.r`, denies the deletion of a row.
  case denial(String)

  /// Returns nil if the message does not name a constraint or a column.
  init?(message: String) {
    func rest(_ prefix: String) -> String? {
      message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : nil
    }
    if let columns = rest("UNIQUE constraint failed: ") {
      self = .unique(columns)
    } else if let column = rest("NOT NULL constraint failed: ") {
      self = .missing(column)
    } else if let name = rest("CHECK constraint failed: ") {
      self = .check(name)
    } else if let relationship = rest(StoreError.denial) {
      self = .denial(relationship)
    } else if let value = rest("cannot store "), let range = value.range(" value in ") {
      let column = value[range.upperBound...].drop { $0 != " " }.dropFirst(" column ".count)
      self = .type(String(column), found: String(value[..<range.lowerBound]))
    } else {
      return nil
    }
  }
}

extension String {
  fileprivate func range(_ text: String) -> Range<Index>? { ranges(of: text).first }
}

extension Schema {
  /// Finds the entity and the keys of a message. Returns nil if no entity has such a key. The
  /// entity is nil if several entities have such a key.
  ///
  /// The message cannot be parsed because names may contain any character. It
  /// is compared with the text that SQLite produces for each constraint.
  ///
  /// - Parameter sql: The statement that failed.
  func failure(
    of message: ConstraintMessage, sql: String?
  ) -> (entity: String?, failure: ConstraintFailure)? {
    switch message {
    case .unique(let text): uniqueKeys(text).map { ($0, .unique($1)) }
    case .missing(let text): key(text).map { ($0, .missing($1)) }
    case .type(let text, let found): key(text).map { ($0, .type($1, found: found)) }
    case .denial(let text): key(text).map { ($0, .denial($1)) }
    case .check(let name): check(name, sql)
    }
  }

  private func uniqueKeys(_ text: String) -> (entity: String, keys: [String])? {
    for entity in entities {
      for keys in entity.uniqueKeys + entity.columnKeys.map({ [$0] })
      where entity.tableNames.contains(where: { table in
        text == keys.map { "\(table).\($0)" }.joined(separator: ", ")
      }) {
        return (entity.name, keys)
      }
    }
    return compiled.linkTables.first { text == "\($0.name).source, \($0.name).target" }
      .map { ($0.source, [$0.relationship]) }
  }

  private func key(_ text: String) -> (entity: String, key: String)? {
    for entity in entities {
      let keys = entity.columnKeys + entity.relationships.map(\.name)
      for table in entity.tableNames {
        if let key = keys.first(where: { text == "\(table).\($0)" }) {
          return (entity.name, key)
        }
      }
    }
    return nil
  }

  private func check(
    _ name: String, _ sql: String?
  ) -> (entity: String?, failure: ConstraintFailure)? {
    var candidates = entities.filter { $0.attribute(name)?.checkConditions.isEmpty == false }
    if candidates.isEmpty { return nil }
    if candidates.count > 1, let sql {
      // The message does not contain the table. The statement does, unless a
      // trigger has written to the table.
      candidates = candidates.filter { !sql.ranges(of: $0.name).isEmpty }
    }
    return (candidates.count == 1 ? candidates[0].name : nil, .check(name))
  }
}

extension Entity {
  /// The name of the table, and the name of the table that replaces it during a
  /// migration.
  fileprivate var tableNames: [String] { [name, ReservedName.interimTable(name)] }

  /// The keys that are columns of the table.
  fileprivate var columnKeys: [String] {
    attributes.map(\.name) + relationships.filter { !$0.isToMany }.map(\.name) + [identityColumn]
  }
}
