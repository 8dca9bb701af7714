import Campaigns
import Foundation
import MohoMapping
import MohoRows
import MohoTesting
import StoreTesting
import Testing

/// Opens stores with random entities and rows with changed entities. Every value
/// that both versions declare must be preserved, and the tables must be the same
/// as in a new store.
@Suite(.allEngines) struct RandomMigrationTests {
  private struct Column {
    var attribute: Attribute
    /// The name in the old store, or nil for a new column.
    var oldName: String?
  }

  private static let types: [AttributeType] = [
    .int16, .int32, .int64, .string, .double, .data, .boolean, .decimal, .date, .uuid, .structured,
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
        guard let types = TestedEngine.current.wideningTypes[old.type] else { break }
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

  /// Inserts random rows with links to the first one, and returns their values.
  private func insertRows(
    _ columns: [Column], into entity: Entity, _ database: MigratedStore,
    _ generator: inout SeededGenerator
  ) throws -> [[String: FieldContent]] {
    try (0..<Int64(generator.below(12))).map { number in
      var row: [String: FieldContent] = [:]
      for attribute in columns.map(\.attribute) {
        let isNull = attribute.isOptional && generator.oneIn(3)
        row[attribute.name] = isNull ? .null : value(attribute.type, &generator)
      }
      try database.insert(
        row, into: entity, identity: number * 3 - 5,
        links: number == 0 ? [:] : ["up": -5])
      return row
    }
  }

  /// Expects an error if dropped keys have values and may not be discarded.
  private func expectRefusal(
    of dropped: [String], of rows: [[String: FieldContent]], _ new: Entity,
    _ database: MigratedStore, _ comment: Comment
  ) throws {
    let lost = dropped.filter { name in rows.contains { $0[name] != .null } }
    if lost.isEmpty { return }
    let contents = try database.contents()
    let error = #expect(throws: StoreError.self, comment) { try database.open(new) }
    #expect(error?.code == .wouldLoseData, comment)
    #expect(error?.keys == lost, comment)
    #expect(try database.contents() == contents, comment)
  }

  @Test func everyValueIsPreserved() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    for round in 0..<Campaign.count(short: TestedEngine.current == .sqlite ? 30 : 4, full: 300) {
      let comment: Comment = "seed \(seed), round \(round)"
      let oldColumns = (0...generator.below(5)).map { column("c\($0)", &generator) }
      let old = entity("Old", oldColumns, &generator, from: nil)
      let newColumns = changed(oldColumns, &generator)
      let name = generator.oneIn(2) ? "New" : "Old"
      let new = entity(name, newColumns, &generator, from: "Old")
      let database = try MigratedStore()
      try database.open(old)
      let oldRows = try insertRows(oldColumns, into: old, database, &generator)
      let dropped = oldColumns.map(\.attribute.name).filter { name in
        !newColumns.contains { $0.oldName == name }
      }

      try expectRefusal(of: dropped, of: oldRows, new, database, comment)

      let store: ModelStore
      do {
        store = try database.open(
          Schema([new]),
          with: MigrationOptions(policy: .inferred(discarding: dropped.map { .key($0, of: name) })))
      } catch {
        Issue.record("\(error) \(comment)")
        return
      }

      let newRows = try StoredRows(store)[name].sorted { $0.identity < $1.identity }
      #expect(newRows.count == oldRows.count, comment)
      for (index, (old, new)) in zip(oldRows, newRows).enumerated() {
        #expect(new.identity == Int64(index * 3 - 5), comment)
        #expect(new.related["up"]?.map(\.identity) == (index == 0 ? nil : [-5]), comment)
        for column in newColumns {
          let attribute = column.attribute
          let stored = column.oldName.flatMap { old[$0] } ?? .null
          let isFilled = stored == .null && (column.oldName == nil || !attribute.isOptional)
          let expected = isFilled ? attribute.defaultValue ?? .null : stored
          let found = new.value(of: attribute.name)
          #expect(found == converted(expected, to: attribute.type), comment)
        }
      }
      try database.expectAsDeclared(new)
      let contents = try database.contents()
      try database.open(new, with: .refusing)
      #expect(try database.contents() == contents, comment)
    }
  }
}

extension TestedEngine {
  /// The types to which inference converts the values of a type.
  fileprivate var wideningTypes: [AttributeType: [AttributeType]] {
    switch self {
    case .sqlite:
      [.int16: [.int32, .int64], .int32: [.int64], .uuid: [.string], .string: [.url]]
    case .postgres:
      [
        .int16: [.int32, .int64, .decimal], .int32: [.int64, .decimal], .int64: [.decimal],
        .uuid: [.string], .string: [.url],
      ]
    }
  }
}
