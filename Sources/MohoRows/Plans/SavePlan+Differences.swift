package import MohoMapping

/// A row before and after a change. A side is nil if the row does not exist
/// there. The values are those of ``CompiledTable/columns``.
package struct RowDifference {
  package let id: Int64
  package let old: [FieldContent]?
  package let new: [FieldContent]?

  package init(id: Int64, old: [FieldContent]?, new: [FieldContent]?) {
    self.id = id
    self.old = old
    self.new = new
  }
}

extension SavePlan {
  /// Creates a plan from the differences of rows, by table.
  ///
  /// - Parameter identifying: Returns the values of the columns that identify the
  ///   rows with the given identities. Rows that do not exist are omitted.
  package init(
    _ differences: [String: [RowDifference]], _ schema: CompiledSchema, unchanged: Int,
    identifying: @escaping (CompiledEntity, [Int64]) throws -> [Int64: [FieldContent]],
    save: @escaping @Sendable (StoreWriter) throws -> SaveReport
  ) throws {
    var keys = UniqueKeyCache(schema, identifying)
    try keys.learn(differences)
    var inserts: [Insert] = []
    var updates: [Update] = []
    var deletes: [Delete] = []
    for entity in keys.schema.entities {
      for difference in differences[entity.name] ?? [] {
        let row = try keys.row(difference.id, of: entity.name)
        switch (difference.old, difference.new) {
        case (nil, let new?):
          inserts.append(Insert(row: row, values: try keys.values(new, entity)))
        case (let old?, nil):
          deletes.append(Delete(row: row, values: try keys.values(old, entity)))
        case (let old?, let new?):
          updates.append(Update(row: row, changes: try keys.changes(old, new, entity)))
        case (nil, nil): break
        }
      }
    }
    var links: [Link] = []
    var unlinks: [Link] = []
    for table in keys.schema.linkTables {
      for difference in differences[table.name] ?? [] {
        if let link = try keys.link(difference.old, table) { unlinks.append(link) }
        if let link = try keys.link(difference.new, table) { links.append(link) }
      }
    }
    let order = keys.order
    self.init(
      inserts: inserts.sorted { order($0.row, $1.row) },
      updates: updates.sorted { order($0.row, $1.row) },
      deletes: deletes.sorted { order($0.row, $1.row) },
      links: links.sorted { order($0.source, $1.source, $0.target, $1.target) },
      unlinks: unlinks.sorted { order($0.source, $1.source, $0.target, $1.target) },
      unchanged: unchanged, save: save)
  }
}

/// The unique keys of rows, by identity.
private struct UniqueKeyCache {
  let schema: CompiledSchema
  private let identifying: (CompiledEntity, [Int64]) throws -> [Int64: [FieldContent]]
  private var keys: [String: [Int64: FieldContent]] = [:]
  /// The values that identify changed rows, by table and identity.
  private var changed: [String: [Int64: [FieldContent]]] = [:]

  init(
    _ schema: CompiledSchema,
    _ identifying: @escaping (CompiledEntity, [Int64]) throws -> [Int64: [FieldContent]]
  ) {
    self.schema = schema
    self.identifying = identifying
  }

  /// Adds the keys of changed rows, with those of the rows that are part of the
  /// keys.
  mutating func learn(_ differences: [String: [RowDifference]]) throws {
    for entity in schema.entities {
      for row in differences[entity.name] ?? [] {
        if entity.identifying.isEmpty {
          keys[entity.name, default: [:]][row.id] = row.old.map { _ in .int64(row.id) } ?? .null
        } else if let values = row.new ?? row.old {
          changed[entity.name, default: [:]][row.id] = entity.identifyingColumns.map { values[$0] }
        }
      }
    }
    try loadLinkedRows(differences)
  }

