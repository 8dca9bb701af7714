import Foundation
import GRDB
import MohoMapping
import MohoTesting
import StoreTesting

@testable import MohoPostgres
@testable import MohoRows
@testable import MohoSQLite

/// A random schema with every kind of relationship, and random rows.
struct RandomStore {
  let store: ModelStore
  let rows: StoredRows

  init(_ values: inout RandomValues) throws {
    let store = try emptyStore(randomSchema(&values))
    var generated = values
    try store.onConnection {
      try Self.fill(store.schema, RandomRowWriter(sqlite: $0), &generated)
    } postgres: {
      try Self.fill(store.schema, RandomRowWriter(postgres: $0), &generated)
    }
    values = generated
    self.store = store
    rows = try StoredRows(store)
  }

  private static func fill(
    _ schema: Schema, _ writer: RandomRowWriter, _ values: inout RandomValues
  ) throws {
    var identities: [String: [Int64]] = [:]
    for entity in schema.entities {
      identities[entity.name] = Array(1...Int64(2 + values.generator.below(6)))
      for identity in identities[entity.name] ?? [] {
        let attributes = entity.attributes.filter { $0.name != entity.identityColumn }
        let contents = attributes.map { attribute -> FieldContent in
          let isNull = attribute.isOptional && values.generator.oneIn(3)
          return isNull ? .null : values.value(of: attribute)
        }
        try writer.insert(identity, entity, Array(zip(attributes, contents)))
      }
    }
    for entity in schema.entities {
      for relationship in entity.relationships {
        for owner in identities[entity.name] ?? [] where !values.generator.oneIn(3) {
          let others = identities[relationship.destination] ?? []
          switch schema.storage(of: relationship, in: entity) {
          case .column:
            // Links that are unique and taken are skipped.
            try writer.executeUnlessTaken(
              "UPDATE \(identifier(entity.name))"
                + " SET \(identifier(relationship.name)) = \(values.pick(others))"
                + " WHERE \(identifier(entity.identityColumn)) = \(owner)")
          case .inverseColumn, nil: break
          case .table(let table, let end):
            for _ in 0..<values.generator.below(4) {
              try writer.executeUnlessTaken(
                "INSERT INTO \(identifier(table.name))"
                  + " (\(LinkTable.column(end)), \(LinkTable.column(end.other)))"
                  + " VALUES (\(owner), \(values.pick(others)))")
            }
          }
        }
      }
    }
  }
}

/// Writes rows with SQL.
private struct RandomRowWriter {
  private let connection: Connection

  private enum Connection {
    case sqlite(Database)
    case postgres(PostgresConnection)
  }

  init(sqlite database: Database) { connection = .sqlite(database) }
  init(postgres connection: PostgresConnection) { self.connection = .postgres(connection) }

  func insert(
    _ identity: Int64, _ entity: Entity, _ values: [(Attribute, FieldContent)]
  ) throws {
    let columns = [entity.identityColumn] + values.map(\.0.name)
    func sql(_ terms: [String]) -> String {
      "INSERT INTO \(identifier(entity.name)) (\(columns.map(identifier).joined(separator: ", ")))"
        + " VALUES (\(terms.joined(separator: ", ")))"
    }
    switch connection {
    case .sqlite(let database):
      var terms = ["\(identity)"]
      var arguments: [DatabaseValue] = []
      for (_, value) in values {
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
      try database.execute(sql: sql(terms), arguments: StatementArguments(arguments))
    case .postgres(let connection):
      var arguments = PostgresArguments()
      arguments.append(identity)
      for (attribute, value) in values {
        try arguments.append(value, as: PostgresType(attribute.type))
      }
      try connection.query(sql(columns.indices.map { "$\($0 + 1)" }), arguments)
    }
  }

  /// Executes a statement, unless it violates a unique constraint.
  func executeUnlessTaken(_ sql: String) throws {
    switch connection {
    case .sqlite(let database):
      let verb = sql.prefix { $0 != " " }
      try database.execute(sql: "\(verb) OR IGNORE\(sql.dropFirst(verb.count))")
    case .postgres(let connection):
      try connection.execute("SAVEPOINT link")
      do {
        try connection.execute(sql)
      } catch let error as StoreError where error.code == .notUnique {
        try connection.execute("ROLLBACK TO SAVEPOINT link")
      }
      try connection.execute("RELEASE SAVEPOINT link")
    }
  }
}

private func identifier(_ name: String) -> String { MohoRows.quotedName(name) }
