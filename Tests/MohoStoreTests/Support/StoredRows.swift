import Foundation
import GRDB
import MohoMapping

@testable import MohoRows
@testable import MohoSQLite

/// The rows of an in-memory store, read with SQL that is independent of
/// requests.
final class StoredRows {
  final class StoredRow: FilterSubject {
    let identity: Int64
    let values: [String: FieldContent]
    var related: [String: [StoredRow]] = [:]

    init(identity: Int64, values: [String: FieldContent]) {
      self.identity = identity
      self.values = values
    }

    func value(of key: String) -> FieldContent { values[key] ?? .null }

    func related(by key: String) -> [any FilterSubject] { related[key] ?? [] }
  }

  private var rows: [String: [StoredRow]] = [:]

  subscript(entity: String) -> [StoredRow] { rows[entity] ?? [] }

  init(_ store: ModelStore) throws {
    try store.writer.read { database in
      for entity in store.schema.entities {
        rows[entity.name] = try Self.rows(of: entity, database)
      }
      for entity in store.schema.entities {
        for relationship in entity.relationships {
          try link(relationship, of: entity, store.schema, database)
        }
      }
    }
  }

  private static func rows(of entity: Entity, _ database: Database) throws -> [StoredRow] {
    var columns = [entity.identityColumn]
    columns += entity.attributes.map(\.name).filter { $0 != entity.identityColumn }
    let types = Dictionary(uniqueKeysWithValues: entity.attributes.map { ($0.name, $0.type) })
    let list = columns.map { "CAST(\(identifier($0)) AS BLOB), \(identifier($0))" }.joined(
      separator: ", ")
    return try Row.fetchAll(database, sql: "SELECT \(list) FROM \(identifier(entity.name))").map {
      row in
      var values: [String: FieldContent] = [:]
      for (index, column) in columns.enumerated() {
        let bytes: DatabaseValue = row[2 * index]
        values[column] = content(row[2 * index + 1], bytes, types[column] ?? .int64)
      }
      return StoredRow(identity: row[1], values: values)
    }
  }

  private static func content(
    _ value: DatabaseValue, _ bytes: DatabaseValue, _ type: AttributeType
  ) -> FieldContent {
    if value.isNull { return .null }
    let data = Data.fromDatabaseValue(bytes) ?? Data()
    let text = String(decoding: data, as: UTF8.self)
    return switch type {
    case .int16, .int32, .int64, .uint64: .int64(Int64.fromDatabaseValue(value) ?? 0)
    case .boolean: .bool(Int64.fromDatabaseValue(value) == 1)
    case .double, .float: .double(Double.fromDatabaseValue(value) ?? 0)
    case .date:
      .date(Date(timeIntervalSinceReferenceDate: Double.fromDatabaseValue(value) ?? 0))
    case .decimal: Decimal(string: text).map { .decimal($0) } ?? .null
    case .string, .uuid, .url, .structured: .string(text)
    case .data: .data(data)
    }
  }

  private func link(
    _ relationship: Relationship, of entity: Entity, _ schema: Schema, _ database: Database
  ) throws {
    guard let destination = schema.entity(relationship.destination),
      let storage = schema.storage(of: relationship, in: entity)
    else { return }
    let sql =
      switch storage {
      case .column:
        "SELECT \(identifier(entity.identityColumn)), \(identifier(relationship.name)) FROM \(identifier(entity.name))"
      case .inverseColumn(let column, _):
        "SELECT \(identifier(column)), \(identifier(destination.identityColumn)) FROM \(identifier(destination.name))"
      case .table(let table, let end):
        "SELECT \(LinkTable.column(end)), \(LinkTable.column(end.other)) FROM \(identifier(table.name))"
      }
    let byIdentity = Dictionary(
      uniqueKeysWithValues: self[destination.name].map { ($0.identity, $0) })
    let owners = Dictionary(uniqueKeysWithValues: self[entity.name].map { ($0.identity, $0) })
    for row in try Row.fetchAll(database, sql: sql) {
      guard let owner: Int64 = row[0], let other: Int64 = row[1] else { continue }
      guard let other = byIdentity[other] else { continue }
      owners[owner]?.related[relationship.name, default: []].append(other)
    }
  }
}

private func identifier(_ name: String) -> String { MohoRows.quotedName(name) }
