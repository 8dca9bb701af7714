/// What a message of SQLite says about a constraint that failed.
enum ConstraintFailure: Hashable {
  /// Values of some columns together are taken: their names with that of the
  /// table, as in `T.a, T.b`.
  case unique(String)
  /// The column, as in `T.a`, has no value.
  case missing(String)
  /// The check of the name does not hold.
  case check(String)
  /// The column does not hold values of the type.
  case type(String, found: String)
  /// A row is kept by the relationship, as in `T.r`.
  case denial(String)

  /// Nil of messages that name nothing.
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
  /// The first place of a text in this one.
  fileprivate func range(_ text: String) -> Range<Index>? { ranges(of: text).first }
}

extension Schema {
  /// The entity and the keys that a failure is about; no entity where several
  /// have such a key, and nil where none has.
  ///
  /// Names may hold any character, so that a message cannot be taken apart: it
  /// is compared with what each constraint would say.
  ///
  /// - Parameter sql: The statement that failed.
  func place(
    of failure: ConstraintFailure, sql: String?
  ) -> (entity: String?, keys: [String])? {
    switch failure {
    case .unique(let text):
      for entity in entities {
        for keys in entity.uniqueKeys + entity.columnKeys.map({ [$0] })
        where entity.tableNames.contains(where: { table in
          text == keys.map { "\(table).\($0)" }.joined(separator: ", ")
        }) {
          return (entity.name, keys)
        }
      }
      return linkTables.first { text == "\($0.name).source, \($0.name).target" }
        .map { ($0.source, [$0.relationship]) }
    case .missing(let text), .type(let text, _), .denial(let text):
      for entity in entities {
        let keys = entity.columnKeys + entity.relationships.map(\.name)
        for table in entity.tableNames {
          if let key = keys.first(where: { text == "\(table).\($0)" }) {
            return (entity.name, [key])
          }
        }
      }
      return nil
    case .check(let name):
      var candidates = entities.filter { $0.attribute(name)?.checks.isEmpty == false }
      if candidates.isEmpty { return nil }
      if candidates.count > 1, let sql {
        // The message does not name the table, which the statement does, unless
        // a trigger wrote to it.
        candidates = candidates.filter { !sql.ranges(of: $0.name).isEmpty }
      }
      return (candidates.count == 1 ? candidates[0].name : nil, [name])
    }
  }
}

extension Entity {
  /// The table, and the one that takes its place in a migration.
  fileprivate var tableNames: [String] { [name, InterimName.table(name)] }

  /// The keys that are columns of the table.
  fileprivate var columnKeys: [String] {
    attributes.map(\.name) + relationships.filter { !$0.isToMany }.map(\.name) + [identityColumn]
  }
}

extension LinkTable {
  /// The name of the relationship whose links the table holds.
  var relationship: String { String(name.dropFirst("_moho_\(source)_".count)) }
}
