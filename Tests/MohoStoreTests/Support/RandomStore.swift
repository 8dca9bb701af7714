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
    store = try ModelStore(inMemory: Self.schema(&values))
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

  private static func schema(_ values: inout RandomValues) throws -> Schema {
    let names = ["A", "order", "a \"quoted\" name", "Ä"]
    let count = 2 + values.generator.below(3)
    var relationships = [[Relationship]](repeating: [], count: count)
    for number in 0..<(2 + values.generator.below(4)) {
      let (one, other) = (values.generator.below(count), values.generator.below(count))
      let (there, back) = ("r \(number)", "b\(number)")
      let isOrdered = values.generator.oneIn(3)
      switch values.generator.below(5) {
      case 0: relationships[one].append(.toOne(there, names[other]))
      case 1:
        relationships[one].append(.toOne(there, names[other], inverse: back))
        relationships[other].append(.toMany(back, names[one], isOrdered: isOrdered, inverse: there))
      case 2:
        relationships[one].append(.toOne(there, names[other], inverse: back))
        relationships[other].append(.toOne(back, names[one], inverse: there))
      case 3: relationships[one].append(.toMany(there, names[other], isOrdered: isOrdered))
      default:
        relationships[one].append(.toMany(there, names[other], inverse: back))
        relationships[other].append(.toMany(back, names[one], isOrdered: isOrdered, inverse: there))
      }
    }
    return try Schema(
      (0..<count).map { index in
        let types = AttributeType.allCases.filter { _ in values.generator.below(3) > 0 }
        var attributes = types.map { type in
          Attribute("a.\(type.rawValue)", type, isOptional: values.generator.below(3) > 0)
        }
        attributes.append(Attribute("text", .string, isOptional: true))
        let isKeyed = values.generator.oneIn(2)
        if isKeyed { attributes.append(Attribute("key", .int64)) }
        return Entity(
          names[index], attributes: attributes, relationships: relationships[index],
          unique: isKeyed ? [["key"]] : [],
          searchable: attributes.map(\.name).filter { name in
            name == "text" || name == "a.string" && values.generator.oneIn(2)
          })
      })
  }

  private static func insert(
    _ identity: Int64, _ entity: Entity, _ database: Database, _ values: inout RandomValues
  ) throws {
    var columns = [identifier(entity.identityColumn)]
    var terms = ["\(identity)"]
    var arguments: [DatabaseValue] = []
    for attribute in entity.attributes where attribute.name != entity.identityColumn {
      let isNull = attribute.isOptional && values.generator.oneIn(3)
      let value = isNull ? .null : values.value(attribute.type)
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
