import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

@Suite(.allEngines) struct ConflictTests {
  /// Returns a saved podcast with a change in the store and a change in a
  /// context.
  private func conflicting(
    _ theirs: String, _ mine: (ManagedRow) throws -> Void, _ policy: ConflictPolicy
  ) throws -> (store: ModelStore, context: EditingContext, row: ManagedRow) {
    let store = try Library.store()
    let context = EditingContext(store)
    context.conflictPolicy = policy
    let row = try context.make("Podcast", ["title": "Crust", "feed": "a"])
    try context.save()
    try mine(row)
    try store.execute(theirs)
    return (store, context, row)
  }

  private static let everywhere = "UPDATE \"Podcast\" SET title = 'theirs', feed = 'b'"

  private static func edit(_ row: ManagedRow) throws {
    try row.set("title", to: "mine")
    try row.set("rating", to: 5)
  }

  @Test func allConflictsAreListed() throws {
    let store = try Library.store()
    let context = EditingContext(store)
    let rows = try (0..<4).map { try context.make("Podcast", ["title": "\($0)"]) }
    try context.save()
    for row in rows[..<3] { try row.set("title", to: "mine") }
    try context.delete(rows[3])
    try store.execute("UPDATE \"Podcast\" SET title = 'theirs', rating = 1 WHERE title <> '1'")
    try store.execute("DELETE FROM \"Podcast\" WHERE _moho_id = 3")

    let error = #expect(throws: ConflictError.self) { try context.save() }

    let conflicts = try #require(error?.conflicts).sorted { $0.row < $1.row }
    #expect(conflicts.map(\.row) == [rows[0], rows[2], rows[3]].map(\.identity))
    #expect(conflicts.map(\.kind) == [.changed, .deleted, .changed])
    let key = try #require(conflicts.first?.keys.first)
    #expect(key.key == "title")
    #expect(key.old == .string("0") && key.mine == .string("mine"))
    #expect(key.theirs == .string("theirs"))
    #expect(conflicts[0].keys.map(\.key) == ["title", "rating"])
    #expect(
      "\(error.map { "\($0)" } ?? "")".contains(
        "save conflict: `Podcast` 1 changed since it was fetched - keys `title`, `rating`"))
    #expect(rows.map(\.state) == [.updated, .updated, .updated, .deleted])
    #expect(
      try store.values("SELECT title FROM \"Podcast\" ORDER BY _moho_id") == [
        "\"theirs\"", "\"1\"", "\"theirs\"",
      ])
  }

  @Test(arguments: [
    ("storeWins", "theirs", "b", 3), ("contextWins", "mine", "a", 5), ("perKey", "mine", "b", 5),
    ("perKeyTheirs", "theirs", "b", 5),
  ])
  func policiesDecideAboutChangedRows(name: String, title: String, feed: String, rating: Int) throws
  {
    let policies: [String: ConflictPolicy] = [
      "storeWins": .storeWins, "contextWins": .contextWins, "perKey": .perKey,
      "perKeyTheirs": .perKey { $0.key == "title" ? .theirs : .mine },
    ]
    let policy = try #require(policies[name])
    let (store, context, row) = try conflicting(Self.everywhere, Self.edit, policy)

    try context.save()

    #expect(
      try store.values("SELECT title, feed, rating FROM \"Podcast\"") == [
        "\"\(title)\"|\"\(feed)\"|\(rating)"
      ])
    #expect(try row["title"] == .string(title) && row["feed"] == .string(feed))
    #expect(try row["rating"] == .int64(Int64(rating)))
    #expect(row.state == .unchanged)
    try row.set("rating", to: 2)
    try context.save()
  }

  @Test func policiesDecideAboutRowsThatAreGone() throws {
    let theirs = "DELETE FROM \"Podcast\""
    let (store, context, row) = try conflicting(theirs, Self.edit, .contextWins)
    try context.save()
    #expect(try store.values("SELECT title, rating FROM \"Podcast\"") == ["\"mine\"|5"])
    #expect(row.state == .unchanged)

    let (_, second, lost) = try conflicting(theirs, Self.edit, .storeWins)
    try second.save()
    #expect(lost.state == .detached)
    #expect(second.hasChanges == false)

    let (_, third, kept) = try conflicting(theirs, Self.edit, .perKey)
    let error = #expect(throws: ConflictError.self) { try third.save() }
    #expect(error?.conflicts.map(\.kind) == [.deleted])
    #expect(kept.state == .updated)
  }

  @Test func aRowThatIsInsertedAgainHasTheLinksOfTheStore() throws {
    let store = try Library.store()
    let context = EditingContext(store)
    context.conflictPolicy = .contextWins
    let episode = try context.make("Episode", ["title": "a"])
    try episode.add(context.make("Guest", ["name": "Ada"]), to: "guests")
    try context.save()
    try store.execute("DELETE FROM \"Episode\"")
    try episode.set("title", to: "b")

    try context.save()

    #expect(try store.values("SELECT title FROM \"Episode\"") == ["\"b\""])
    let other = EditingContext(store)
    #expect(try other.fetch("Episode").map { try $0.relatedRows("guests") } == [[]])
    #expect(try episode.relatedRows("guests") == [])
  }

  @Test func policiesDecideAboutDeletions() throws {
    func delete(_ row: ManagedRow) throws { try row.context.delete(row) }
    for policy in [ConflictPolicy.contextWins, .perKey] {
      let (store, context, row) = try conflicting(Self.everywhere, delete, policy)
      try context.save()
      #expect(try store.values("SELECT * FROM \"Podcast\"") == [])
      #expect(row.state == .detached)
    }
    let (store, context, row) = try conflicting(Self.everywhere, delete, .storeWins)
    try context.save()
    #expect(try store.values("SELECT title FROM \"Podcast\"") == ["\"theirs\""])
    #expect(row.state == .unchanged)
    #expect(try row["title"] == .string("theirs"))
    // The row has been deleted in the store and in the context.
    let (_, last, gone) = try conflicting("DELETE FROM \"Podcast\"", delete, .error)
    try last.save()
    #expect(gone.state == .detached)
  }

  @Test func linksInColumnsConflictToo() throws {
    let store = try Library.store()
    let context = EditingContext(store)
    let podcasts = try (0..<3).map { try context.make("Podcast", ["title": "\($0)"]) }
    let episode = try context.make("Episode", ["title": "a"])
    try podcasts[0].add(episode, to: "episodes")
    try context.save()
    try store.execute("UPDATE \"Episode\" SET podcast = 2")
    try episode.setRelatedRow("podcast", to: podcasts[2])

    let error = #expect(throws: ConflictError.self) { try context.save() }
    #expect(error?.conflicts.first?.keys.first?.theirs == .int64(2))
    context.conflictPolicy = .storeWins
    try context.save()

    #expect(try episode.relatedRow("podcast") === podcasts[1])
    #expect(try podcasts.map { try $0.relatedRows("episodes") } == [[], [episode], []])
  }

  @Test func aRefreshedRowCanBeSaved() throws {
    let (store, context, row) = try conflicting(Self.everywhere, Self.edit, .error)
    #expect(throws: ConflictError.self) { try context.save() }

    try context.refresh(row, keepingChanges: true)
    try context.save()

    #expect(try store.values("SELECT title, feed, rating FROM \"Podcast\"") == ["\"mine\"|\"b\"|5"])
  }

  @Test func equalDecimalsWithDifferentTextsAreEqual() throws {
    let store = try Library.store()
    try store.execute("INSERT INTO \"Episode\" (title, price) VALUES ('a', '1.50')")
    let context = EditingContext(store)
    let row = try #require(try context.fetch("Episode").first)
    #expect(try row["price"] == .decimal(1.5))

    try row.set("title", to: "b")
    try context.save()

    #expect(
      try store.values("SELECT title, CAST(price AS text) FROM \"Episode\"") == [
        "\"b\"|\"1.50\""
      ])
  }
}
