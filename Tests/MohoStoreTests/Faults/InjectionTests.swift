import Campaigns
import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import MohoTesting
import StoreTesting
import Testing

/// Tests names and values that attempt SQL injection.
@Suite struct InjectionTests {
  private static let parts = [
    "\"", "'", "`", "]", "[", ";", "--", "/*", "*/", ")", "(", ",", ".", " ", "\n", "\r\n", "\t",
    "\\", "?", "?1", ":a", "@a", "$a", "%", "DROP TABLE", "select", "NULL", "rowid", "_rowid_",
    "oid",
    "a", "A", "é", "e\u{301}", "🎙", "\u{202E}", "\u{FEFF}", "main", "sqlite", "excluded", "OLD",
    "CHECK", "1", "0x",
  ]

  private func text(_ generator: inout SeededGenerator) -> String {
    (0...generator.below(4)).map { _ in
      Self.parts[generator.below(Self.parts.count)]
    }.joined()
  }

  @Test func anyNameIsANameAndAnyTextAValue() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<Campaign.count(short: 60, full: 150) {
      let names = (0..<6).map { _ in text(&generator) }
      let entity = Entity(
        names[0],
        attributes: [
          Attribute(names[1], .string, default: .string(text(&generator))),
          Attribute(names[2], .boolean, default: .bool(true)),
          Attribute(
            names[3], .string, isOptional: true,
            constraints: [.oneOf([.string(names[4]), .string("x")])]),
        ],
        relationships: [
          .toOne(names[4], names[0], inverse: names[5], whenThisIsDeleted: .deny),
          .toMany(names[5], names[0], isOrdered: true, inverse: names[4], onDelete: .deny),
          .toMany("tags" + names[5], names[0], onDelete: .cascade),
        ],
        unique: [[names[1]]], indexes: [[names[2], names[3]]])
      guard let schema = try? Schema([entity]) else { continue }

      let queue = try DatabaseQueue()
      try queue.write { try $0.execute(sql: "CREATE TABLE bystander (x)") }
      let store = try ModelStore(adopting: queue, entities: [entity])
      let value = text(&generator)
      try queue.write { database in
        let table = quoted(names[0])
        try database.execute(
          sql: "INSERT INTO \(table) (\(quoted(names[1])), \(quoted(names[3]))) VALUES (?, ?)",
          arguments: [value, names[4]])
      }

      let again = try ModelStore(adopting: queue, entities: [entity])
      let error = #expect(throws: StoreError.self, "seed \(seed)") {
        try again.write { writer in
          try writer.execute(
            sql: "INSERT INTO \(quoted(names[0])) (\(quoted(names[1]))) VALUES (?)",
            arguments: [value])
        }
      }
      #expect(error?.keys == [names[1]], "seed \(seed)")
      let migrated = Entity(
        names[0] + "2",
        attributes: [
          Attribute(names[1] + "2", .string, renamedFrom: names[1]),
          Attribute("more", .string, default: .string(value)),
        ], renamedFrom: names[0])
      _ = try ModelStore(
        adopting: queue, entities: [migrated],
        configuration: StoreConfiguration(
          migrationPolicy: .inferred(
            discarding: (names[2...5] + ["tags" + names[5]]).map { .key($0, of: names[0] + "2") })))

      let row = try queue.read { database in
        try Row.fetchOne(
          database, sql: "SELECT \(quoted(names[1] + "2")), more FROM \(quoted(names[0] + "2"))")
      }
      #expect(row?[0] == value, "seed \(seed)")
      #expect(row?[1] == value, "seed \(seed)")
      #expect(try queue.read { try $0.tableExists("bystander") }, "seed \(seed)")
      withExtendedLifetime((store, schema)) {}
    }
  }

  @Test func anyTextReadsBackEqual() throws {
    let store = try ModelStore(inMemory: Note.self)
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)

    for _ in 0..<200 {
      let note = Note(order: text(&generator), description: text(&generator) + "\u{0}'")
      try store.write { try $0.save(note) }
      let found = try store.fetch(
        ModelRequest<Note>().filter { $0.order == note.order && $0.description == note.description }
      )
      #expect(found.contains(note), "seed \(seed)")
    }
  }

  @Test(arguments: ["", "a\u{0}b", "_moho_x", "SQLITE_x"])
  func namesThatCannotBeAreRefused(name: String) {
    let error = #expect(throws: StoreError.self) {
      try Schema([Entity(name, attributes: [Attribute(name, .string)])])
    }

    #expect(error?.code == .invalidSchema)
  }

  @Test(arguments: [
    [
      Entity("a_b", attributes: [], relationships: [.toMany("c", "a")]),
      Entity("a", attributes: [], relationships: [.toMany("b_c", "a")]),
    ],
    [
      Entity(
        "T",
        attributes: [Attribute("a,b", .string), Attribute("a", .string), Attribute("b", .string)],
        indexes: [["a,b"], ["a", "b"]])
    ],
    [
      Entity("T(a)", attributes: []),
      Entity("T", attributes: [Attribute("a", .string)], indexes: [["a"]]),
    ],
  ])
  func namesThatClashWithMadeUpOnesAreRefused(entities: [Entity]) {
    let error = #expect(throws: StoreError.self) { try Schema(entities) }

    #expect(error?.reason.hasSuffix("have the same name") == true)
  }
}

private func quoted(_ name: String) -> String {
  "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
    + "\""
}
