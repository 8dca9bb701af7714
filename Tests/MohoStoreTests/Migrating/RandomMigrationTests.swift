import Campaigns
import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import MohoTesting
import Testing

/// Opens stores with random entities and rows with changed entities. Every
/// value that both versions declare must be preserved, and the tables must be
/// the same as in a new store.
@Suite struct RandomMigrationTests {
  private struct Column {
    var attribute: Attribute
    /// The name in the old store, or nil for a new column.
    var oldName: String?
  }

  private static let types: [AttributeType] = [.int64, .string, .double, .data, .boolean, .decimal]

  private func value(_ type: AttributeType, _ generator: inout SeededGenerator) -> FieldContent {
    let number = generator.below(1_000)
    return switch type {
    case .string: .string("text '\(number)'")
    case .double: .double(Double(number) / 8)
    case .data: .data(Data([UInt8(number % 256)]))
    case .boolean: .bool(number % 2 == 0)
    case .decimal: .decimal(Decimal(number))
    default: .int64(Int64(number))
    }
  }

  private func column(_ name: String, _ generator: inout SeededGenerator) -> Column {
    let type = Self.types[generator.below(Self.types.count)]
    return Column(
      attribute: Attribute(
        name, type, isOptional: generator.oneIn(2),
        default: generator.oneIn(2) ? value(type, &generator) : nil))
  }

  private func changed(
    _ columns: [Column], _ generator: inout SeededGenerator
  ) -> [Column] {
    var result: [Column] = []
    for column in columns {
      let old = column.attribute
      var next = (name: old.name, isOptional: old.isOptional, defaultValue: old.defaultValue)
      switch generator.below(6) {
      case 0: continue
      case 1: next.name = old.name + "2"
      case 2: next.isOptional = true
      case 3:
        next.isOptional = false
        next.defaultValue = value(old.type, &generator)
      case 4: next.defaultValue = nil
      default: break
      }
      if old.isOptional, !next.isOptional, next.defaultValue == nil { next.isOptional = true }
      result.append(
        Column(
          attribute: Attribute(
            next.name, old.type, isOptional: next.isOptional, default: next.defaultValue,
            renamedFrom: next.name == old.name ? nil : old.name),
          oldName: old.name))
    }
    for index in 0..<generator.below(3) {
      var new = column("new\(index)", &generator)
      if !new.attribute.isOptional, new.attribute.defaultValue == nil {
        new.attribute = Attribute(
          new.attribute.name, new.attribute.type, default: value(new.attribute.type, &generator))
      }
      result.insert(new, at: generator.below(result.count + 1))
    }
    return result
  }

  private func entity(
    _ name: String, _ columns: [Column], _ generator: inout SeededGenerator, from old: String?
  ) -> Entity {
    let rule = [DeleteRule.nullify, .cascade, .deny, .noAction][generator.below(4)]
    let isOrdered = generator.oneIn(2)
    var indexes: [[String]] = []
    for column in columns where generator.oneIn(4) { indexes.append([column.attribute.name]) }
    return Entity(
      name, attributes: columns.map(\.attribute),
      relationships: [
        .toOne("up", name, inverse: "down"),
        .toMany("down", name, isOrdered: isOrdered, inverse: "up", onDelete: rule),
      ],
      indexes: indexes, renamedFrom: old)
  }

  @Test func everyValueIsPreserved() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    for round in 0..<Campaign.count(short: 60, full: 200) {
      let comment: Comment = "seed \(seed), round \(round)"
      let oldColumns = (0...generator.below(5)).map { column("c\($0)", &generator) }
      let old = entity("Old", oldColumns, &generator, from: nil)
      let newColumns = changed(oldColumns, &generator)
      let isRenamed = generator.oneIn(2)
      let new = entity(isRenamed ? "New" : "Old", newColumns, &generator, from: "Old")
      let queue = try DatabaseQueue()
      _ = try ModelStore(adopting: queue, entities: [old])
      let count = generator.below(12)
      try queue.write { database in
        for id in 0..<count {
          let values = oldColumns.map { column -> FieldContent in
            column.attribute.isOptional && generator.oneIn(3)
              ? .null : value(column.attribute.type, &generator)
          }
          let marks = (["\(id * 3 - 5)", id == 0 ? "NULL" : "-5"] + values.map { _ in "?" })
          let names = ["_moho_id", "up"] + oldColumns.map(\.attribute.name)
          try database.execute(
            sql: "INSERT INTO Old (\(names.joined(separator: ", ")))"
              + " VALUES (\(marks.joined(separator: ", ")))",
            arguments: StatementArguments(try values.map(databaseValue)))
        }
      }
      let before = try queue.read {
        try Row.fetchAll($0, sql: "SELECT * FROM Old ORDER BY _moho_id")
      }
      let dropped = oldColumns.map(\.attribute.name).filter { name in
        !newColumns.contains { $0.oldName == name }
      }

      let configuration = StoreConfiguration(
        migrationPolicy: .inferred(discarding: dropped.map { .key($0, of: new.name) }))
      do {
        _ = try ModelStore(adopting: queue, entities: [new], configuration: configuration)
      } catch {
        Issue.record("\(error) \(comment)")
        return
      }

      let after = try queue.read {
        try Row.fetchAll($0, sql: "SELECT * FROM \(new.name) ORDER BY _moho_id")
      }
      #expect(after.count == before.count, comment)
      for (row, oldRow) in zip(after, before) {
        #expect(row["_moho_id"] as DatabaseValue == oldRow["_moho_id"], comment)
        #expect(row["up"] as DatabaseValue == oldRow["up"], comment)
        for column in newColumns {
          let found: DatabaseValue = row[column.attribute.name]
          let stored: DatabaseValue = column.oldName.map { oldRow[$0] } ?? .null
          let filling = try column.attribute.defaultValue.map(databaseValue) ?? .null
          let isFilled = stored.isNull && (column.oldName == nil || !column.attribute.isOptional)
          #expect(found == (isFilled ? filling : stored), comment)
        }
      }
      let sql = try queue.read { database in
        try String.fetchAll(
          database,
          sql: "SELECT sql FROM sqlite_schema WHERE sql NOTNULL AND name NOT GLOB '_moho_[em]*'")
      }
      #expect(try sql.sorted() == Schema([new]).statements.sorted(), comment)
      let problems = try queue.read { database in
        try String.fetchAll(database, sql: "PRAGMA integrity_check")
          + Row.fetchAll(database, sql: "PRAGMA foreign_key_check").map { "\($0)" }
      }
      #expect(problems == ["ok"], comment)

      let version = try queue.read { try Int.fetchOne($0, sql: "PRAGMA schema_version") }
      _ = try ModelStore(
        adopting: queue, entities: [new], configuration: StoreConfiguration(migrationPolicy: .none))
      #expect(try queue.read { try Int.fetchOne($0, sql: "PRAGMA schema_version") } == version)
    }
  }

  private func databaseValue(_ content: FieldContent) throws -> DatabaseValue {
    switch content {
    case .bool(let value): value.databaseValue
    case .int64(let value): value.databaseValue
    case .double(let value): value.databaseValue
    case .decimal(let value): value.description.databaseValue
    case .string(let value): value.databaseValue
    case .data(let value): value.databaseValue
    default: .null
    }
  }
}
