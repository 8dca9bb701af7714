import Foundation
import MohoChanges
import MohoMapping
import MohoResults
import MohoRows
import StoreTesting
import Testing

@Suite(.allEngines) struct ContextRequestTests {
  private let store: ModelStore
  private let context: EditingContext
  private static let all = ModelRequest<Card>()
  private static let byRank = all.order(by: \.rank)

  init() throws {
    store = try emptyStore(Card.self)
    try store.write { writer in
      try writer.save((1...5).map { Card(id: $0, deck: "A", rank: $0 * 10, title: "\($0)") })
    }
    context = EditingContext(store)
  }

  private func card(_ id: Int) throws -> ManagedRow {
    try context.row(RowIdentity(entity: "Card", stored: Int64(id)))
  }

  @discardableResult
  private func insert(_ id: Int, deck: String = "A", rank: Int) throws -> ManagedRow {
    try ManagedRowAdapter<Card>().row(
      from: Card(id: id, deck: deck, rank: rank, title: "new"), in: context)
  }

  @Test func aFilterAppliesToUnsavedRows() throws {
    let results = try ContextResultsController(Self.byRank, in: context)
    try insert(6, rank: 25)
    try insert(7, rank: 5)
    try card(5).set(\Card.rank, to: 1)
    let log = UpdateLog(results)

    try results.setRequest(Self.byRank.filter { $0.rank > 20 })

    #expect(log.changes == ["delete [0, 0]\ndelete [0, 1]\ndelete [0, 2]\ndelete [0, 3]"])
    #expect(try results.snapshot.models().map(\.id) == [6, 3, 4])
  }

  @Test func rowsMoveIfTheOrderDiffers() throws {
    let results = try ContextResultsController(Self.byRank.limit(3), in: context)
    try insert(6, rank: 15)
    let log = UpdateLog(results)

    try results.setRequest(Self.byRank)
    try results.setRequest(Self.all.order(by: \.rank, .descending).limit(3))

    #expect(log.updates.map { $0.after.index.count } == [6, 3])
    #expect(log.changes.first == "insert [0, 3]\ninsert [0, 4]\ninsert [0, 5]")
    #expect(try results.snapshot.models().map(\.id) == [5, 4, 3])
  }

  @Test func unsavedRowsKeepTheirNumbers() throws {
    let results = try ContextResultsController(Self.byRank, in: context)
    let new = try insert(6, rank: 15).identity
    let number = try #require(results.snapshot.index[RowPath(section: 0, row: 1)])

    try results.setRequest(Self.all.order(by: \.rank, .descending))
    try context.save()

    let path = RowPath(section: 0, row: 4)
    #expect(results.snapshot.index[path] == number)
    #expect(results.snapshot.identity(at: path) != new)
    #expect(try results.snapshot.model(at: path).id == 6)
  }

  @Test func unsavedRowsMoveEvenIfTheStoredRowsStay() throws {
    let some = Self.all.filter { $0.title == "3" || $0.title == "new" }
    let results = try ContextResultsController(some.order(by: \.rank), in: context)
    let new = try insert(6, rank: 25)
    let log = UpdateLog(results)

    try results.setRequest(some.order(by: \.rank, .descending))
    try new.set(\Card.rank, to: 35)

    #expect(log.updates.count == 2)
    #expect(log.updates.first.map { Array($0.after.index.rowIDs).first } == 3)
    #expect(log.changes.last == "move [0, 1] → [0, 0] changed rank")
  }

