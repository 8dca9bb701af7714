import Fixtures
import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

@Suite(.allEngines) struct ManagedRowTests {
  @Test func valuesAreSetAndReadByNameTypeAndProperty() throws {
    let store = try emptyStore(Episode.self)
    let context = EditingContext(store)

    let row = try context.insert(Episode.self).row
    try row.set(\Episode.id, to: 7)
    try row.set(\Episode.kind, to: .paid)
    try row.set("title", to: "Basalt")

    #expect(try row["kind"] == .string("paid"))
    #expect(try row[\Episode.kind] == .paid)
    #expect(try row.value("title", as: String.self) == "Basalt")
    #expect(try row[\Episode.summary] == nil)
    #expect(throws: MappingError.self) { try row.value("title", as: Int.self) }
    #expect(throws: StoreError.self) { try row["color"] }
    #expect(throws: StoreError.self) { try row.set("color", to: "red") }
    #expect(throws: StoreError.self) { try row[\Episode.isExpanded] }
    #expect(throws: StoreError.self) { try row[\Note.order] }
  }

  @Test func namesThatAreMisspeltAreAnsweredWithTheRightOnes() throws {
    let context = EditingContext(try emptyStore(Episode.self))
    let row = try context.insert(Episode.self).row

    let key = #expect(throws: StoreError.self) { try row.set("titel", to: "Basalt") }
    let entity = #expect(throws: StoreError.self) { try context.insert("Episde") }

    #expect(key?.suggestion == "did you mean `title`?")
    #expect(entity?.suggestion == "did you mean `Episode`?")
  }

  @Test func statesFollowWhatSavingWouldDo() throws {
    let store = try Library.store()
    let context = EditingContext(store)

    let row = try context.make("Guest", ["name": "Ada"])
    #expect(row.state == .inserted)
    #expect(row.identity.isTemporary == true)
    try context.save()
    #expect(row.state == .unchanged)
    #expect(row.identity.stored == 1)
    try row.set("name", to: "Bea")
    #expect(row.state == .updated)
    #expect(row.changedValues == ["name": .string("Bea")])
    #expect(try row.committedValues == ["name": .string("Ada")])
    try row.set("name", to: "Ada")
    #expect(row.state == .unchanged)
    try context.delete(row)
    #expect(row.state == .deleted)
    #expect(throws: StoreError.self) { try row.set("name", to: "Cleo") }
    try context.save()
    #expect(row.state == .detached)
    #expect(try row["name"] == .string("Ada"))

    let other = try context.make("Guest")
    try context.delete(other)
    #expect(other.state == .detached)
    #expect(!context.hasChanges)
  }

  @Test func composedAndDecomposedTextsAreDifferentValues() throws {
    let store = try Library.store()
    let context = EditingContext(store)
    let row = try context.make("Guest", ["name": "Zo\u{eb}"])
    try context.save()

    try row.set("name", to: "Zoe\u{308}")

    #expect(row.state == .updated)
    try context.save()
    #expect(try store.values("SELECT length(name) FROM \"Guest\"") == ["4"])
  }

  @Test func oneRowIsOneObject() throws {
    let store = try Library.store()
    let context = EditingContext(store)
    let row = try context.make("Guest", ["name": "Ada"])
    let temporary = row.identity
    try context.save()
    let identity = row.identity

    #expect(try context.row(identity) === row)
    #expect(try context.row(temporary) === row)
    #expect(try context.fetch("Guest").first === row)
    let other = EditingContext(store)
    #expect(try other.row(identity) !== row)
    #expect(try other.row(identity)["name"] == .string("Ada"))
    #expect(throws: StoreError.self) { try other.row(temporary) }
    let gone = try other.row(RowIdentity(entity: "Guest", stored: 99))
    let error = #expect(throws: StoreError.self) { try gone["name"] }
    #expect(error?.code == .rowNotFound)
  }

  @Test func rowsAreInvalidInOtherContextsAndAfterReset() throws {
    let store = try Library.store()
    let other = EditingContext(store)
    let row = try EditingContext(store).make("Guest", ["name": "Ada"])
    let identity = row.identity

    #expect(throws: StoreError.self) { try other.delete(row) }
    row.context.reset()
    #expect(row.state == .detached)
    #expect(throws: StoreError.self) { try row["name"] }
    #expect(!row.context.hasChanges)
    #expect(row.identity == identity)
  }

