import Foundation
import GRDB
import GRDBSQLite
import MohoMapping

extension SavePlan {
  /// The plan that makes rows differ so.
  init(
    _ differences: [String: [RowDifference]], _ tables: [LoggedTable], _ names: inout RowNames,
    unchanged: Int, save: @escaping @Sendable (StoreWriter) throws -> SaveReport
  ) throws {
    var inserts: [Insert] = []
    var updates: [Update] = []
    var deletes: [Delete] = []
    for entity in names.schema.entities {
      guard let table = tables.first(where: { $0.name == entity.name }) else { continue }
      for difference in differences[entity.name] ?? [] {
        let row = try names.row(difference.id, of: entity.name)
        switch (difference.old, difference.new) {
        case (nil, let new?):
          inserts.append(Insert(row: row, values: try names.values(new, table, entity)))
        case (let old?, nil):
          deletes.append(Delete(row: row, values: try names.values(old, table, entity)))
        case (let old?, let new?):
          updates.append(Update(row: row, changes: try names.changes(old, new, table)))
        case (nil, nil): break
        }
      }
    }
    var links: [Link] = []
    var unlinks: [Link] = []
    for link in names.schema.linkTables {
      let relationship = String(link.name.dropFirst("_moho_".count))
      let name = "\(link.source).\(relationship.dropFirst(link.source.count + 1))"
      for difference in differences[link.name] ?? [] {
        unlinks += try names.link(difference.old, name, link).map { [$0] } ?? []
        links += try names.link(difference.new, name, link).map { [$0] } ?? []
      }
    }
    let order = names.order
    self.inserts = inserts.sorted { order($0.row, $1.row) }
    self.updates = updates.sorted { order($0.row, $1.row) }
    self.deletes = deletes.sorted { order($0.row, $1.row) }
    self.links = links.sorted { order($0.source, $1.source, $0.target, $1.target) }
    self.unlinks = unlinks.sorted { order($0.source, $1.source, $0.target, $1.target) }
    self.unchanged = unchanged
    self.save = save
  }
}

/// The unique keys of rows by their identities.
struct RowNames {
  let schema: Schema
  private let database: Database
  private var keys: [String: [Int64: FieldContent]] = [:]

  init(_ schema: Schema, _ database: Database) {
    self.schema = schema
    self.database = database
  }

  /// Learns the keys of rows that have changed.
  mutating func learn(_ rows: [RowDifference], of entity: Entity) {
    guard let (position, type) = unique(of: entity) else {
      for row in rows {
        keys[entity.name, default: [:]][row.id] = row.old.map { _ in .int64(row.id) } ?? .null
      }
      return
    }
    for row in rows {
      if let value = (row.new ?? row.old)?[position] {
        keys[entity.name, default: [:]][row.id] = FieldContent(value, type)
      }
    }
  }

  private func unique(of entity: Entity) -> (position: Int, type: AttributeType)? {
    guard let unique = entity.uniqueAttribute,
      let position = entity.attributes.firstIndex(of: unique)
    else { return nil }
    return (position, unique.type)
  }

  /// The row with an identity.
  mutating func row(_ id: Int64, of name: String) throws -> SavePlan.Row {
    SavePlan.Row(entity: name, key: try key(id, of: name))
  }

  private mutating func key(_ id: Int64, of name: String) throws -> FieldContent {
    if let key = keys[name]?[id] { return key }
    guard let entity = schema.entity(name), let unique = entity.uniqueAttribute,
      !entity.isIdentity(unique)
    else { return .int64(id) }
    let sql = """
      SELECT \(quoted(unique.name)) FROM \(quoted(name)) \
      WHERE \(quoted(entity.identityColumn)) = ?
      """
    var steps = try RowSteps(database, sql: sql, [id.databaseValue])
    let key =
      try steps.next() ? FieldContent(StoredValue(steps.statement, 0), unique.type) : .int64(id)
    keys[name, default: [:]][id] = key
    return key
  }

  /// What a column holds, links by the keys of their rows.
  private mutating func content(
    _ value: StoredValue, _ content: LoggedTable.Content
  ) throws -> FieldContent {
    switch (content, value) {
    case (.link(let entity), .integer(let id)): try key(id, of: entity)
    case (.attribute(let type), _): FieldContent(value, type)
    default: FieldContent(value, .int64)
    }
  }

  private func name(_ column: (name: String, content: LoggedTable.Content)) -> String {
    guard case .position = column.content else { return column.name }
    return column.name.dropFirst("_moho_position_".count) + "#place"
  }

  mutating func values(
    _ row: [StoredValue], _ table: LoggedTable, _ entity: Entity
  ) throws -> [SavePlan.Value] {
    var values: [SavePlan.Value] = []
    for (value, column) in zip(row, table.columns)
    where value != .null && column.name != entity.uniqueAttribute?.name {
      values.append(
        SavePlan.Value(key: name(column), content: try content(value, column.content)))
    }
    return values
  }

  mutating func changes(
    _ old: [StoredValue], _ new: [StoredValue], _ table: LoggedTable
  ) throws -> [SavePlan.Change] {
    var changes: [SavePlan.Change] = []
    for (index, column) in table.columns.enumerated() where old[index] != new[index] {
      changes.append(
        SavePlan.Change(
          key: name(column), old: try content(old[index], column.content),
          new: try content(new[index], column.content)))
    }
    return changes
  }

  mutating func link(
    _ row: [StoredValue]?, _ relationship: String, _ table: LinkTable
  ) throws -> SavePlan.Link? {
    guard let row, case .integer(let source) = row[0], case .integer(let target) = row[1] else {
      return nil
    }
    var place: Int64?
    if table.isOrdered, case .integer(let position) = row[2] { place = position }
    return SavePlan.Link(
      relationship: relationship, source: try self.row(source, of: table.source),
      target: try self.row(target, of: table.target), place: place)
  }

  /// Whether rows come before others: by entity, then by unique key.
  var order: (SavePlan.Row...) -> Bool {
    let places = Dictionary(
      schema.entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    return { rows in
      for index in stride(from: 0, to: rows.count - 1, by: 2) {
        let (one, other) = (rows[index], rows[index + 1])
        if one == other { continue }
        guard one.entity == other.entity else {
          return places[one.entity] ?? 0 < places[other.entity] ?? 0
        }
        return one.key.precedes(other.key)
      }
      return false
    }
  }
}
