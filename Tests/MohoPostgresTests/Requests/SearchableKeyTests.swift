import MohoMapping
import MohoPostgres
import MohoRows
import PostgresTesting
import Testing

/// Tests searchable keys, which stores on PostgreSQL cannot search.
@Suite struct SearchableKeyTests {
  private struct Note: MappedModel, Equatable {
    var id: Int
    var title: String
    var body: String?
    var folder: Folder?

    static let mapping = Mapping(
      "Note", Note.init, .key("id", \.id, .unique), .key("title", \.title, .searchable),
      .key("body", \.body, .searchable), .toOne("folder", \.folder))
  }

  private struct Folder: MappedModel, Equatable {
    var id: Int
    var name: String

    static let mapping = Mapping(
      "Folder", Folder.init, .key("id", \.id, .unique), .key("name", \.name, .searchable))
  }

  private func check(_ error: StoreError?, _ names: String) {
    #expect(error?.code == .searchUnavailable)
    #expect(
      error?.reason == "\(names) searchable, but stores on PostgreSQL have no full-text indexes")
    #expect(
      error?.suggestion
        == "remove `.searchable`, or set `PostgresConfiguration.ignoresSearchableKeys` to use the"
        + " declarations without search")
  }

  @Test func aStoreWithThemIsNotOpened() throws {
    let url = try PostgresServer.shared().emptySchema()

    let error = #expect(throws: StoreError.self) {
      _ = try ModelStore(postgres: url, models: Note.self)
    }
    check(error, "`Note.title`, `Note.body`, `Folder.name` are")
    #expect(error?.entity == "Note")
    #expect(error?.keys == ["title", "body"])
    check(
      #expect(throws: StoreError.self) {
        try ModelStore.migrationPlan(postgres: url, models: Folder.self)
      }, "`Folder.name` is")

    // Nothing was created.
    var configuration = PostgresConfiguration()
    configuration.createsTables = false
    configuration.ignoresSearchableKeys = true
    let missing = #expect(throws: StoreError.self) {
      _ = try ModelStore(postgres: url, models: Note.self, configuration: configuration)
    }
    #expect(missing?.code == .storeNotFound)
  }

  @Test func aStoreWithThemIsNotOpenedAsynchronously() async throws {
    let url = try PostgresServer.shared().emptySchema()
    let error = await #expect(throws: StoreError.self) {
      _ = try await ModelStore(postgres: url, models: Folder.self)
    }
    check(error, "`Folder.name` is")
  }

  @Test func aStoreThatIgnoresThemDoesEverythingElse() throws {
    var configuration = PostgresConfiguration()
    configuration.ignoresSearchableKeys = true
    let store = try ModelStore(
      postgres: PostgresServer.shared().emptySchema(), models: Note.self,
      configuration: configuration)
    let note = Note(id: 1, title: "moon", body: nil, folder: Folder(id: 2, name: "sky"))
    try store.write { try $0.save(note) }

    #expect(try store.fetch(ModelRequest<Note>().filter { $0.title.contains("moo") }) == [note])
    let error = #expect(throws: StoreError.self) {
      try store.fetch(ModelRequest<Note>().filter { $0.matches("moon") })
    }
    #expect(error?.code == .searchUnavailable)
    #expect(error?.reason == "stores on PostgreSQL have no full-text indexes")
  }
}
