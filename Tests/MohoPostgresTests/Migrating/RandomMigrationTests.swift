import Campaigns
import Foundation
import MohoMapping
import MohoRows
import MohoTesting
import PostgresTesting
import Testing

@testable import MohoPostgres

/// Opens stores with random entities and rows with changed entities. Every value
/// that both versions declare must be preserved, and the tables must be the same
/// as in a new store.
@Suite(.enabled(if: !PostgresServer.isSkipped))
struct RandomMigrationTests {
  private struct Column {
    var attribute: Attribute
    /// The name in the old store, or nil for a new column.
    var oldName: String?
  }

  private static let types: [AttributeType] = [
    .int16, .int32, .int64, .string, .double, .data, .boolean, .decimal, .date, .uuid, .structured,
  ]

  /// The types to which the values of a type are converted without loss.
  private static let wider: [AttributeType: [AttributeType]] = [
    .int16: [.int32, .int64, .decimal], .int32: [.int64, .decimal], .int64: [.decimal],
    .uuid: [.string], .string: [.url],
  ]

  private func value(_ type: AttributeType, _ generator: inout SeededGenerator) -> FieldContent {
    let number = generator.below(1_000)
    return switch type {
    case .string, .url: .string("text '\\\(number)\"")
    case .double: .double(Double(number) / 8)
    case .data: .data(Data([UInt8(number % 256)]))
    case .boolean: .bool(number % 2 == 0)
    case .decimal: .decimal(Decimal(number))
    case .date: .date(Date(timeIntervalSinceReferenceDate: Double(number) / 8))
    case .uuid: .string("6BA7B810-9DAD-11D1-80B4-00C04FD43\(100 + number % 800)")
    case .structured: .string(#"{"a":[\#(number),"x"]}"#)
    default: .int64(Int64(number))
    }
  }

  private func converted(_ value: FieldContent, to type: AttributeType) -> FieldContent {
    if case .int64(let number) = value, type == .decimal {
      .decimal(Decimal(number))
    } else {
      value
    }
  }

  private func column(_ name: String, _ generator: inout SeededGenerator) -> Column {
    let type = Self.types[generator.below(Self.types.count)]
    return Column(
      attribute: Attribute(
        name, type, isOptional: generator.oneIn(2),
        default: generator.oneIn(2) ? value(type, &generator) : nil,
        constraints: type == .int64 && generator.oneIn(2) ? .range(0...2_000) : []))
  }

  private func changed(_ columns: [Column], _ generator: inout SeededGenerator) -> [Column] {
    var result: [Column] = []
    for column in columns {
      let old = column.attribute
      var next = (
        name: old.name, type: old.type, isOptional: old.isOptional,
        defaultValue: old.defaultValue, constraints: old.constraints
      )
      switch generator.below(8) {
      case 0: continue
      case 1: next.name = old.name + "2"
      case 2: next.isOptional = true
      case 3:
        next.isOptional = false
        next.defaultValue = value(old.type, &generator)
      case 4: next.defaultValue = nil
      case 5:
        guard let types = Self.wider[old.type] else { break }
        next.type = types[generator.below(types.count)]
        next.defaultValue = next.defaultValue.map { converted($0, to: next.type) }
        next.constraints = []
      case 6: next.constraints = old.type == .int64 ? .range(-1...3_000) : []
      default: break
      }
      if old.isOptional, !next.isOptional, next.defaultValue == nil { next.isOptional = true }
      result.append(
        Column(
          attribute: Attribute(
            next.name, next.type, isOptional: next.isOptional, default: next.defaultValue,
            constraints: next.constraints,
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
    for round in 0..<Campaign.count(short: 10, full: 300) {
      let comment: Comment = "seed \(seed), round \(round)"
      let oldColumns = (0...generator.below(5)).map { column("c\($0)", &generator) }
      let old = entity("Old", oldColumns, &generator, from: nil)
      let newColumns = changed(oldColumns, &generator)
      let isRenamed = generator.oneIn(2)
      let new = entity(isRenamed ? "New" : "Old", newColumns, &generator, from: "Old")
      let database = try MigratedDatabase()
      try database.open([old])
      var rows: [[String: FieldContent]] = []
      for id in 0..<generator.below(12) {
        let values = oldColumns.map { column -> FieldContent in
          column.attribute.isOptional && generator.oneIn(3)
            ? .null : value(column.attribute.type, &generator)
        }
        try insert(values, of: oldColumns, id: id * 3 - 5, database)
        rows.append(
          Dictionary(
            uniqueKeysWithValues: zip(oldColumns, values).map { ($0.attribute.name, $1) }))
      }
      let dropped = oldColumns.map(\.attribute.name).filter { name in
        !newColumns.contains { $0.oldName == name }
      }

      var configuration = PostgresConfiguration()
      configuration.migrationPolicy = .inferred(discarding: dropped.map { .key($0, of: new.name) })
      do { try database.open([new], configuration) } catch {
        Issue.record("\(error) \(comment)")
        return
      }

      let names = newColumns.map { ", " + quotedName($0.attribute.name) }.joined()
      let result = try database.connection.query(
        #"SELECT _moho_id, up\#(names) FROM "\#(new.name)" ORDER BY _moho_id"#)
      #expect(result.rowCount == rows.count, comment)
      for (index, old) in rows.enumerated() {
        #expect(result[index].int64(0) == Int64(index * 3 - 5), comment)
        #expect(result[index].optionalInt64(1) == (index == 0 ? nil : -5), comment)
        for (position, column) in newColumns.enumerated() {
          let attribute = column.attribute
          let stored = column.oldName.flatMap { old[$0] } ?? .null
          let isFilled = stored == .null && (column.oldName == nil || !attribute.isOptional)
          let expected = isFilled ? attribute.defaultValue ?? .null : stored
          let found = try result[index].content(
            position + 2, as: PostgresType(attribute.type))
          #expect(found == converted(expected, to: attribute.type), comment)
        }
      }
      try database.expectAsDeclared([new])
      configuration.migrationPolicy = .none
      try database.open([new], configuration)
    }
  }

  private func insert(
    _ values: [FieldContent], of columns: [Column], id: Int, _ database: MigratedDatabase
  ) throws {
    var arguments = PostgresArguments()
    arguments.append(Int64(id))
    for (column, value) in zip(columns, values) {
      try arguments.append(value, as: PostgresType(column.attribute.type))
    }
    let names = ["_moho_id", "up"] + columns.map(\.attribute.name)
    let marks =
      ["$1", id == -5 ? "NULL" : "-5"] + columns.indices.map { "$\($0 + 2)" }
    try database.connection.query(
      #"INSERT INTO "Old" (\#(names.map(quotedName).joined(separator: ", ")))"#
        + " VALUES (\(marks.joined(separator: ", ")))", arguments)
  }
}
