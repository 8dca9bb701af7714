import Foundation
import MohoMapping

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
    try store.read { reader in
      let connection = try reader.postgres.connection
      for entity in store.schema.entities {
        rows[entity.name] = try Self.rows(of: entity, connection)
      }
      for entity in store.schema.entities {
        for relationship in entity.relationships {
          try link(relationship, of: entity, store.schema, connection)
        }
      }
    }
  }

  private static func rows(
    of entity: Entity, _ connection: PostgresConnection
  ) throws -> [StoredRow] {
    let columns = [entity.identityColumn] + entity.attributes.map(\.name)
    let list = columns.map(quotedName).joined(separator: ", ")
    let sql =
      "SELECT \(list) FROM \(quotedName(entity.name)) ORDER BY \(quotedName(entity.identityColumn))"
    return try connection.query(sql).rows.map { row in
      var values = [entity.identityColumn: FieldContent.int64(row.int64(0))]
      for (index, attribute) in entity.attributes.enumerated() {
        values[attribute.name] = try row.content(index + 1, as: PostgresType(attribute.type))
      }
      return StoredRow(identity: row.int64(0), values: values)
    }
  }

  private func link(
    _ relationship: Relationship, of entity: Entity, _ schema: Schema,
    _ connection: PostgresConnection
  ) throws {
    guard let destination = schema.entity(relationship.destination),
      let storage = schema.storage(of: relationship, in: entity)
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
      "SELECT \(quotedName(owner)), \(quotedName(other)) FROM \(quotedName(table)) ORDER BY 1, 2"
    let byIdentity = Dictionary(
      uniqueKeysWithValues: self[destination.name].map { ($0.identity, $0) })
    let owners = Dictionary(uniqueKeysWithValues: self[entity.name].map { ($0.identity, $0) })
    for row in try connection.query(sql).rows {
      guard let owner = row.optionalInt64(0), let other = row.optionalInt64(1) else { continue }
      guard let other = byIdentity[other] else { continue }
      owners[owner]?.related[relationship.name, default: []].append(other)
    }
  }
}