  /// Reads the identifying values of unchanged rows that changed rows are linked
  /// to.
  private mutating func loadLinkedRows(_ differences: [String: [RowDifference]]) throws {
    var linked: [String: Set<Int64>] = [:]
    for table in schema.tables {
      for row in differences[table.name] ?? [] {
        for column in table.linkColumns {
          guard case .link(let entity) = table.columns[column].content else { continue }
          for case .int64(let id)? in [row.old?[column], row.new?[column]] {
            linked[entity, default: []].insert(id)
          }
        }
      }
    }
    for entity in schema.entities where !entity.isKeyedByIdentity && !entity.identifying.isEmpty {
      let unknown = linked[entity.name, default: []].filter { changed[entity.name]?[$0] == nil }
      if unknown.isEmpty { continue }
      for (id, values) in try identifying(entity, unknown.sorted()) {
        changed[entity.name, default: [:]][id] = values
      }
    }
  }

  /// Returns the row with an identity.
  mutating func row(_ id: Int64, of name: String) throws -> SavePlan.Row {
    SavePlan.Row(entity: name, key: try key(id, of: name))
  }

  private mutating func key(_ id: Int64, of name: String) throws -> FieldContent {
    if let key = keys[name]?[id] { return key }
    guard let entity = schema.entity(name), !entity.isKeyedByIdentity, !entity.identifying.isEmpty
    else { return .int64(id) }
    guard let values = try changed[name]?[id] ?? identifying(entity, [id])[id] else {
      return .int64(id)
    }
    let parts = try zip(entity.identifyingColumns, values).map { column, value in
      try content(value, entity.table.columns[column].content)
    }
    let key = parts.count == 1 ? parts[0] : FieldContent(identity: parts)
    keys[name, default: [:]][id] = key
    return key
  }

  /// Returns the content of a column. For a link, this is the unique key of the
  /// linked row.
  private mutating func content(
    _ value: FieldContent, _ content: TableColumn.Content
  ) throws -> FieldContent {
    if case .link(let entity) = content, case .int64(let id) = value {
      return try key(id, of: entity)
    }
    return value
  }

  mutating func values(
    _ row: [FieldContent], _ entity: CompiledEntity
  ) throws -> [SavePlan.Value] {
    var values: [SavePlan.Value] = []
    for (index, column) in entity.table.columns.enumerated()
    where row[index] != .null && !entity.identifyingColumns.contains(index) {
      values.append(
        SavePlan.Value(key: column.planName, content: try content(row[index], column.content)))
    }
    return values
  }

  mutating func changes(
    _ old: [FieldContent], _ new: [FieldContent], _ entity: CompiledEntity
  ) throws -> [SavePlan.Change] {
    var changes: [SavePlan.Change] = []
    for (index, column) in entity.table.columns.enumerated()
    where old[index] != new[index] {
      changes.append(
        SavePlan.Change(
          key: column.planName, old: try content(old[index], column.content),
          new: try content(new[index], column.content)))
    }
    return changes
  }

  mutating func link(_ row: [FieldContent]?, _ table: LinkTable) throws -> SavePlan.Link? {
    guard let row, case .int64(let source) = row[0], case .int64(let target) = row[1]
    else { return nil }
    var position: Int64?
    if table.isOrdered, case .int64(let value) = row[2] { position = value }
    return SavePlan.Link(
      relationship: "\(table.source).\(table.relationship)",
      source: try self.row(source, of: table.source),
      target: try self.row(target, of: table.target),
      position: position)
  }

  /// Returns whether rows precede others: by entity, then by unique key.
  var order: (SavePlan.Row...) -> Bool {
    { [schema] rows in
      for index in stride(from: 0, to: rows.count - 1, by: 2) {
        let (one, other) = (rows[index], rows[index + 1])
        if one == other { continue }
        guard one.entity == other.entity else {
          return schema.entity(one.entity)?.index ?? 0 < schema.entity(other.entity)?.index ?? 0
        }
        return one.key.precedes(other.key)
      }
      return false
    }
  }
}

extension CompiledEntity {
  /// The indexes of the table's columns that identify rows.
  package var identifyingColumns: [Int] {
    entity.identifyingKeys.compactMap { key in table.columns.firstIndex { $0.name == key } }
  }
}

extension TableColumn {
  /// The name of the column in a plan.
  fileprivate var planName: String {
    if case .position(let relationship) = content { "\(relationship)#position" } else { name }
  }
}
