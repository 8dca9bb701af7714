import MohoChanges
import MohoMapping
import MohoResults
import MohoRows
import StoreTesting
import Testing

/// Models that contain other models.
@Suite(.allEngines) struct NestedContentsTests {
  private let store: ModelStore

  init() throws {
    store = try emptyStore(Folder.self)
    try execute(
      """
      INSERT INTO "Folder" (id, name, parent) VALUES
        (1, 'a', NULL), (2, 'b', NULL), (3, 'c', 1), (4, 'd', 3), (5, 'e', 2);
      """)
  }

  private func execute(_ sql: String) throws {
    try store.execute(sql)
  }

  private func roots() throws -> ResultsController<Folder> {
    try ResultsController(
      ModelRequest<Folder>().filter { $0.parent == nil }.order(by: \.name), in: store)
  }

  private func names(_ folders: [Folder]) -> String {
    folders.sorted { $0.id < $1.id }
      .map { "\($0.name)(\(names(Array($0.children))))" }.joined()
  }

  @Test func aDeeplyNestedChangeChangesTheModel() throws {
    let controller = try roots()

    try execute("UPDATE \"Folder\" SET name = 'D' WHERE id = 4")

    #expect(
      controller.lastTransition.changes.description == "update [0, 0] → [0, 0] changed children")
    #expect(try names(controller.snapshot.models()) == "a(c(D()))b(e())")
  }

  @Test func movingANestedModelChangesBothParents() throws {
    let controller = try roots()

    try execute("UPDATE \"Folder\" SET parent = 5 WHERE id = 4")
    #expect(
      controller.lastTransition.changes.rows.map(\.changedKeys) == [["children"], ["children"]])

    try execute("DELETE FROM \"Folder\" WHERE id = 4")
    #expect(
      controller.lastTransition.changes.description == "update [0, 1] → [0, 1] changed children")
    #expect(try names(controller.snapshot.models()) == "a(c())b(e())")
  }

  @Test func aNestedChangeInvalidatesTheCachedModel() throws {
    let controller = try roots()
    let snapshot = controller.snapshot
    #expect(try names(snapshot.models()) == "a(c(d()))b(e())")

    try execute("UPDATE \"Folder\" SET name = 'E' WHERE id = 5")

    #expect(try names(snapshot.models()) == "a(c(d()))b(e())")
    #expect(try names(controller.snapshot.models()) == "a(c(d()))b(E())")
  }

  @Test func aSnapshotDoesNotReadLaterContent() throws {
    let controller = try roots()
    let snapshot = controller.snapshot

    try execute("UPDATE \"Folder\" SET name = 'E' WHERE id = 5")

    let error = #expect(throws: ResultsError.self) {
      try snapshot.model(at: RowPath(section: 0, row: 1))
    }
    #expect(error?.code == .rowChanged)
    #expect(try snapshot.model(at: RowPath(section: 0, row: 0)).name == "a")
  }

  @Test func writesWithoutEffectChangeNoModel() throws {
    let controller = try roots()

    try execute("UPDATE \"Folder\" SET name = name")

    #expect(controller.lastTransition.generation == 0)
  }
}

/// A tree of folders, with links to their parents.
private struct Folder: MappedModel, Hashable {
  var id: Int
  var name: String
  var parent: ModelReference<Folder>?
  var children: Set<Folder>

  static let mapping = Mapping(
    "Folder", Folder.init,
    .key("id", \.id, .unique),
    .key("name", \.name),
    .toOne("parent", \.parent, inverse: "children"),
    .toMany("children", \.children, inverse: "parent"))
}
