import MohoMapping
import MohoRows
import StoreTesting
import Testing

@Suite(.allEngines) struct ContextDeletionTests {
  @Test func rulesApplyToTheContextImmediately() throws {
    let store = try Library.store()
    let first = EditingContext(store)
    let podcast = try first.make("Podcast", ["title": "Crust"])
    let guest = try first.make("Guest", ["name": "Ada"])
    for number in 0..<5 {
      let episode = try first.make("Episode", ["title": "\(number)"])
      try podcast.add(episode, to: "episodes")
      try guest.add(episode, to: "episodes")
    }
    try first.save()
    let context = EditingContext(store)
    let same = try #require(try context.fetch("Podcast").first)

    let reads = try count("SELECT", of: store) { try context.delete(same) }

    // The episodes, the reviews, the episodes' guests, the inverse links, and
    // the order that contains the episodes.
    #expect(reads == 5)
    #expect(try context.fetch("Episode") == [])
    #expect(try context.fetch("Guest")[0].relatedRows("episodes") == [])
    context.undo()
    #expect(try context.fetch("Episode").count == 5)
    #expect(
      try context.fetch("Guest")[0].relatedRows("episodes").texts("title") == [
        "0", "1", "2", "3", "4",
      ])
    context.redo()
    try context.save()
    #expect(try store.values("SELECT count(*) FROM \"Episode\"") == ["0"])
    #expect(try store.values("SELECT count(*) FROM \"_moho_Episode_guests\"") == ["0"])
    context.undo()
    try context.save()
    #expect(
      try EditingContext(store).fetch("Guest")[0].relatedRows("episodes").texts("title")
        == ["0", "1", "2", "3", "4"])
  }

  @Test func whatDeniesADeletionMayBeDeletedToo() throws {
    let store = try Library.store()
    let context = EditingContext(store)
    let podcast = try context.make("Podcast", ["title": "Crust"])
    let review = try context.make("Review", ["text": "good"])
    try review.setRelatedRow("podcast", to: podcast)
    try context.save()

    try context.delete(podcast)
    let error = #expect(throws: RowValidationError.self) { try context.save() }
    #expect(error?.failures.contains { $0.kind == .deniedDeletion } == true)
    try context.delete(review)
    try context.save()

    #expect(try store.values("SELECT * FROM \"Podcast\"") == [])
    #expect(try store.values("SELECT * FROM \"Review\"") == [])
  }

  @Test func linksWithoutAWayBackBecomeNil() throws {
    let store = try emptyStore(
      entities: Entity("Target", attributes: []),
      Entity(
        "Holder", attributes: [],
        relationships: [.toOne("one", "Target"), .toMany("many", "Target", isOrdered: true)]))
    let context = EditingContext(store)
    let (a, b) = (try context.insert("Target"), try context.insert("Target"))
    let holder = try context.insert("Holder")
    try holder.setRelatedRow("one", to: a)
    try holder.setRelatedRows("many", to: [b, a])
    try context.save()

    try context.delete(a)

    #expect(try holder.relatedRow("one") == nil)
    #expect(try holder.relatedRows("many") == [b])
    try context.save()
    #expect(try store.values("SELECT one FROM \"Holder\"") == ["NULL"])
    context.undo()
    try context.save()
    #expect(try holder.relatedRows("many") == [b, a])
    #expect(try EditingContext(store).fetch("Holder")[0].relatedRows("many").count == 2)
  }

  @Test func rowsThatPointAtEachOtherAreDeletedTogether() throws {
    let store = try Library.store()
    let context = EditingContext(store)
    let episodes = try (0..<3).map { try context.make("Episode", ["title": "\($0)"]) }
    for (one, other) in zip(episodes, episodes[1...] + [episodes[0]]) {
      try one.setRelatedRow("sequel", to: other)
    }
    try context.save()
    try context.delete(episodes)
    try context.save()
    #expect(try store.values("SELECT * FROM \"Episode\"") == [])
  }
}
