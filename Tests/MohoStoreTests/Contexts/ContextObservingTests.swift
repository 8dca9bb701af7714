import Campaigns
import MohoMapping
import MohoRows
import StoreTesting
import Testing

@Suite(.allEngines) struct ContextObservingTests {
  @Test func observersReceiveEachCall() throws {
    let store = try Library.store()
    let context = EditingContext(store)
    var log: [String] = []
    var observation: ContextObservation? = context.onChange { changes in
      log.append(
        [changes.inserted, changes.updated, changes.deleted, changes.refreshed]
          .map { "\($0.count)" }.joined())
    }

    let row = try context.insert("Guest")
    try row.set("name", to: "Ada")
    try row.set("name", to: "Ada")
    try context.save()
    try store.execute("UPDATE \"Guest\" SET name = 'Bea'")
    _ = try context.fetch("Guest")
    try context.delete(row)
    context.undo()
    context.rollback()
    try row.set("name", to: "Cleo")
    context.rollback()
    #expect(log == ["1000", "0100", "0001", "0010", "1000", "0100", "0001"])
    _ = observation
    observation = nil
    _ = try context.insert("Guest")
    #expect(log.count == 7)
  }

  @Test func observersReceiveRowsRefreshedWithLinks() throws {
    let store = try Library.store()
    let maker = EditingContext(store)
    try maker.make("Episode", ["title": "first"]).add(
      maker.make("Guest", ["name": "Ada"]), to: "guests")
    try maker.save()
    let context = EditingContext(store)
    let guest = try context.fetch("Guest")[0]
    let episode = try context.fetch("Episode")[0]
    var refreshed: [[ManagedRow]] = []
    let observation = context.onChange { refreshed.append($0.refreshed) }

    try store.execute("UPDATE \"Guest\" SET name = 'Bea'")

    #expect(try guest["name"] == .string("Ada"))
    #expect(try episode.relatedRows("guests") == [guest])
    #expect(try guest["name"] == .string("Bea"))
    #expect(refreshed == [[guest]])
    observation.cancel()
  }

  @Test func observersThatAlwaysChangeRowsAreRefused() throws {
    let store = try Library.store()
    try onSmallStack {
      let context = EditingContext(store)
      let row = try context.make("Guest", ["name": "Ada"])
      var calls = 0
      var refused: [any Error] = []
      let observation = context.onChange { _ in
        calls += 1
        do { try row.set("name", to: "\(calls)") } catch { refused.append(error) }
      }

      try row.set("name", to: "Bea")

      #expect(calls == 100)
      #expect((refused.first as? StoreError)?.code == .invalidRequest)
      #expect(refused.count == 1)
      observation.cancel()
      try row.set("name", to: "Cleo")
      #expect(try row["name"] == .string("Cleo"))
    }
  }

  @Test func rowsMayBeChangedBeforeTheyAreSaved() throws {
    let store = try Library.store()
    let context = EditingContext(store)
    var rounds = 0
    let observation = context.willSave { context in
      rounds += 1
      for row in try context.fetch("Guest") where try row["name"] == .null {
        try row.set("name", to: "unnamed")
      }
    }
    _ = try context.insert("Guest")

    try context.save()

    #expect(rounds == 2)
    #expect(try store.values("SELECT name FROM \"Guest\"") == ["\"unnamed\""])
    observation.cancel()
    _ = try context.insert("Guest")
    #expect(throws: RowValidationError.self) { try context.save() }
  }

  @Test func changesBeforeASaveThatFailsAreTakenBack() throws {
    let context = EditingContext(try Library.store())
    let row = try context.make("Podcast", ["rating": 1])
    var isEndless = false
    let observation = context.willSave { context in
      let rating = try row.value("rating", as: Int.self)
      if rating < 3 || isEndless { try row.set("rating", to: isEndless ? rating ^ 1 : 3) }
      if rating < 0 { try context.save() }
    }

    #expect(throws: RowValidationError.self) { try context.save() }
    #expect(try row["rating"] == .int64(1))
    isEndless = true
    #expect(throws: StoreError.self) { try context.save() }
    #expect(try row["rating"] == .int64(1))
    observation.cancel()
  }

  @Test func severalClosuresRunBeforeSavingUntilTheyAreCanceled() throws {
    let context = EditingContext(try Library.store())
    var log: [String] = []
    let first = context.willSave { _ in log.append("first") }
    let second = context.willSave { _ in log.append("second") }
    let row = try context.make("Guest", ["name": "Ada"])

    try context.save()
    #expect(log == ["first", "second"])

    first.cancel()
    try row.set("name", to: "Bea")
    try context.save()
    #expect(log == ["first", "second", "second"])
    second.cancel()
  }
}
