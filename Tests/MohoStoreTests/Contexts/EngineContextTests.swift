import Campaigns
import MohoMapping
import MohoRows
import MohoTesting
import StoreTesting
import Testing

/// Saves the same random changes of contexts on both engines: row by row on SQLite, and many
/// rows with each statement on PostgreSQL.
@Suite(.requiresPostgres)
struct EngineContextTests {
  private static let seeds = Campaign.seeds(
    from: "MOHO_CONTEXT_SEED", count: Campaign.count(short: 12, full: 600))

  @Test(arguments: seeds)
  func bothEnginesSaveTheSameRowsAndThrowTheSameErrors(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let file = try TestedEngine.$current.withValue(.sqlite) { try ShelfStore() }
    let server = try TestedEngine.$current.withValue(.postgres) { try ShelfStore() }
    var nextKey = 1_000
    for round in 0..<6 {
      let edits = ShelfEdit.list(&random, nextKey: &nextKey)
      let others = ShelfEdit.statements(&random)
      let policy = random.one(of: [
        ConflictPolicy.error, .error, .storeWins, .contextWins, .perKey, .perKey { _ in .theirs },
      ])

      let outcomes = try [file, server].map { store in
        try store.save(edits, after: others, policy)
      }

      try #require(outcomes[0] == outcomes[1], "seed \(seed), round \(round)")
      let contents = try [file, server].map { try $0.content() }
      try #require(contents[0] == contents[1], "seed \(seed), round \(round): \(outcomes)")
    }
  }
}

/// A change of a context, of rows that are given by their keys.
private enum ShelfEdit {
  case set(entity: String, key: Int, String, FieldContent)
  case link(key: Int, String, to: (entity: String, key: Int)?)
  case add(item: Int, label: Int)
  case put(item: Int, folder: Int, position: Int)
  case insert(entity: String, key: Int, rank: Int)
  case delete(entity: String, key: Int)

  static let items = 0..<40
  static let folders = 0..<5
  static let labels = 0..<4

  static func list(_ random: inout SeededGenerator, nextKey: inout Int) -> [ShelfEdit] {
    var edits: [ShelfEdit] = []
    let isRefused = random.oneIn(4)
    for _ in 0..<random.one(of: [1, 5, 40]) {
      let (item, other) = (random.one(of: Array(items)), random.one(of: Array(items)))
      let (folder, label) = (random.one(of: Array(folders)), random.one(of: Array(labels)))
      switch random.below(20) {
      case 0..<6:
        let title = isRefused && random.oneIn(8) ? "refused" : random.one(of: ["a", "b", "c"])
        edits.append(.set(entity: "Item", key: item, "title", .string(title)))
      case 6:
        edits.append(.set(entity: "Folder", key: folder, "name", .string("\(random.below(9))")))
      case 7:
        // Exchanged optional values.
        edits.append(.set(entity: "Item", key: item, "code", .string("c\(other)")))
        edits.append(.set(entity: "Item", key: other, "code", .string("c\(item)")))
      case 8: edits.append(.set(entity: "Item", key: item, "code", .null))
      case 9:
        // Each row takes the required value of the next one.
        let range = item..<min(item + 1 + random.below(6), items.upperBound)
        nextKey += 1
        for (key, rank) in zip(range, range.dropFirst().map { $0 } + [nextKey]) {
          edits.append(.set(entity: "Item", key: key, "rank", .int64(Int64(rank))))
        }
      case 10:
        edits.append(.link(key: item, "folder", to: random.oneIn(4) ? nil : ("Folder", folder)))
      case 11:
        edits.append(.link(key: item, "twin", to: random.oneIn(4) ? nil : ("Item", other)))
      case 12, 13: edits.append(.add(item: item, label: label))
      case 14: edits.append(.put(item: item, folder: folder, position: random.below(4)))
      case 15, 16:
        nextKey += 1
        edits.append(.insert(entity: "Item", key: nextKey, rank: nextKey))
        edits.append(.link(key: nextKey, "folder", to: ("Folder", folder)))
        if isRefused, random.oneIn(4) {
          edits.append(.set(entity: "Item", key: nextKey, "title", .string("refused")))
        }
      case 17: edits.append(.delete(entity: "Item", key: item))
      case 18 where random.oneIn(3): edits.append(.delete(entity: "Folder", key: folder))
      case 19 where random.oneIn(3): edits.append(.delete(entity: "Label", key: label))
      default: break
      }
    }
    return edits
  }

  /// Returns statements of another writer, after the context has read all rows.
  static func statements(_ random: inout SeededGenerator) -> [String] {
    guard random.oneIn(2) else { return [] }
    return (0...random.below(4)).map { _ in
      let item = random.one(of: Array(items))
      switch random.below(5) {
      case 0, 1: return #"UPDATE "Item" SET title = 'other' WHERE key = \#(item)"#
      case 2: return #"UPDATE "Item" SET code = NULL WHERE key = \#(item)"#
      case 3: return #"DELETE FROM "Item" WHERE key = \#(item)"#
      default:
        return #"UPDATE "Folder" SET name = 'other' WHERE key = \#(random.below(5))"#
      }
    }
  }

