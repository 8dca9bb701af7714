import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

@Suite(.allEngines) struct ContextSavingTests {
  @Test func savingWritesRowsLinksAndOrders() throws {
    let store = try Library.store()
    let context = EditingContext(store)
    let podcast = try context.make("Podcast", ["title": "Crust"])
    let episodes = try ["a", "b", "c"].map { try context.make("Episode", ["title": $0]) }
    let guest = try context.make("Guest", ["name": "Ada"])
    try podcast.setRelatedRows("episodes", to: episodes.reversed())
    try guest.setRelatedRows("episodes", to: [episodes[1], episodes[0]])

    try context.save()

    #expect(!context.hasChanges)
    let other = EditingContext(store)
    let same = try #require(try other.fetch("Podcast").first)
    #expect(try same.relatedRows("episodes").texts("title") == ["c", "b", "a"])
    #expect(try other.fetch("Guest")[0].relatedRows("episodes").texts("title") == ["b", "a"])
    try same.move(in: "episodes", from: 2, to: 0)
    let updates = try count("UPDATE", of: store) { try other.save() }
    #expect(
      try EditingContext(store).fetch("Podcast")[0].relatedRows("episodes").texts("title")
        == ["a", "c", "b"])
    // The row that moved to the front, and the row that gets a new position
    // after it. PostgreSQL updates both with one statement.
    #expect(updates == (store.isOnPostgres ? 1 : 2))
  }

  @Test func onlyChangedColumnsAreWritten() throws {
    let store = try Library.store()
    let context = EditingContext(store)
    let rows = try (0..<20).map { try context.make("Podcast", ["title": "\($0)"]) }
    try context.save()
    for row in rows { try row.set("rating", to: 5) }
    try rows[0].set("title", to: "zero")

    let written = try statements(of: store) { try context.save() }.statements

    let updates = written.filter { $0.hasPrefix("UPDATE") }
    #expect(updates.count == (store.isOnPostgres ? 2 : 20))
    #expect(Set(updates).count == 2)
    #expect(updates.count { $0.contains("SET \"title\"") } == 1)
    #expect(try count("", of: store) { try context.save() } == 0)
    let all = try statements(of: store) {
      let many = EditingContext(store)
      _ = try many.fetch("Podcast")
      try many.save()
    }
    #expect(all.statements.count == 1)
  }

  @Test func rowsThatNeedEachOtherAreInsertedTogether() throws {
    let store = try emptyStore(
      entities: Entity(
        "Node", attributes: [Attribute("name", .string)],
        relationships: [
          .toOne(
            "next", "Node", isOptional: false, inverse: "previous",
            whenThisIsDeleted: .cascadeEvenIfShared),
          .toMany("previous", "Node", inverse: "next", onDelete: .cascade),
        ]))
    let context = EditingContext(store)
    let (a, b) = (try context.make("Node", ["name": "a"]), try context.make("Node", ["name": "b"]))
    try a.setRelatedRow("next", to: b)
    try b.setRelatedRow("next", to: a)

    try context.save()

    #expect(try store.values("SELECT name, next FROM \"Node\"") == ["\"a\"|2", "\"b\"|1"])
    try context.delete(a)
    #expect(b.state == .deleted)
    try context.save()
    #expect(try store.values("SELECT * FROM \"Node\"") == [])
  }

  @Test func uniqueValuesArePassedOn() throws {
    let store = try Library.store()
    let context = EditingContext(store)
    let rows = try (0..<4).map { try context.make("Podcast", ["title": "\($0)", "feed": "\($0)"]) }
    try context.save()

    try rows[0].set("feed", to: "1")
    try rows[1].set("feed", to: "2")
    try rows[2].set("feed", to: "3")
    try rows[2].set("rating", to: 1)
    try context.delete(rows[3])
    let new = try context.make("Podcast", ["title": "new", "feed": "0"])
    try context.save()

    #expect(
      try store.values("SELECT feed FROM \"Podcast\" ORDER BY feed") == [
        "\"0\"", "\"1\"", "\"2\"", "\"3\"",
      ])
    #expect(new.state == .unchanged)
  }

  @Test func aRowThatLeavesADeletedOneStays() throws {
    let store = try Library.store()
    let context = EditingContext(store)
    let (old, new) = (
      try context.make("Podcast", ["title": "old"]), try context.make("Podcast", ["title": "new"])
    )
    let (kept, gone) = (
      try context.make("Episode", ["title": "kept", "number": 1]),
      try context.make("Episode", ["title": "gone", "number": 1])
    )
    try kept.setRelatedRow("podcast", to: old)
    try gone.setRelatedRow("podcast", to: new)
    try context.save()

    try context.delete(gone)
    try kept.setRelatedRow("podcast", to: new)
    try context.delete(old)
    try context.save()

    #expect(try store.values("SELECT title, podcast FROM \"Episode\"") == ["\"kept\"|2"])
  }

  @Test func aFailedSaveLeavesContextAndStoreAsTheyWere() throws {
    let store = try Library.store()
    let context = EditingContext(store)
    let kept = try context.make("Guest", ["name": "Ada"])
    try context.save()
    try store.refuseInsertions(into: "Review")
    try kept.set("name", to: "Bea")
    let podcast = try context.make("Podcast", ["title": "Crust"])
    let review = try context.make("Review", ["text": "good"])
    try review.setRelatedRow("podcast", to: podcast)
    let pending = context.pendingChanges

    #expect(throws: StoreError.self) { try context.save() }

    #expect(context.pendingChanges == pending)
    #expect(podcast.identity.isTemporary == true)
    #expect(try store.values("SELECT name FROM \"Guest\"") == ["\"Ada\""])
    #expect(try store.values("SELECT * FROM \"Podcast\"") == [])
    try store.allowInsertions(into: "Review")
    try context.save()
    #expect(try store.values("SELECT name FROM \"Guest\"") == ["\"Bea\""])
    let stored = try #require(podcast.identity.stored)
    #expect(try store.values("SELECT podcast FROM \"Review\"") == ["\(stored)"])
  }

  @Test func pendingChangesAreAValue() throws {
    let store = try Library.store()
    let context = EditingContext(store)
    let (one, two) = (try context.make("Guest"), try context.make("Guest", ["name": "Bea"]))
    let episode = try context.make("Episode", ["title": "a"])
    try one.set("name", to: "Ada")
    try context.save()
    #expect(context.pendingChanges.isEmpty)
    try one.set("name", to: "Cleo")
    try one.add(episode, to: "episodes")
    try context.delete(two)
    let new = try context.make("Guest")

    let changes = context.pendingChanges

    let identities = [new, one, two, episode].map(\.identity)
    #expect(Set(changes.entities.keys) == ["Guest", "Episode"])
    #expect(changes.entities["Guest"]?.inserted == [identities[0]])
    #expect(changes.entities["Guest"]?.updated == [identities[1]: ["name", "episodes"]])
    #expect(changes.entities["Guest"]?.deleted == [identities[2]])
    #expect(changes.entities["Episode"]?.updated == [identities[3]: ["guests"]])
  }

  @Test func performRunsOffTheCallersThread() async throws {
    let store = try Library.store()

    let name = try await store.perform { context in
      let row = try context.insert("Guest")
      try row.set("name", to: "Ada")
      try context.save()
      return try row.value("name", as: String.self)
    }

    #expect(name == "Ada")
    #expect(try EditingContext(store).fetch("Guest").count == 1)
    await #expect(throws: StoreError.self) {
      try await store.perform { try $0.insert("None").state }
    }
  }

  @Test func textsAndBytesOfEveryKindArePreserved() throws {
    let store = try emptyStore(
      entities: Entity(
        "Value",
        attributes: [
          Attribute("text", .string), Attribute("data", .data), Attribute("decimal", .decimal),
        ], unique: [["text"]]))
    let null = TestedEngine.current.storesNullCharacters ? "\0" : "\u{1}"
    let texts = ["", null, "a\(null)b", "'; DROP TABLE Value; --", "\u{1F600}"]
    let context = EditingContext(store)
    for text in texts {
      let row = try context.insert("Value")
      try row.set("text", to: text)
      try row.set("data", to: .data(.init(text.utf8)))
      try row.set("decimal", to: 12)
    }
    try context.save()

    let other = EditingContext(store)
    let rows = try other.fetch("Value")
    #expect(try rows.texts("text") == texts)
    #expect(try rows.map { try $0["data"] } == texts.map { .data(.init($0.utf8)) })
    for row in rows { try row.set("decimal", to: 13) }
    try other.save()
    for text in texts {
      _ = try other.make("Value", ["text": text, "decimal": 1, "data": FieldBytes()])
    }
    let error = #expect(throws: RowValidationError.self) { try other.save() }
    #expect(error?.failures.map(\.kind) == texts.map { _ in .notUnique })
  }
}

struct FieldBytes: FieldValue {
  static var fieldType: FieldType { .data }
  static func decode(from decoder: any FieldDecoder, at index: Int) throws -> Self { Self() }
  func encode(to encoder: any FieldEncoder, at index: Int) throws {
    try encoder.encode(Data(), at: index)
  }
}
