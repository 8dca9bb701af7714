import Foundation
import GRDB
import MohoMapping
import StoreTesting

@testable import MohoPostgres
@testable import MohoRows

/// The rows of a store, read with SQL that is independent of requests.
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
    for entity in store.schema.entities {
      rows[entity.name] = try store.onConnection {
        try Self.rows(of: entity, $0)
      } postgres: {
        try Self.rows(of: entity, $0)
      }
    }
    for entity in store.schema.entities {
      for relationship in entity.relationships { try link(relationship, of: entity, store) }
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

  private static func rows(
    of entity: Entity, _ connection: PostgresConnection
  ) throws -> [StoredRow] {
    let columns = [entity.identityColumn] + entity.attributes.map(\.name)
    let list = columns.map(identifier).joined(separator: ", ")
    let sql =
      "SELECT \(list) FROM \(identifier(entity.name)) ORDER BY \(identifier(entity.identityColumn))"
    return try connection.query(sql).rows.map { row in
      var values = [entity.identityColumn: FieldContent.int64(row.int64(0))]
      for (index, attribute) in entity.attributes.enumerated() {
        values[attribute.name] = try row.content(index + 1, as: PostgresType(attribute.type))
      }
      return StoredRow(identity: row.int64(0), values: values)
    }
  }

  private func link(
    _ relationship: Relationship, of entity: Entity, _ store: ModelStore
  ) throws {
    guard let destination = store.schema.entity(relationship.destination),
      let storage = store.schema.storage(of: relationship, in: entity)
    else { return }
    let (owner, other, table) =
      switch storage {
      case .column: (entity.identityColumn, relationship.name, entity.name)
      case .inverseColumn(let column, _):
        (column, destination.identityColumn, destination.name)
      case .table(let table, let end):
        (LinkTable.column(end), LinkTable.column(end.other), table.name)
      }
    let sql =
      "SELECT \(identifier(owner)), \(identifier(other)) FROM \(identifier(table)) ORDER BY 1, 2"
    let links: [(Int64?, Int64?)] = try store.onConnection {
      try Row.fetchAll($0, sql: sql).map { ($0[0], $0[1]) }
    } postgres: {
      try $0.query(sql).rows.map { ($0.optionalInt64(0), $0.optionalInt64(1)) }
    }
    let byIdentity = Dictionary(
      uniqueKeysWithValues: self[destination.name].map { ($0.identity, $0) })
    let owners = Dictionary(uniqueKeysWithValues: self[entity.name].map { ($0.identity, $0) })
    for case (let owner?, let other?) in links {
      guard let other = byIdentity[other] else { continue }
      owners[owner]?.related[relationship.name, default: []].append(other)
    }
  }
}

private func identifier(_ name: String) -> String { MohoRows.quotedName(name) }
