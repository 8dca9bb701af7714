import MohoChanges
import MohoMapping
import MohoResults
import StoreTesting
import Testing

@testable import MohoRows

@Suite(.allEngines) struct ContextResultsTests {
  private let store: ModelStore
  private let context: EditingContext
  private static let byRank = ModelRequest<Card>().order(by: \.rank)

  init() throws {
    store = try emptyStore(Card.self)
    try store.write { writer in
      try writer.save((1...5).map { Card(id: $0, deck: "A", rank: $0 * 10, title: "\($0)") })
    }
    context = EditingContext(store)
  }

  private func card(_ id: Int, in context: EditingContext? = nil) throws -> ManagedRow {
    try (context ?? self.context).row(RowIdentity(entity: "Card", stored: Int64(id)))
  }

  @discardableResult
  private func insert(_ id: Int, rank: Int, in context: EditingContext? = nil) throws -> ManagedRow
  {
    let context = context ?? self.context
    return try ManagedRowAdapter<Card>().row(
      from: Card(id: id, deck: "A", rank: rank, title: "new"), in: context)
  }

  @Test func unsavedRowsArePartOfTheResult() throws {
    try card(1).set(\Card.rank, to: 25)
    try context.delete(card(3))
    try insert(6, rank: 5)

    let results = try ContextResultsController(Self.byRank, in: context)

    #expect(try results.snapshot.models().map(\.id) == [6, 2, 1, 4, 5])
    #expect(try results.snapshot.models().map(\.rank) == [5, 20, 25, 40, 50])
  }