  @Test func aRequestInsertsAndDeletesSections() throws {
    let results = try ContextResultsController(Self.byRank, in: context)
    try insert(6, deck: "B", rank: 25)
    let log = UpdateLog(results)

    try results.setRequest(
      Self.all.order(by: \.deck).order(by: \.rank), sectionedBy: \.deck)
    try results.setRequest(
      Self.all.order { $0.rank / 20 }.order(by: \.deck), sectionedBy: { $0.rank / 20 })
    context.undo()

    #expect(
      log.updates.map { $0.after.sections.map(\.count) } == [[5, 1], [1, 3, 2], [1, 2, 2]])
    #expect(log.changes.last == "delete [1, 2]")
  }

  @Test func limitsOfTheNewRequestApply() throws {
    let results = try ContextResultsController(Self.byRank, in: context)
    try results.setRequest(Self.byRank.offset(1).limit(2))
    let log = UpdateLog(results)

    try insert(6, rank: 5)

    #expect(log.changes == ["delete [0, 1]\ninsert [0, 0]"])
    #expect(try results.snapshot.models().map(\.id) == [1, 2])
  }

  @Test func anEquivalentRequestProducesNoUpdate() throws {
    let results = try ContextResultsController(Self.byRank, in: context)
    try insert(6, rank: 25)
    let log = UpdateLog(results)

    try results.setRequest(Self.byRank.filter { $0.rank > 0 })
    #expect(log.updates.isEmpty)

    try card(1).set(\Card.rank, to: -1)
    #expect(log.changes == ["delete [0, 0]"])
  }

  @Test func aRejectedRequestLeavesThePreviousOneInEffect() throws {
    let results = try ContextResultsController(Self.byRank, in: context)
    try insert(6, rank: 25)
    let log = UpdateLog(results)

    #expect(throws: ResultsError.self) {
      try results.setRequest(Self.byRank, sectionedBy: \.deck)
    }
    #expect(throws: StoreError.self) { try results.setRequest(Self.byRank.limit(-1)) }
    try store.write { _ in
      #expect(throws: StoreError.self) { try results.setRequest(Self.all) }
    }
    #expect(log.updates.isEmpty)
    #expect(results.failure == nil)

    try store.write { try $0.save(Card(id: 7, deck: "A", rank: 26, title: "theirs")) }
    try results.catchUp()
    context.undo()
    #expect(log.changes == ["insert [0, 3]", "delete [0, 2]"])
  }

  @Test func aRequestWithAnInvalidLimitIsRejected() throws {
    #expect(throws: StoreError.self) {
      try ContextResultsController(Self.byRank.limit(-1), in: context)
    }
  }

  @Test func aRequestSetByADelegateIsTheNextUpdate() throws {
    let results = try ContextResultsController(Self.byRank, in: context)
    let log = UpdateLog(results)
    log.onUpdate = {
      guard log.updates.count == 1 else { return }
      #expect(throws: Never.self) {
        try results.setRequest(Self.all.order(by: \.rank, .descending))
      }
      #expect(throws: StoreError.self) { try results.setRequest(Self.byRank.limit(-1)) }
      #expect(log.updates.count == 1)
      #expect(results.snapshot.index == log.updates[0].after.index)
    }

    try card(1).set(\Card.rank, to: 55)

    #expect(log.updates.count == 2)
    #expect(log.updates[1].before.index == log.updates[0].after.index)
    #expect(try results.snapshot.models().map(\.id) == [1, 5, 4, 3, 2])
  }

  @Test func editsByADelegateBetweenRequestsAreReportedInOrder() throws {
    let results = try ContextResultsController(Self.byRank, in: context)
    let log = UpdateLog(results)
    log.onUpdate = {
      guard log.updates.count == 1 else { return }
      #expect(throws: Never.self) {
        try results.setRequest(Self.byRank.filter { $0.rank > 20 })
        try card(3).set(\Card.rank, to: 15)
        try results.setRequest(Self.byRank.filter { $0.rank < 20 })
      }
    }

    try context.delete(card(5))

    #expect(
      log.changes == [
        "delete [0, 4]", "delete [0, 0]\ndelete [0, 1]", "delete [0, 0]",
        "delete [0, 0]\ninsert [0, 0]\ninsert [0, 1]",
      ])
  }

  @Test func undoChangesTheNewResult() throws {
    let results = try ContextResultsController(Self.byRank, in: context)
    try card(1).set(\Card.rank, to: 55)
    try results.setRequest(Self.all.order(by: \.rank, .descending))
    let log = UpdateLog(results)

    context.undo()
    context.redo()

    #expect(
      log.changes == [
        "move [0, 0] → [0, 4] changed rank", "move [0, 4] → [0, 0] changed rank",
      ])
  }

  @Test func earlierExternalCommitsAreReportedFirst() throws {
    let results = try ContextResultsController(Self.byRank, in: context)
    try insert(6, rank: 35)
    let log = UpdateLog(results)
    try store.write { writer in
      try writer.save(Card(id: 2, deck: "A", rank: 20, title: "theirs"))
      try writer.save(Card(id: 7, deck: "A", rank: 36, title: "theirs"))
    }

    try results.setRequest(Self.byRank.filter { $0.rank > 10 })
    try results.catchUp()

    #expect(
      log.changes == [
        "update [0, 1] → [0, 1] changed title\ninsert [0, 4]", "delete [0, 0]",
      ])
  }

  @Test func laterExternalCommitsAreFollowed() throws {
    let results = try ContextResultsController(Self.byRank, in: context)
    try insert(6, rank: 35)
    try results.setRequest(Self.byRank.filter { $0.rank > 30 })
    let log = UpdateLog(results)

    try store.write { writer in
      try writer.save(Card(id: 1, deck: "A", rank: 36, title: "theirs"))
      try writer.save(Card(id: 5, deck: "A", rank: 30, title: "theirs"))
    }
    try results.catchUp()

    #expect(log.changes == ["delete [0, 2]\ninsert [0, 1]"])
    #expect(try results.snapshot.models().map(\.id) == [6, 1, 4])
  }

  @Test func sectionsOfBinaryValuesAreRejected() throws {
    let store = try emptyStore(Photo.self)
    let context = EditingContext(store)
    let all = ModelRequest<Photo>()
    let results = try ContextResultsController(all.order(by: \.id), in: context)
    _ = try ManagedRowAdapter<Photo>().row(from: Photo(id: 1, digest: Data([1])), in: context)

    #expect(throws: ResultsError.self) {
      try results.setRequest(all.order(by: \.digest), sectionedBy: \.digest)
    }
    try store.write { try $0.save(Photo(id: 2, digest: Data([0]))) }
    try results.catchUp()

    #expect(results.snapshot.sections.map(\.count) == [2])
    #expect(try results.snapshot.models().map(\.id) == [1, 2])
  }

  @Test(arguments: [false, true])
  func aNewRequestShowsRowsThatThePreviousOneCannotSection(isSaved: Bool) throws {
    let store = try emptyStore(Photo.self)
    let context = EditingContext(store)
    let all = ModelRequest<Photo>()
    let results = try ContextResultsController(
      all.order(by: \.digest), in: context, sectionedBy: \.digest)
    let photo = Photo(id: 1, digest: Data([1]))
    if isSaved {
      try store.write { try $0.save(photo) }
      #expect(throws: ResultsError.self) { try results.catchUp() }
    } else {
      _ = try ManagedRowAdapter<Photo>().row(from: photo, in: context)
      #expect(results.failure is ResultsError)
    }

    try results.setRequest(all.order(by: \.id))

    #expect(results.failure == nil)
    #expect(try results.snapshot.models().map(\.id) == [1])
  }
}
