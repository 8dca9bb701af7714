import Foundation
import GRDB
import MohoMapping
import MohoRows

extension SavePlan {
  /// Creates a plan from the differences of rows, by table.
  init(
    _ differences: [String: [RowDifference]], _ keys: inout UniqueKeyCache,
    unchanged: Int, save: @escaping @Sendable (StoreWriter) throws -> SaveReport
  ) throws {
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
struct UniqueKeyCache {
  let schema: CompiledSchema
  private let database: Database
  private var keys: [String: [Int64: FieldContent]] = [:]
  /// The values that identify changed rows, by table and identity.
  private var changed: [String: [Int64: [SQLiteValueCopy]]] = [:]

  init(_ schema: CompiledSchema, _ database: Database) {
    self.schema = schema
    self.database = database
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
  }

  /// Returns the row with an identity.
  mutating func row(_ id: Int64, of name: String) throws -> SavePlan.Row {
    SavePlan.Row(entity: name, key: try key(id, of: name))
  }

  private mutating func key(_ id: Int64, of name: String) throws -> FieldContent {
    if let key = keys[name]?[id] { return key }
    guard let entity = schema.entity(name), entity.hasOwnKey else { return .int64(id) }
    guard let values = try changed[name]?[id] ?? entity.identifyingValues(of: id, database) else {
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
    _ value: SQLiteValueCopy, _ content: TableColumn.Content
  ) throws -> FieldContent {
    switch (content, value) {
    case (.link(let entity), .integer(let id)): try key(id, of: entity)
    case (.attribute(let type), _): value.content(of: type)
    default: value.content
    }
  }

  mutating func values(
    _ row: [SQLiteValueCopy], _ entity: CompiledEntity
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
    _ old: [SQLiteValueCopy], _ new: [SQLiteValueCopy], _ entity: CompiledEntity
  ) throws -> [SavePlan.Change] {
    var changes: [SavePlan.Change] = []
    for (index, column) in entity.table.columns.enumerated() where old[index] != new[index] {
      changes.append(
        SavePlan.Change(
          key: column.planName, old: try content(old[index], column.content),
          new: try content(new[index], column.content)))
    }
    return changes
  }

  mutating func link(_ row: [SQLiteValueCopy]?, _ table: LinkTable) throws -> SavePlan.Link? {
    guard let row, let source = row[0].integer, let target = row[1].integer else { return nil }
    return SavePlan.Link(
      relationship: "\(table.source).\(table.relationship)",
      source: try self.row(source, of: table.source),
      target: try self.row(target, of: table.target),
      position: table.isOrdered ? row[2].integer : nil)
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
  fileprivate var identifyingColumns: [Int] {
    entity.identifyingKeys.compactMap { key in table.columns.firstIndex { $0.name == key } }
  }
}

extension TableColumn {
  /// The name of the column in a plan.
  fileprivate var planName: String {
    if case .position(let relationship) = content { "\(relationship)#position" } else { name }
  }
}

extension SQLiteValueCopy {
  /// Returns the content as an attribute. If the value does not have the type
  /// of the attribute, the storage class determines the content.
  fileprivate func content(of type: AttributeType) -> FieldContent {
    content(as: ValueType(type)) ?? content
  }
}
