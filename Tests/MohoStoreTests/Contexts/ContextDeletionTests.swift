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

  /// The ways to declare that a link to another row denies a deletion.
  enum Denial: CaseIterable {
    case ofTheHolder, ofTheTarget, ofBoth

    var deniesHolder: Bool { self != .ofTheTarget }
    var deniesTarget: Bool { self != .ofTheHolder }
  }

  /// Returns a context with the targets 1 and 2, and a holder of target 1 by a relationship
  /// without an inverse.
  private func holder(
    _ denial: Denial
  ) throws -> (context: EditingContext, holder: ManagedRow, targets: [ManagedRow]) {
    let store = try emptyStore(
      entities: Entity("Target", attributes: []),
      Entity(
        "Holder", attributes: [],
        relationships: [
          .toOne(
            "target", "Target", whenTargetIsDeleted: denial.deniesTarget ? .deny : nil,
            whenThisIsDeleted: denial.deniesHolder ? .deny : nil)
        ]))
    let context = EditingContext(store)
    let targets = try (0..<2).map { _ in try context.insert("Target") }
    try context.save()
    let holder = try context.insert("Holder")
    try holder.setRelatedRow("target", to: targets[0])
    try context.save()
    return (context, holder, targets)
  }

  private func counts(_ context: EditingContext) throws -> [Int] {
    try ["Holder", "Target"].map { try context.store.count($0) }
  }

  private func expectDenial(
    _ context: EditingContext, of row: ManagedRow, location: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: RowValidationError.self, sourceLocation: location) {
      try context.save()
    }
    #expect(
      error?.failures.contains { $0.kind == .deniedDeletion && $0.row == row.identity } == true,
      sourceLocation: location)
  }

  @Test(arguments: Denial.allCases)
  func aLinkWithoutAWayBackDeniesADeletion(denial: Denial) throws {
    let (context, holder, targets) = try holder(denial)

    try context.delete(denial.deniesHolder ? holder : targets[0])
    expectDenial(context, of: denial.deniesHolder ? holder : targets[0])
    #expect(try counts(context) == [1, 2])
    context.undo()
    try context.delete(denial.deniesTarget ? targets[0] : holder)
    expectDenial(context, of: denial.deniesTarget ? targets[0] : holder)
    #expect(try counts(context) == [1, 2])
  }

  @Test(arguments: Denial.allCases, [true, false])
  func rowsWhoseLinkDeniesTheirDeletionAreDeletedTogether(
    denial: Denial, isHolderFirst: Bool
  ) throws {
    let (context, holder, targets) = try holder(denial)

    for row in isHolderFirst ? [holder, targets[0]] : [targets[0], holder] {
      try context.delete(row)
    }
    try context.save()

    #expect(try counts(context) == [0, 1])
    context.undo()
    context.undo()
    try context.save()
    #expect(try counts(context) == [1, 2])
    #expect(try holder.relatedRow("target") == targets[0])
  }

  @Test(arguments: Denial.allCases, [true, false])
  func aLinkThatTheSameSaveRemovesDeniesNothing(denial: Denial, isHolder: Bool) throws {
    let (context, holder, targets) = try holder(denial)

    try holder.setRelatedRow("target", to: nil)
    try context.delete(isHolder ? holder : targets[0])
    try context.save()

    #expect(try counts(context) == (isHolder ? [0, 2] : [1, 1]))
    #expect(!context.hasChanges)
  }

  @Test(arguments: Denial.allCases)
  func aLinkThatTheSameSaveMovesDeniesTheOtherDeletion(denial: Denial) throws {
    let (context, holder, targets) = try holder(denial)
    try holder.setRelatedRow("target", to: targets[1])

    if denial.deniesTarget {
      try context.delete(targets[1])
      expectDenial(context, of: targets[1])
      context.undo()
    }
    if denial.deniesHolder {
      try context.delete(holder)
      expectDenial(context, of: holder)
      context.undo()
    }
    try context.delete(targets[0])
    try context.save()

    #expect(try counts(context) == [1, 1])
    #expect(try EditingContext(context.store).fetch("Holder")[0].relatedRow("target") != nil)
  }

  /// The rules of the database would follow the stored link.
  @Test(arguments: [true, false])
  func aRowThatADeletedRowNoLongerLinksToIsNotDeleted(isToMany: Bool) throws {
    let store = try emptyStore(
      entities: Entity("Target", attributes: []),
      Entity(
        "Holder", attributes: [],
        relationships: [
          isToMany
            ? .toMany("target", "Target", onDelete: .cascade)
            : .toOne("target", "Target", whenThisIsDeleted: .cascadeEvenIfShared)
        ]))
    let context = EditingContext(store)
    let targets = try (0..<2).map { _ in try context.insert("Target") }
    let holder = try context.insert("Holder")
    func link(_ rows: [ManagedRow]) throws {
      isToMany
        ? try holder.setRelatedRows("target", to: rows)
        : try holder.setRelatedRow("target", to: rows.first)
    }
    try link([targets[0]])
    try context.save()

    try link([targets[1]])
    try context.delete(holder)
    try context.save()

    #expect(try store.values("SELECT _moho_id FROM \"Target\"") == ["1"])
    #expect(try counts(context) == [0, 1])
    #expect(targets.map(\.state) == [.unchanged, .detached])
    context.undo()
    context.undo()
    try context.save()
    #expect(try counts(context) == [1, 2])
    let found = try EditingContext(store).fetch("Holder")[0]
    let linked: [ManagedRow?] =
      try isToMany ? found.relatedRows("target") : [found.relatedRow("target")]
    #expect(linked.map(\.?.identity.stored) == [1])
  }
}
