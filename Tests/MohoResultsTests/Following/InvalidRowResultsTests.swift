import MohoChanges
import MohoMapping
import MohoResults
import MohoRows
import StoreTesting
import Testing

/// Results whose rows break rules.
@Suite(.allEngines, .timeLimit(.minutes(20))) struct InvalidRowResultsTests {
  private struct Note: MappedModel, Equatable {
    var id: Int
    var text: String

    static let mapping = Mapping(
      "Note", Note.init, .key("id", \.id, .unique), .key("text", \.text)
    ).validating(\.text, "text without x") { !$0.contains("x") }
  }

  private struct Page: MappedModel, Equatable {
    var id: Int
    var notes: [Note]

    static let mapping = Mapping(
      "Page", Page.init, .key("id", \.id, .unique), .toMany("notes", \.notes))
  }

  private let store: ModelStore
  private let byID = ModelRequest<Note>().order(by: \.id)

  init() throws {
    store = try emptyStore(Page.self)
    try store.write { writer in
      try writer.save((1...3).map { Note(id: $0, text: "\($0)") })
      try writer.save([
        Page(id: 1, notes: [Note(id: 1, text: "1")]), Page(id: 2, notes: [Note(id: 2, text: "2")]),
      ])
    }
  }

  /// Breaks a rule as other programs do.
  private func breakNote() throws {
    try store.execute("UPDATE \"Note\" SET text = 'x' WHERE id = 2")
  }

  private func check<Model>(_ snapshot: ResultsSnapshot<Model>, _ identity: String) throws {
    let path = RowPath(section: 0, row: 1)
    let one = #expect(throws: MappingError.self) { try snapshot.model(at: path) }
    let all = #expect(throws: MappingError.self) { try snapshot.models() }
    let result = try snapshot.lossyModels()

    #expect([one?.row, all?.row] == ["`Note` 2", "`Note` 2"])
    #expect(result.models.count == snapshot.count - 1)
    #expect(result.failures.map { "\($0.identity)" } == [identity])
    let rows = Array(snapshot.rows())
    #expect(rows.map { $0.model == nil } == rows.map { $0.path == path })
    #expect(rows.map { $0.error == nil } == rows.map { $0.path != path })
    #expect((rows[1].error as? MappingError)?.row == "`Note` 2")
  }

  @Test func aResultReportsTheRow() throws {
    try breakNote()
    try check(ResultsController(byID, in: store).snapshot, "`Note` 2")
  }

  @Test func aResultReportsTheNestedRow() throws {
    try breakNote()
    let controller = try ResultsController(ModelRequest<Page>().order(by: \.id), in: store)
    try check(controller.snapshot, "`Page` 2")
  }

  @Test func aContextResultReportsTheRow() throws {
    try breakNote()
    let controller = try ContextResultsController(byID, in: EditingContext(store))

    try check(controller.snapshot, "`Note` 2")
    #expect(controller.failure == nil)
  }

  @Test func aContextResultReportsAnUnsavedRow() throws {
    let context = EditingContext(store)
    let controller = try ContextResultsController(byID, in: context)
    let row = try context.row(RowIdentity(entity: "Note", stored: 2))

    try row.set("text", to: "x")
    let path = RowPath(section: 0, row: 1)
    #expect(throws: MappingError.self) { try controller.snapshot.model(at: path) }
    #expect(try controller.snapshot.lossyModels().failures.map(\.identity) == [row.identity])
    #expect(controller.snapshot.rows()[1].error != nil)

    try row.set("text", to: "y")
    #expect(try controller.snapshot.models().map(\.text) == ["1", "y", "3"])
  }

  @Test func aResultFollowsCommitsThatBreakAndRestoreARule() async throws {
    let controller = try await ResultsController(byID, in: store)
    var updates = controller.updates.makeAsyncIterator()

    try breakNote()
    let broken = try await updates.next()
    try store.execute("UPDATE \"Note\" SET text = 'z' WHERE id = 2")
    let restored = try await updates.next()

    #expect(broken?.changes.description == "update [0, 1] → [0, 1] changed text")
    #expect(restored?.changes.description == "update [0, 1] → [0, 1] changed text")
    #expect(try restored?.after.models().map(\.text) == ["1", "z", "3"])
  }
}
