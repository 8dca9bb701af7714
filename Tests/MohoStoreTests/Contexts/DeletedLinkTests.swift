import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// Links to rows that a context has deleted.
@Suite(.allEngines) struct DeletedLinkTests {
  /// Returns a store with the targets 1 and 2, and with the holder 1 of target 1.
  private func store(
    _ relationship: Relationship = .toOne("target", "Target"), inverse: Relationship? = nil
  ) throws -> ModelStore {
    let store = try emptyStore(
      entities: Entity(
        "Target", attributes: [Attribute("name", .string, default: .string("t"))],
        relationships: inverse.map { [$0] } ?? []),
      Entity(
        "Holder", attributes: [Attribute("title", .string)], relationships: [relationship]))
    let context = EditingContext(store)
    let targets = try (0..<2).map { _ in try context.insert("Target") }
    try context.save()
    let holder = try context.make("Holder", ["title": "a"])
    try holder.setRelatedRow("target", to: targets[0])
    try context.save()
    return store
  }

  private func row(_ entity: String, _ identity: Int64, in context: EditingContext) throws
    -> ManagedRow
  {
    try context.row(RowIdentity(entity: entity, stored: identity))
  }

  @Test(arguments: [false, true])
  func aRowThatRefersToADeletedRowIsUnchanged(isReadBefore: Bool) throws {
    let store = try store()
    let context = EditingContext(store)
    let holder = try row("Holder", 1, in: context)
    if isReadBefore { _ = try holder["title"] }

    try context.delete(row("Target", 1, in: context))

    #expect(try holder.relatedRow("target") == nil)
    #expect(holder.state == .unchanged && holder.changedKeys == [])
    #expect(context.pendingChanges.entities.keys.sorted() == ["Target"])
    let request = RowRequest("Holder").filter { $0["target"]["name"] == nil }
    #expect(try context.fetch(request) == [holder])
    context.undo()
    #expect(try holder.relatedRow("target")?.identity.stored == 1)
    context.redo()
    try holder.set("title", to: "b")
    try context.save()
    try holder.set("title", to: "c")
    try context.save()
    #expect(try store.values("SELECT title, target FROM \"Holder\"") == ["\"c\"|NULL"])
    while context.undo() {}
    #expect(try holder.relatedRow("target")?.state == .inserted)
    try context.save()
    #expect(
      try store.values("SELECT title FROM \"Holder\" JOIN \"Target\" t ON target = t._moho_id") == [
        "\"a\""
      ])
  }

  @Test(
    arguments: [
      (ConflictPolicy.error, ["1", "2"], true), (.storeWins, ["2"], true),
      (.contextWins, ["2"], false), (.perKey, ["2"], false),
    ], ["2", "NULL"])
  func aRowThatAnotherWriterHasMovedAwayIsNotDeletedSilently(
    _ expected: (policy: ConflictPolicy, podcasts: [String], isKept: Bool), target: String
  ) throws {
    let (policy, podcasts, isKept) = expected
    let store = try Library.store()
    let context = EditingContext(store)
    context.conflictPolicy = policy
    let old = try context.make("Podcast", ["title": "old"])
    _ = try context.make("Podcast", ["title": "new"])
    let episode = try context.make("Episode", ["title": "e"])
    try old.add(episode, to: "episodes")
    try context.save()
    try context.delete(old)
    try store.execute("UPDATE \"Episode\" SET podcast = \(target)")

    let error = caughtError { try context.save() } as? ConflictError

    #expect(try store.values("SELECT _moho_id FROM \"Podcast\" ORDER BY 1") == podcasts)
    let episodes = try store.values("SELECT _moho_id, podcast FROM \"Episode\"")
    #expect(episodes == (isKept ? ["1|\(target)"] : []))
    guard case .error = policy else { return #expect(error == nil) }
    #expect(error?.conflicts.map(\.row) == [episode.identity])
    #expect(error?.conflicts.first?.kind == .changed)
    #expect(error?.conflicts.first?.keys.map(\.key) == ["podcast"])
  }

  @Test func aRowThatIsReadAfterADeletionCanBeSaved() throws {
    let store = try store()
    let context = EditingContext(store)
    try context.delete(row("Target", 1, in: context))
    try store.execute("INSERT INTO \"Holder\" (title, target) VALUES ('late', 1)")

    let late = try #require(
      try context.fetch(RowRequest("Holder").filter { $0["title"] == "late" }).first)
    #expect(try late.relatedRow("target") == nil)
    #expect(late.state == .unchanged)
    try late.set("title", to: "later")
    try context.save()
    try late.set("title", to: "last")
    try context.save()

    #expect(
      try store.values("SELECT title, target FROM \"Holder\" ORDER BY 1") == [
        "\"a\"|NULL", "\"last\"|NULL",
      ])
  }

  @Test(arguments: [ConflictPolicy.error, .contextWins, .storeWins, .perKey])
  func aDeletionNeverRestoresOtherRows(policy: ConflictPolicy) throws {
    for inverse in [nil, Relationship.toMany("holders", "Holder", inverse: "target")] {
      let store = try store(inverse: inverse)
      let context = EditingContext(store)
      context.conflictPolicy = policy
      let holder = try row("Holder", 1, in: context)
      #expect(try holder.relatedRow("target") != nil)
      try context.delete(row("Target", 1, in: context))
      try store.execute("DELETE FROM \"Holder\"")

      try context.save()

      #expect(try store.count("Holder") == 0)
      #expect(holder.state == .unchanged)
    }
  }

  @Test func aRowDeletedByBothSidesIsNoConflict() throws {
    let store = try store()
    let context = EditingContext(store)
    let holder = try row("Holder", 1, in: context)
    #expect(try holder.relatedRow("target") != nil)
    try context.delete(row("Target", 1, in: context))
    try holder.set("title", to: "b")
    try store.execute("DELETE FROM \"Target\" WHERE _moho_id = 1")

    try context.save()

    #expect(try store.values("SELECT title, target FROM \"Holder\"") == ["\"b\"|NULL"])
  }

  @Test func anEditedLinkIsStillAConflict() throws {
    let store = try store()
    let context = EditingContext(store)
    let holder = try row("Holder", 1, in: context)
    try holder.setRelatedRow("target", to: nil)
    try context.delete(row("Target", 1, in: context))
    try store.execute("UPDATE \"Holder\" SET target = 2")

    let error = #expect(throws: ConflictError.self) { try context.save() }

    #expect(error?.conflicts.first?.keys.map(\.key) == ["target"])
  }

  @Test func aLinkThatAnotherWriterHasChangedRemains() throws {
    let store = try store()
    let context = EditingContext(store)
    let holder = try row("Holder", 1, in: context)
    try holder.set("title", to: "b")
    try context.delete(row("Target", 1, in: context))
    try store.execute("UPDATE \"Holder\" SET target = 2")

    try context.save()

    #expect(try store.values("SELECT title, target FROM \"Holder\"") == ["\"b\"|2"])
    #expect(try holder.relatedRow("target")?.identity.stored == 2)
  }

  @Test func membersOfARelationshipDisappearWithoutAnEdit() throws {
    let store = try Library.store()
    let maker = EditingContext(store)
    let guest = try maker.make("Guest", ["name": "Ada"])
    for title in ["a", "b", "c"] {
      try guest.add(maker.make("Episode", ["title": title]), to: "episodes")
    }
    try maker.save()
    let context = EditingContext(store)
    let same = try context.row(guest.identity)
    let episodes = try same.relatedRows("episodes")

    try context.delete(episodes[1])

    #expect(same.state == .unchanged)
    try same.move(in: "episodes", from: 1, to: 0)
    #expect(same.state == .updated)
    #expect(try same.relatedRows("episodes").texts("title") == ["c", "a"])
    context.undo()
    context.undo()
    #expect(try same.relatedRows("episodes").texts("title") == ["a", "b", "c"])
    context.redo()
    context.redo()
    try context.save()
    #expect(
      try EditingContext(store).fetch("Guest")[0].relatedRows("episodes").texts("title")
        == ["c", "a"])
  }

  @Test(arguments: [
    Relationship.toOne("target", "Target", isOptional: false),
    Relationship.toOne("target", "Target", inverse: "holders"),
  ])
  func aDanglingLinkIsAlwaysAFailure(relationship: Relationship) throws {
    let store = try store(
      relationship,
      inverse: relationship.inverse.map {
        .toMany($0, "Holder", inverse: "target", onDelete: .noAction)
      })
    let context = EditingContext(store)
    try context.delete(row("Target", 1, in: context))

    let error = #expect(throws: RowValidationError.self) { try context.save() }

    #expect(error?.failures.map(\.kind) == [.danglingRelation])
    #expect(error?.failures.map(\.keys) == [["target"]])
    try row("Holder", 1, in: context).setRelatedRow("target", to: row("Target", 2, in: context))
    try context.save()
    #expect(try store.count("Target") == 1)
  }

  @Test func aDeletedRowThatTheStoreKeepsHasItsLinks() throws {
    let store = try Library.store()
    let maker = EditingContext(store)
    let episode = try maker.make("Episode", ["title": "a"])
    let guest = try maker.make("Guest", ["name": "Ada"])
    try guest.add(episode, to: "episodes")
    try maker.save()
    let context = EditingContext(store)
    context.conflictPolicy = .storeWins
    let same = try context.row(guest.identity)
    try context.delete(#require(try same.relatedRows("episodes").first))
    try store.execute("UPDATE \"Episode\" SET title = 'theirs'")

    try context.save()

    #expect(try same.relatedRows("episodes").texts("title") == ["theirs"])
    #expect(try store.values("SELECT count(*) FROM \"_moho_Episode_guests\"") == ["1"])
  }
}