  @Test func anEditThatMovesARowHasOneRecord() throws {
    let results = try ContextResultsController(Self.byRank, in: context)
    let log = UpdateLog(results)

    try context.undoGroup {
      try card(1).set(\Card.rank, to: 45)
      try card(4).set(\Card.title, to: "four")
    }

    #expect(
      log.changes == [
        "move [0, 0] → [0, 3] changed rank", "update [0, 2] → [0, 2] changed title",
      ])
  }

  @Test func undoAndRedoMoveRows() throws {
    let results = try ContextResultsController(Self.byRank, in: context)
    try card(1).set(\Card.rank, to: 45)
    try context.delete(card(2))
    let log = UpdateLog(results)

    context.undo()
    context.undo()
    context.redo()

    #expect(
      log.changes == [
        "insert [0, 0]", "move [0, 3] → [0, 0] changed rank", "move [0, 0] → [0, 3] changed rank",
      ])
  }

  @Test func rollingBackShowsTheSavedRows() throws {
    let results = try ContextResultsController(Self.byRank, in: context)
    try card(1).set(\Card.rank, to: 45)
    try insert(6, rank: 5)
    try context.delete(card(2))

    context.rollback()

    #expect(try results.snapshot.models().map(\.id) == [1, 2, 3, 4, 5])
  }

  @Test func savingDoesNotChangeTheVisibleRows() throws {
    let results = try ContextResultsController(Self.byRank, in: context)
    try card(1).set(\Card.rank, to: 45)
    try insert(6, rank: 5)
    try context.delete(card(2))
    let (log, before) = (UpdateLog(results), results.snapshot)

    try context.save()

    #expect(log.updates.map(\.changes) == [ChangeSet()])
    #expect(results.snapshot.index == before.index)
    #expect(try results.snapshot.models().map(\.id) == [6, 3, 4, 1, 5])
  }

  @Test func savingARowReportsItsIdentityWithoutMovingIt() throws {
    let results = try ContextResultsController(Self.byRank, in: context)
    let new = try insert(6, rank: 35).identity
    let log = UpdateLog(results)
    let path = RowPath(section: 0, row: 3)
    #expect(results.snapshot.identity(at: path) == new)

    try context.save()

    let saved = RowIdentity(entity: "Card", stored: 6)
    let changes = log.updates.flatMap(\.identities)
    #expect(changes.map(\.path) == [path])
    #expect(changes.map(\.old) == [new])
    #expect(changes.map(\.new) == [saved])
    #expect(results.snapshot.identity(at: path) == saved)
  }

  @Test func aSavedRowIsStillFollowed() throws {
    let results = try ContextResultsController(Self.byRank, in: context)
    try insert(6, rank: 35)
    try context.save()
    let log = UpdateLog(results)

    try store.execute("UPDATE \"Card\" SET rank = 1 WHERE id = 6")
    try results.catchUp()
    try store.execute("DELETE FROM \"Card\" WHERE id = 6")
    try results.catchUp()

    #expect(log.changes == ["move [0, 3] → [0, 0] changed rank", "delete [0, 0]"])
  }

  @Test func aCommittedRowWithTheNumberOfANewRowIsDistinct() throws {
    let results = try ContextResultsController(Self.byRank, in: context)
    try insert(6, rank: 35)
    let number = try #require(results.snapshot.index[RowPath(section: 0, row: 3)])

    try store.execute("INSERT INTO \"Card\" (id, rank, title) VALUES (\(number), 36, 'low')")
    try results.catchUp()

    #expect(try results.snapshot.models().map(\.id) == [1, 2, 3, 6, Int(number), 4, 5])
  }

  @Test func externalCommitsAreMergedWithUnsavedRows() throws {
    let results = try ContextResultsController(Self.byRank, in: context)
    try insert(6, rank: 35)
    try card(2).set(\Card.rank, to: 36)
    let log = UpdateLog(results)

    try store.write { writer in
      try writer.save(Card(id: 7, deck: "A", rank: 35, title: "seven"))
      try writer.save(Card(id: 2, deck: "A", rank: 1, title: "hidden"))
    }
    try results.catchUp()

    #expect(log.changes == ["insert [0, 3]"])
    #expect(try results.snapshot.models().map(\.id) == [1, 3, 6, 7, 2, 4, 5])
  }

  @Test func anEditAndAnEarlierCommitHaveOneRecordWithTheKeysOfBoth() throws {
    let results = try ContextResultsController(Self.byRank, in: context)
    let log = UpdateLog(results)

    try store.execute("UPDATE \"Card\" SET title = 'one' WHERE id = 1")
    try card(1).set(\Card.rank, to: 45)

    #expect(log.changes == ["move [0, 0] → [0, 3] changed rank, title"])
  }

  /// The row is inserted after a commit of another process, which is detected later.
  @Test func aNewRowMovesWhenAnEarlierCommitIsDetected() throws {
    try ModelStore.withExternalWriter { store, process in
      func book(_ id: Int, pages: Int) -> Book {
        Book(id: id, title: "", pages: pages, genre: nil, shelf: nil, chapters: [], tags: [])
      }
      let books = (1...3).map { book($0, pages: $0 * 10) }
      try store.write { try $0.save(books) }
      let context = EditingContext(store)
      let results = try ContextResultsController(
        ModelRequest<Book>().order(by: \.pages), in: context)

      try process.commit(["UPDATE \"Book\" SET pages = 1 WHERE id = 2"])
      _ = try ManagedRowAdapter<Book>().row(from: book(4, pages: 5), in: context)
      try results.catchUp()

      let ids = try results.snapshot.models().map(\.id)
      #expect(ids == [2, 4, 1, 3])
    }
  }

  @Test func refreshingShowsExternalCommits() throws {
    let results = try ContextResultsController(Self.byRank, in: context)
    let row = try card(2)
    try row.set(\Card.title, to: "mine")
    try store.write { try $0.save(Card(id: 2, deck: "A", rank: 99, title: "theirs")) }
    try results.catchUp()
    let log = UpdateLog(results)

    try context.refresh(row)

    #expect(log.changes == ["move [0, 1] → [0, 4] changed rank, title"])
  }

  @Test func limitsApplyToTheVisibleRows() throws {
    let results = try ContextResultsController(Self.byRank.offset(1).limit(2), in: context)
    let log = UpdateLog(results)

    try insert(6, rank: 5)
    context.undo()

    #expect(
      log.changes == ["delete [0, 1]\ninsert [0, 0]", "delete [0, 0]\ninsert [0, 1]"])
    #expect(try results.snapshot.models().map(\.id) == [2, 3])
  }

  @Test func unsavedRowsInsertAndDeleteSections() throws {
    let results = try ContextResultsController(
      ModelRequest<Card>().order(by: \.deck).order(by: \.rank), in: context, sectionedBy: \.deck)
    let log = UpdateLog(results)

    try card(1).set(\Card.deck, to: "B")
    context.undo()

    #expect(
      log.changes == [
        "insert section 1 \"B\"\nmove [0, 0] → [1, 0] changed deck",
        "delete section 1 \"B\"\nmove [1, 0] → [0, 0] changed deck",
      ])
  }

  @Test func aRowThatCannotBeDecodedYetIsVisible() throws {
    let results = try ContextResultsController(Self.byRank, in: context)

    _ = try context.insert(Card.self)

    let path = RowPath(section: 0, row: 0)
    #expect(results.snapshot.count == 6)
    #expect(throws: MappingError.self) { try results.snapshot.model(at: path) }
    #expect(try results.row(at: path).row.state == .inserted)
  }

  @Test func resettingRemovesUnsavedRows() throws {
    let results = try ContextResultsController(Self.byRank, in: context)
    try insert(6, rank: 5)
    try card(1).set(\Card.rank, to: 45)
    let log = UpdateLog(results)

    context.reset()

    #expect(log.changes == ["delete [0, 0]\nmove [0, 4] → [0, 0] changed rank"])
  }

  @Test func childContextsShowTheRowsOfTheirParents() throws {
    let child = EditingContext(childOf: context)
    let results = try ContextResultsController(Self.byRank, in: child)
    let log = UpdateLog(results)

    try insert(6, rank: 5)
    try card(1, in: child).set(\Card.rank, to: 45)
    try child.save()
    try context.save()

    #expect(log.changes == ["insert [0, 0]", "move [0, 1] → [0, 4] changed rank", ""])
    #expect(log.updates.last?.identities.map(\.new.stored) == [6])
  }

  @Test func editsByADelegateAreTheNextUpdate() throws {
    let results = try ContextResultsController(Self.byRank, in: context)
    let log = UpdateLog(results)
    log.onUpdate = { [context] in
      guard log.updates.count == 1 else { return }
      _ = try? context.row(RowIdentity(entity: "Card", stored: 2)).set(\Card.rank, to: 1)
      #expect(log.updates.count == 1)
    }

    try context.delete(card(1))

    #expect(log.changes == ["delete [0, 0]", "update [0, 0] → [0, 0] changed rank"])
  }

  @Test func editsDuringAWriteAreReportedAfterwards() throws {
    let results = try ContextResultsController(Self.byRank, in: context)
    let log = UpdateLog(results)

    try store.write { _ in
      try card(1).set(\Card.rank, to: 45)
      #expect(log.updates.isEmpty)
      #expect(results.failure != nil)
    }
    try results.catchUp()

    #expect(log.changes == ["move [0, 0] → [0, 3] changed rank"])
    #expect(results.failure == nil)
  }

  @Test func snapshotsDoNotChange() throws {
    let results = try ContextResultsController(Self.byRank, in: context)
    try card(1).set(\Card.title, to: "one")
    let snapshot = results.snapshot

    try card(1).set(\Card.title, to: "two")
    context.rollback()

    #expect(try snapshot.model(at: RowPath(section: 0, row: 0)).title == "one")
    #expect(try results.snapshot.model(at: RowPath(section: 0, row: 0)).title == "1")
  }

  @Test func aReleasedControllerObservesNothing() throws {
    let child = EditingContext(childOf: context)
    weak var released: ContextResultsController<Card>?
    do {
      let results = try ContextResultsController(Self.byRank, in: child)
      let log = UpdateLog(results)
      released = results
      try card(1, in: child).set(\Card.rank, to: 45)
      #expect(log.updates.count == 1)
      #expect(!child.observers.isEmpty && !context.observers.isEmpty)
      #expect(try store.isObserved)
    }

    #expect(released == nil)
    #expect(child.observers.isEmpty && context.observers.isEmpty)
    #expect(try !store.isObserved)
    try child.save()
    try context.save()
    #expect(try store.values("SELECT rank FROM \"Card\" WHERE id = 1") == ["45"])
  }

  @Test func readingChangesNothing() throws {
    let results = try ContextResultsController(Self.byRank, in: context)
    try card(1).set(\Card.title, to: "one")
    let log = UpdateLog(results)

    _ = try context.fetch(Self.byRank)
    _ = try results.snapshot.models()

    #expect(log.updates.isEmpty)
  }
}
