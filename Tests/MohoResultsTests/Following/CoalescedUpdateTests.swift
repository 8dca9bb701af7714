import MohoChanges
import MohoMapping
import MohoResults
import MohoRows
import StoreTesting
import Testing

/// Updates that span several commits.
@Suite(.allEngines, .timeLimit(.minutes(20))) struct CoalescedUpdateTests {
  private let store: ModelStore
  private static let all = ModelRequest<Show>()

  init() throws {
    store = try .shows()
    try store.execute(
      """
      INSERT INTO "Host" (id, name) VALUES (1, 'Ada'), (2, 'Ben');
      INSERT INTO "Show" (id, title, rank, host) VALUES
        (1, 'a', 1, 1), (2, 'b', 2, 2), (3, 'c', 3, NULL), (4, 'd', 4, NULL), (5, 'e', 5, NULL),
        (6, 'f', 6, NULL), (7, 'g', 7, NULL), (8, 'h', 8, NULL), (9, 'i', 9, NULL),
        (10, 'j', 10, NULL);
      """)
  }

  private func rows(_ snapshot: ResultsSnapshot<Show>) -> [Int64] {
    Array(snapshot.index.rowIDs)
  }

  @Test func rowsThatEnterAndLeaveAWindowAreReported() throws {
    let controller = try ResultsController(
      Self.all.order(by: \.rank).offset(2).limit(3), in: store)
    let known = controller.snapshot
    #expect(rows(known) == [3, 4, 5])

    try store.execute("DELETE FROM \"Show\" WHERE id = 1")
    try store.execute("DELETE FROM \"Show\" WHERE id = 2")

    #expect(rows(controller.snapshot) == [5, 6, 7])
    #expect(
      try controller.changes(since: known).description == """
        delete [0, 0]
        delete [0, 1]
        insert [0, 1]
        insert [0, 2]
        """)
  }

  /// The two rows change places, so either could be the one that has moved.
  @Test(arguments: [(row: 1, rank: 25), (row: 2, rank: 5)])
  func afterANewRequestOnlyWrittenRowsMove(row: Int, rank: Int) throws {
    try store.execute("UPDATE \"Show\" SET rank = rank * 10")
    let controller = try ResultsController(Self.all.order(by: \.rank, .descending), in: store)
    try controller.setRequest(Self.all.order(by: \.rank))
    let known = controller.snapshot

    try store.execute("UPDATE \"Show\" SET rank = \(rank) WHERE id = \(row)")
    try store.execute("UPDATE \"Show\" SET title = 'new' WHERE id = 9")

    let changes = try controller.changes(since: known)
    #expect(changes.rows.filter { $0.kind == .move }.map(\.rowID) == [Int64(row)])
  }

  @Test func aWaitingConsumerReceivesAShiftedWindow() async throws {
    let controller = try await ResultsController(
      Self.all.order(by: \.rank).offset(2).limit(3), in: store)
    var updates = controller.updates.makeAsyncIterator()

    try store.execute("DELETE FROM \"Show\" WHERE id = 1")
    try store.execute("DELETE FROM \"Show\" WHERE id = 2")

    let update = try await updates.next()
    #expect(update?.changes.rows.map(\.rowID) == [3, 4, 6, 7])
  }

  @Test func aChangedRowInAShiftedWindowHasThePathsOfBothStates() throws {
    let controller = try ResultsController(
      Self.all.order(by: \.rank).offset(2).limit(3), in: store)
    let known = controller.snapshot

    try store.execute("UPDATE \"Show\" SET title = 'new' WHERE id = 4")
    try store.execute("DELETE FROM \"Show\" WHERE id = 1")

    #expect(rows(controller.snapshot) == [4, 5, 6])
    #expect(
      try controller.changes(since: known).description == """
        delete [0, 0]
        update [0, 1] → [0, 0] changed title
        insert [0, 2]
        """)
  }

  @Test func aRowThatChangedOutsideTheWindowIsReportedWhenItReturns() throws {
    let controller = try ResultsController(Self.all.order(by: \.rank).limit(3), in: store)
    let known = controller.snapshot

    try store.execute("INSERT INTO \"Show\" (id, title, rank) VALUES (11, 'k', 0)")
    try store.execute("UPDATE \"Show\" SET title = 'new' WHERE id = 3")
    try store.execute("DELETE FROM \"Show\" WHERE id = 11")

    #expect(
      try controller.changes(since: known).description == "update [0, 2] → [0, 2] changed title")
  }

  @Test func aShiftedWindowInsertsAndDeletesSections() throws {
    let controller = try ResultsController(
      Self.all.order(by: \.rank).offset(1).limit(2), in: store, sectionedBy: \.rank)
    let known = controller.snapshot

    try store.execute("DELETE FROM \"Show\" WHERE id = 1")
    try store.execute("DELETE FROM \"Show\" WHERE id = 4")

    #expect(
      try controller.changes(since: known).description == """
        delete section 0 2
        insert section 1 5
        delete [0, 0]
        insert [1, 0]
        """)
  }

  @Test func aGrowingWindowReportsItsNewRows() throws {
    let controller = try ResultsController(
      Self.all.order(by: \.rank).offset(9).limit(3), in: store)
    let known = controller.snapshot
    #expect(rows(known) == [10])

    try store.execute("INSERT INTO \"Show\" (id, title, rank) VALUES (11, 'k', 0)")
    try store.execute("INSERT INTO \"Show\" (id, title, rank) VALUES (12, 'l', 0)")

    #expect(rows(controller.snapshot) == [8, 9, 10])
    #expect(
      try controller.changes(since: known).description == """
        insert [0, 0]
        insert [0, 1]
        """)
  }

  @Test func aChangeWhileTheLinkWasRemovedIsReported() throws {
    let controller = try ResultsController(Self.all.order(by: \.rank), in: store)
    let known = controller.snapshot

    try store.execute("UPDATE \"Show\" SET host = 2 WHERE id = 1")
    try store.execute("UPDATE \"Host\" SET name = 'Zoe' WHERE id = 1")
    try store.execute("UPDATE \"Show\" SET host = 1 WHERE id = 1")

    #expect(
      try controller.changes(since: known).description == "update [0, 0] → [0, 0] changed host")
    #expect(try controller.snapshot.models().first?.host?.name == "Zoe")
  }

  @Test func anOldSnapshotDoesNotReadAChangeWhileTheLinkWasRemoved() throws {
    let controller = try ResultsController(Self.all.order(by: \.rank), in: store)
    let known = controller.snapshot

    try store.execute("UPDATE \"Show\" SET host = 2 WHERE id = 1")
    try store.execute("UPDATE \"Host\" SET name = 'Zoe' WHERE id = 1")
    try store.execute("UPDATE \"Show\" SET host = 1 WHERE id = 1")

    let error = #expect(throws: ResultsError.self) {
      try known.model(at: RowPath(section: 0, row: 0))
    }
    #expect(error?.code == .rowChanged)
  }

  @Test func aMoveWhileTheLinkWasRemovedIsReported() throws {
    let controller = try ResultsController(
      Self.all.filter { $0.host != nil }.order { $0.host.name }, in: store,
      sectionedBy: { $0.host.name })
    let known = controller.snapshot
    #expect(rows(known) == [1, 2])

    try store.execute("UPDATE \"Show\" SET host = 2 WHERE id = 1")
    try store.execute("UPDATE \"Host\" SET name = 'Zoe' WHERE id = 1")
    try store.execute("UPDATE \"Show\" SET host = 1 WHERE id = 1")

    #expect(rows(controller.snapshot) == [2, 1])
    #expect(
      try controller.changes(since: known).description == """
        delete section 0 "Ada"
        insert section 1 "Zoe"
        move [0, 0] → [1, 0] changed host
        """)
  }

  @Test func aRelatedChangeWhileTheRowWasDeletedIsReported() throws {
    let controller = try ResultsController(
      Self.all.filter { $0.host != nil }.order { $0.host.name }, in: store)
    let known = controller.snapshot

    try store.execute("DELETE FROM \"Show\" WHERE id = 1")
    try store.execute("UPDATE \"Host\" SET name = 'Zoe' WHERE id = 1")
    try store.execute("INSERT INTO \"Show\" (id, title, rank, host) VALUES (1, 'a', 1, 1)")

    #expect(
      try controller.changes(since: known).description == "move [0, 0] → [0, 1] changed host")
  }

  @Test func aRowThatChangedAndChangedBackIsNotReported() throws {
    let controller = try ResultsController(Self.all.order(by: \.rank), in: store)
    let known = controller.snapshot

    try store.execute("UPDATE \"Show\" SET title = 'new', rank = 20 WHERE id = 1")
    try store.execute("UPDATE \"Show\" SET title = 'a', rank = 1 WHERE id = 1")

    #expect(try controller.changes(since: known).isEmpty)
  }

  @Test func aDelegateOfAContextReceivesAChangeWhileTheLinkWasRemoved() throws {
    let context = EditingContext(store)
    let controller = try ContextResultsController(
      Self.all.filter { $0.host != nil }.order { $0.host.name }.offset(0).limit(2), in: context)
    let log = UpdateLog(controller)

    try store.execute("UPDATE \"Show\" SET host = 2 WHERE id = 1")
    try store.execute("UPDATE \"Host\" SET name = 'Zoe' WHERE id = 1")
    try store.execute("UPDATE \"Show\" SET host = 1 WHERE id = 1")
    try controller.catchUp()

    #expect(log.changes == ["move [0, 0] → [0, 1] changed host"])
  }

  @Test func aDelegateOfAContextReceivesAShiftedWindow() throws {
    let context = EditingContext(store)
    let controller = try ContextResultsController(
      Self.all.order(by: \.rank).offset(2).limit(3), in: context)
    let log = UpdateLog(controller)

    try store.execute("DELETE FROM \"Show\" WHERE id = 1")
    try store.execute("DELETE FROM \"Show\" WHERE id = 2")
    try controller.catchUp()

    #expect(log.updates.map { $0.changes.rows.map(\.rowID) } == [[3, 4, 6, 7]])
  }

  @Test func aRequestChangeInBetweenIsPartOfTheUpdate() throws {
    let controller = try ResultsController(
      Self.all.order(by: \.rank).offset(2).limit(3), in: store)
    let known = controller.snapshot

    try store.execute("DELETE FROM \"Show\" WHERE id = 1")
    try controller.setRequest(Self.all.order(by: \.rank).offset(1).limit(2))
    try store.execute("UPDATE \"Show\" SET title = 'new' WHERE id = 4")

    #expect(rows(controller.snapshot) == [3, 4])
    #expect(
      try controller.changes(since: known).description == """
        delete [0, 2]
        update [0, 1] → [0, 1] changed title
        """)
  }
}
