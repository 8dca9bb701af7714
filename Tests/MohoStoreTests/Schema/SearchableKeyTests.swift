import Foundation
import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

@Suite(.allEngines) struct SearchableKeyTests {
  private enum Kind: String, FieldValue, CaseIterable { case free, paid }

  private struct Link: MappedModel {
    var id: Int
    var url: URL?
    var kind: Kind
    var note: String?

    static let mapping = Mapping(
      "Link", Link.init, .key("id", \.id, .unique), .key("url", \.url, .searchable),
      .key("kind", \.kind, .searchable), .key("note", \.note, .searchable))
  }

  @Test func keysWhoseColumnIsTextCanBeSearchable() throws {
    let store = try emptyStore(Link.self)
    try store.write {
      try $0.save([
        Link(id: 1, url: URL(string: "https://example.org/moon"), kind: .paid, note: nil),
        Link(id: 2, url: nil, kind: .free, note: "moon"),
      ])
    }

    #expect(Entity(Link.mapping).searchableKeys == ["url", "kind", "note"])
    #expect(try store.fetch(ModelRequest<Link>().filter { $0.matches("moon") }).count == 2)
    #expect(
      try store.fetch(ModelRequest<Link>().filter { $0.matches("paid moon") }).map(\.id) == [1])
  }

  @Test(.engine(.sqlite)) func entitiesWithoutSearchableKeysHaveNoIndex() throws {
    let entity = Entity("Plain", attributes: [Attribute("text", .string)])

    #expect(try Schema([entity]).statements.count == 1)
  }

  @Test(.engine(.sqlite)) func invalidSearchableKeysAreListed() {
    let entity = Entity(
      "Task",
      attributes: [
        Attribute("text", .string), Attribute("due", .date), Attribute("tags", .structured),
      ],
      searchable: ["text", "text", "due", "tags", "list"])

    let error = #expect(throws: StoreError.self) { try Schema([entity]) }

    #expect(error?.code == .invalidSchema)
    #expect(
      error?.reason == """
        `Task` has the searchable key `text` several times; `Task.due` is searchable, but it is not \
        text; `Task.tags` is searchable, but it is not text; `Task` has the searchable key `list`, \
        which is not an attribute
        """)
  }

  @Test(.engine(.sqlite)) func aSQLiteWithoutFTS5IsReported() throws {
    var configuration = Configuration()
    configuration.prepareDatabase { database in
      // Removes all modules except some of those that the store needs.
      let names = ["pragma_module_list", "pragma_table_xinfo", "pragma_index_list", "json_each"]
      let copies = names.map { strdup($0) }
      defer { for copy in copies { free(copy) } }
      var kept = copies.map { UnsafePointer<CChar>($0) } + [nil]
      sqlite3_drop_modules(database.sqliteConnection, &kept)
    }
    let queue = try DatabaseQueue(configuration: configuration)

    let error = #expect(throws: StoreError.self) {
      try ModelStore(adopting: queue, models: Link.self)
    }

    #expect(error?.code == .searchUnavailable)
    #expect(error?.entity == "Link")
    #expect(error?.keys == ["url", "kind", "note"])
    #expect(
      error?.description == """
        full-text search is not available: `Link` has the searchable keys `url`, `kind`, `note`, but \
        SQLite was built without FTS5; use a build of SQLite with FTS5, or remove `.searchable`
        """)
  }
}