  func perform(in context: EditingContext, _ rows: inout [String: ManagedRow]) throws {
    func row(_ entity: String, _ key: Int) -> ManagedRow? {
      guard let row = rows["\(entity) \(key)"], ![.deleted, .detached].contains(row.state) else {
        return nil
      }
      return row
    }
    switch self {
    case .set(let entity, let key, let name, let value):
      try row(entity, key)?.set(name, to: value)
    case .link(let key, let name, let target):
      let related = target.flatMap { row($0.entity, $0.key) }
      try row("Item", key)?.setRelatedRow(name, to: related)
    case .add(let item, let label):
      guard let item = row("Item", item), let label = row("Label", label) else { return }
      if try item.relatedRows("labels").contains(label) {
        try item.remove(label, from: "labels")
      } else {
        try item.add(label, to: "labels")
      }
    case .put(let item, let folder, let position):
      guard let item = row("Item", item), let folder = row("Folder", folder) else { return }
      try folder.insert(item, into: "items", at: position)
    case .insert(let entity, let key, let rank):
      let new = try context.insert(entity)
      try new.set("key", to: key)
      try new.set("title", to: "new")
      try new.set("rank", to: rank)
      rows["\(entity) \(key)"] = new
    case .delete(let entity, let key):
      if let row = row(entity, key) { try context.delete(row) }
    }
  }
}

/// A store of folders, items and labels, which refuses a title.
private struct ShelfStore {
  let store: ModelStore

  init() throws {
    store = try emptyStore(
      entities: Entity(
        "Folder", attributes: [Attribute("key", .int64), Attribute("name", .string)],
        relationships: [
          .toMany("items", "Item", isOrdered: true, inverse: "folder", onDelete: .cascade)
        ], identifiedBy: ["key"]),
      Entity(
        "Item",
        attributes: [
          Attribute("key", .int64), Attribute("title", .string), Attribute("rank", .int64),
          Attribute("code", .string, isOptional: true),
        ],
        relationships: [
          .toOne("folder", "Folder", inverse: "items"),
          .toMany("labels", "Label", inverse: "items"),
          .toOne("twin", "Item", inverse: "twin"),
        ],
        identifiedBy: ["key"], unique: [["code"], ["rank"]]),
      Entity(
        "Label", attributes: [Attribute("key", .int64), Attribute("name", .string)],
        relationships: [.toMany("items", "Item", inverse: "labels")], identifiedBy: ["key"]))
    let context = EditingContext(store)
    let folders = try ShelfEdit.folders.map { key in
      try context.make("Folder", ["key": key, "name": "\(key)"])
    }
    let labels = try ShelfEdit.labels.map { key in
      try context.make("Label", ["key": key, "name": "\(key)"])
    }
    for key in ShelfEdit.items {
      let item = try context.make(
        "Item", ["key": key, "title": "old", "rank": key, "code": "c\(key)"])
      try item.setRelatedRow("folder", to: folders[key % 7 % 5])
      try item.add(labels[key % 4], to: "labels")
    }
    try context.save()
    if store.isOnPostgres {
      try store.execute(
        #"ALTER TABLE "Item" ADD CONSTRAINT refusal CHECK (title <> 'refused')"#)
    } else {
      for event in ["INSERT", "UPDATE"] {
        try store.execute(
          """
          CREATE TRIGGER refusal_\(event) BEFORE \(event) ON "Item" WHEN NEW.title = 'refused'
          BEGIN SELECT RAISE(ABORT, 'refused'); END
          """)
      }
    }
  }

  /// Saves edits of a context, and returns the error, or the state of its rows.
  func save(
    _ edits: [ShelfEdit], after others: [String], _ policy: ConflictPolicy
  ) throws -> [String] {
    let context = EditingContext(store)
    context.conflictPolicy = policy
    var rows: [String: ManagedRow] = [:]
    for entity in ["Folder", "Item", "Label"] {
      for row in try context.fetch(entity) {
        rows["\(entity) \(try row.value("key", as: Int.self))"] = row
      }
    }
    for edit in edits { try edit.perform(in: context, &rows) }
    for sql in others { try store.execute(sql) }
    do {
      try context.save()
    } catch let error as StoreError {
      // The engines have different codes for refused values.
      return ["\(error.subject ?? "") \(error.code == .notUnique ? error.keys : [])"]
    } catch {
      return ["\(error)"]
    }
    return try rows.sorted { $0.key < $1.key }.map { key, row in
      "\(key) \(row.state) \(row.state == .unchanged ? try Self.values(of: row) : [])"
    }
  }

  private static func values(of row: ManagedRow) throws -> [String] {
    switch row.identity.entity {
    case "Folder":
      let items = try row.relatedRows("items").map { "\($0.identity)" }
      return ["\(try row["name"])", items.joined(separator: " ")]
    case "Item":
      let labels = try row.relatedRows("labels").map { "\($0.identity)" }.sorted()
      let links = try ["folder", "twin"].map { key in
        try row.relatedRow(key).map { "\($0.identity)" } ?? ""
      }
      return try ["title", "rank", "code"].map { "\(try row[$0])" } + links + labels
    default: return ["\(try row["name"])"]
    }
  }

  /// Returns the stored rows.
  func content() throws -> [String] {
    let context = EditingContext(store)
    return try ["Folder", "Item", "Label"].flatMap { entity in
      try context.fetch(entity).map { "\($0.identity) \(try Self.values(of: $0))" }.sorted()
    }
  }
}
