import Foundation
import GRDB
import MohoMapping
import MohoTesting

@testable import MohoRows
@testable import MohoSQLite

/// A random schema with every kind of relationship, and random rows.
struct RandomStore {
  let store: ModelStore
  let rows: StoredRows

  init(_ values: inout RandomValues) throws {
    store = try ModelStore(inMemory: randomSchema(&values))
    let schema = store.schema
    try store.writer.write { database in
      for entity in schema.entities {
        for identity in 1...Int64(2 + values.generator.below(6)) {
          try Self.insert(identity, entity, database, &values)
        }
      }
      for entity in schema.entities {
        for relationship in entity.relationships {
          try Self.link(relationship, of: entity, schema, database, &values)
        }
      }
    }
    rows = try StoredRows(store)
  }

  private static func insert(
    _ identity: Int64, _ entity: Entity, _ database: Database, _ values: inout RandomValues
  ) throws {
    var columns = [identifier(entity.identityColumn)]
    var terms = ["\(identity)"]
    var arguments: [DatabaseValue] = []
    for attribute in entity.attributes where attribute.name != entity.identityColumn {
      let isNull = attribute.isOptional && values.generator.oneIn(3)
      let value = isNull ? .null : values.value(of: attribute)
      columns.append(identifier(attribute.name))
      switch value {
      // SQLite does not read every number as it was spelled.
      case .double(let number):
        terms.append("?")
        arguments.append(number.databaseValue)
      case .date(let date):
        terms.append("?")
        arguments.append(date.timeIntervalSinceReferenceDate.databaseValue)
      default: terms.append(value.literal)
      }
    }
    try database.execute(
      sql: "INSERT INTO \(identifier(entity.name)) (\(columns.joined(separator: ", ")))"
        + " VALUES (\(terms.joined(separator: ", ")))",
      arguments: StatementArguments(arguments))
  }

  private static func link(
    _ relationship: Relationship, of entity: Entity, _ schema: Schema, _ database: Database,
    _ values: inout RandomValues
  ) throws {
    guard let destination = schema.entity(relationship.destination) else { return }
    let owners = try Int64.fetchAll(
      database, sql: "SELECT \(identifier(entity.identityColumn)) FROM \(identifier(entity.name))")
    let others = try Int64.fetchAll(
      database,
      sql: "SELECT \(identifier(destination.identityColumn)) FROM \(identifier(destination.name))")
    for owner in owners where !values.generator.oneIn(3) {
      switch schema.storage(of: relationship, in: entity) {
      case .column:
        try database.execute(
          sql:
            "UPDATE OR IGNORE \(identifier(entity.name)) SET \(identifier(relationship.name)) = ?"
            + " WHERE \(identifier(entity.identityColumn)) = ?",
          arguments: [values.pick(others), owner])
      case .inverseColumn, nil: break
      case .table(let table, let end):
        for _ in 0..<values.generator.below(4) {
          try database.execute(
            sql: "INSERT OR IGNORE INTO \(identifier(table.name))"
              + " (\(LinkTable.column(end)), \(LinkTable.column(end.other))) VALUES (?, ?)",
            arguments: [owner, values.pick(others)])
        }
      }
    }
  }
}

private func identifier(_ name: String) -> String { MohoRows.quotedName(name) }