  @Test func bothEndsOfALinkStayInStep() throws {
    let context = EditingContext(try Library.store())
    let (one, two) = (try context.make("Podcast"), try context.make("Podcast"))
    let (a, b, c) = (
      try context.make("Episode"), try context.make("Episode"), try context.make("Episode")
    )

    try one.setRelatedRows("episodes", to: [a, b])
    try c.setRelatedRow("podcast", to: one)
    try one.insert(c, into: "episodes", at: 0)
    #expect(try one.relatedRows("episodes") == [c, a, b])
    try one.move(in: "episodes", from: 0, to: 2)
    #expect(try one.relatedRows("episodes") == [a, b, c])
    try two.add(b, to: "episodes")
    #expect(try one.relatedRows("episodes") == [a, c])
    #expect(try b.relatedRow("podcast") === two)
    try one.remove(a, from: "episodes")
    #expect(try a.relatedRow("podcast") == nil)
    #expect(throws: StoreError.self) { try one.move(in: "episodes", from: 0, to: 1) }
    #expect(throws: StoreError.self) { try one.add(two, to: "episodes") }
    #expect(throws: StoreError.self) { try one.relatedRow("episodes") }

    try a.setRelatedRow("sequel", to: b)
    try c.setRelatedRow("sequel", to: b)
    #expect(try b.relatedRow("prequel") === c)
    #expect(try a.relatedRow("sequel") == nil)
    try b.setRelatedRow("sequel", to: b)
    #expect(try b.relatedRow("prequel") === b)
    #expect(try c.relatedRow("sequel") == nil)

    let guest = try context.make("Guest")
    try a.add(guest, to: "guests")
    try guest.insert(b, into: "episodes", at: 0)
    #expect(try guest.relatedRows("episodes") == [b, a])
    #expect(try b.relatedRows("guests") == [guest])
  }

  @Test func aLinkToOneThatGivesWayIsSaved() throws {
    let store = try Library.store()
    let first = EditingContext(store)
    let episodes = try (1...4).map { try first.make("Episode", ["title": "\($0)"]) }
    try episodes[0].setRelatedRow("sequel", to: episodes[1])
    try episodes[2].setRelatedRow("sequel", to: episodes[3])
    try first.save()

    for end in ["sequel", "prequel"] {
      let context = EditingContext(store)
      let rows = try episodes.map { try context.row($0.identity) }
      let (one, other) = end == "sequel" ? (rows[0], rows[3]) : (rows[3], rows[0])
      try one.setRelatedRow(end, to: other)
      try context.save()
      #expect(
        try store.values("SELECT coalesce(sequel, 0) FROM \"Episode\" ORDER BY _moho_id") == [
          "4", "0", "0", "0",
        ])
      context.undo()
      try context.save()
      #expect(
        try store.values("SELECT coalesce(sequel, 0) FROM \"Episode\" ORDER BY _moho_id") == [
          "2", "0", "4", "0",
        ])
    }
  }

  @Test func valuesOfRowsFetchedTogetherAreReadTogether() throws {
    let store = try Library.store()
    let first = EditingContext(store)
    for number in 0..<40 {
      let podcast = try first.make("Podcast", ["title": "\(number)"])
      let episode = try first.make("Episode", ["title": "\(number)"])
      try podcast.add(episode, to: "episodes")
      try episode.add(first.make("Guest", ["name": "\(number)"]), to: "guests")
    }
    try first.save()

    let context = EditingContext(store)
    let reads = try count("SELECT", of: store) {
      for episode in try context.fetch("Episode") {
        #expect(try episode.relatedRow("podcast")?["title"] == episode["title"])
        #expect(try episode.relatedRows("guests").first?["name"] == episode["title"])
        #expect(try episode.relatedRow("sequel") == nil)
        #expect(try episode.relatedRow("prequel") == nil)
      }
    }
    // The episodes, their podcasts, the guests, and the inverse links of
    // sequels.
    #expect(reads == 4)
    #expect(try count("SELECT", of: store) { _ = try context.fetch("Episode") } == 1)
  }

  @Test func rowsThatWereOnlyNamedAreReadOneByOneOrWithTheirBatch() throws {
    let store = try Library.store()
    let first = EditingContext(store)
    for number in 0..<3 { _ = try first.make("Guest", ["name": "\(number)"]) }
    try first.save()

    let context = EditingContext(store)
    let row = try context.row(RowIdentity(entity: "Guest", stored: 2))
    #expect(row.isFault)
    let reads = try count("SELECT", of: store) { _ = try row["name"] }
    #expect(reads == 1)
    #expect(try row["name"] == .string("1"))
    #expect(!row.isFault)
    #expect(try count("SELECT", of: store) { _ = try row["name"] } == 0)
  }
}
