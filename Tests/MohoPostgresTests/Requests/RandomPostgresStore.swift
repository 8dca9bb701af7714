import Foundation
import MohoMapping
import MohoTesting
import PostgresTesting

@testable import MohoPostgres
@testable import MohoRows

/// A store with a random schema and random rows, and the same rows in memory.
struct RandomPostgresStore {
  /// A row in memory.
  final class Row: FilterSubject {
    let identity: Int64
    let values: [String: FieldContent]
    var related: [String: [Row]] = [:]

    init(identity: Int64, values: [String: FieldContent]) {
      self.identity = identity
      self.values = values
    }

    func value(of key: String) -> FieldContent { values[key] ?? .null }

    func related(by key: String) -> [any FilterSubject] { related[key] ?? [] }
  }

  let store: ModelStore
  private(set) var rows: [String: [Row]] = [:]

  init(_ values: inout RandomValues) throws {
    let url = try PostgresServer.shared().emptySchema()
    let schema = try randomSchema(&values)
    var configuration = PostgresConfiguration()
    configuration.ignoresSearchableKeys = true
    store = try ModelStore(postgres: url, schema, configuration)
    let connection = try PostgresConnection(url)
    for entity in schema.entities {
      for identity in 1...Int64(2 + values.generator.below(6)) {
        try insert(identity, entity, connection, &values)
      }
    }
    for entity in schema.entities {
      for relationship in entity.relationships {
        try link(relationship, of: entity, connection, &values)
      }
    }
  }

  private mutating func insert(
    _ identity: Int64, _ entity: Entity, _ connection: PostgresConnection,
    _ values: inout RandomValues
  ) throws {
    var columns = [quotedName(entity.identityColumn)]
    var arguments = PostgresArguments()
    arguments.append(identity)
    var row: [String: FieldContent] = [entity.identityColumn: .int64(identity)]
    for attribute in entity.attributes where attribute.name != entity.identityColumn {
      let isNull = attribute.isOptional && values.generator.oneIn(3)
      let value = isNull ? .null : values.value(of: attribute)
      try arguments.append(value, as: PostgresType(attribute.type))
      columns.append(quotedName(attribute.name))
      row[attribute.name] = StoredForm.conversion(value, attribute.type)
    }
    let parameters = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
    try connection.query(
      "INSERT INTO \(quotedName(entity.name)) (\(columns.joined(separator: ", ")))"
        + " VALUES (\(parameters))",
      arguments)
    rows[entity.name, default: []].append(Row(identity: identity, values: row))
  }

  private func row(_ identity: Int64, of entity: String) -> Row? {
    rows[entity]?.first { $0.identity == identity }
  }

  private func link(
    _ relationship: Relationship, of entity: Entity, _ connection: PostgresConnection,
    _ values: inout RandomValues
  ) throws {
    let schema = store.schema
    guard let destination = schema.entity(relationship.destination) else { return }
    let others = rows[destination.name, default: []].map(\.identity)
    let inverse = schema.inverse(of: relationship, in: entity)
    for row in rows[entity.name, default: []] where !values.generator.oneIn(3) {
      func connect(_ other: Int64) {
        guard let other = self.row(other, of: destination.name) else { return }
        row.related[relationship.name, default: []].append(other)
        if let inverse { other.related[inverse.name, default: []].append(row) }
      }
      var arguments = PostgresArguments()
      switch schema.storage(of: relationship, in: entity) {
      case .column:
        let other = values.pick(others)
        arguments.append(other)
        arguments.append(row.identity)
        let sql =
          "UPDATE \(quotedName(entity.name)) SET \(quotedName(relationship.name)) = $1"
          + " WHERE \(quotedName(entity.identityColumn)) = $2"
        do {
          try connection.query(sql, arguments)
          connect(other)
        } catch let error as StoreError {
          guard error.code == .notUnique else { throw error }
        }
      case .inverseColumn, nil: break
      case .table(let table, let end):
        for _ in 0..<values.generator.below(4) {
          let other = values.pick(others)
          var arguments = PostgresArguments()
          arguments.append(row.identity)
          arguments.append(other)
          let sql =
            "INSERT INTO \(quotedName(table.name))"
            + " (\(LinkTable.column(end)), \(LinkTable.column(end.other))) VALUES ($1, $2)"
            + " ON CONFLICT DO NOTHING"
          if try connection.query(sql, arguments).affectedRows > 0 { connect(other) }
        }
      }
    }
  }
}
