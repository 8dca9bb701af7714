import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

private struct Track: MappedModel, Hashable {
  var id: Int
  var tags: [String] = []

  static let mapping = Mapping(
    "Track", Track.init, .key("id", \.id, .unique), .key("tags", \.tags))
}

private struct Span: MappedModel, Hashable {
  var start: Int
  var mark: String?

  static let mapping = Mapping(
    "Span", Span.init, .key("start", \.start, json: "at.start"),
    .key("mark", \.mark, .storeOnly))
}

private struct Album: MappedModel, Equatable {
  var id: Int
  var tags: [String] = []
  var counts: [String: Int] = [:]
  var days: [Date]?
  var labels: Set<String> = []
  var span = Span(start: 0)
  var tracks: [Track] = []

  static let mapping = Mapping<Album>(
    "Album", Album.init,
    .key("id", \.id, .unique),
    .key("tags", \.tags),
    .key("counts", \.counts),
    .key("days", \.days),
    .key("labels", \.labels),
    .key("span", \.span),
    .toMany("tracks", \.tracks)
  )
  .validating(\.tags, "at most three tags") { $0.count <= 3 }
}

/// Tests keys that the store writes as JSON text, in editing contexts.
@Suite(.allEngines) struct StructuredRowTests {
  private let adapter = ManagedRowAdapter<Album>()
  private let albums = [
    Album(id: 1),
    Album(
      id: 2, tags: ["é", "a\u{1}b", "\"/"], counts: ["b": 1, "a": -2],
      days: [Date(timeIntervalSinceReferenceDate: 86_400)], labels: ["z", "a", "m"],
      span: Span(start: 3, mark: "kept"),
      tracks: [Track(id: 1, tags: ["intro"]), Track(id: 2)]),
  ]

  private func store() throws -> ModelStore { try emptyStore(Album.self) }

  @Test func modelsComeBackFromRowsEqualBeforeAndAfterSaving() throws {
    let store = try store()
    let context = EditingContext(store)

    let rows = try adapter.rows(from: albums, in: context)

    #expect(try adapter.models(from: rows) == albums)
    try context.save()
    #expect(try adapter.models(from: rows) == albums)
    #expect(try adapter.models(from: EditingContext(store).fetch("Album")) == albums)
    #expect(try store.fetch(ModelRequest<Album>()) == albums)
  }

  @Test func rowsThatWereSavedAsModelsAreTheSameInContexts() throws {
    let store = try store()
    try store.write { try $0.save(albums) }
    let context = EditingContext(store)

    try adapter.rows(from: albums, in: context)

    #expect(!context.hasChanges, "\(context.pendingChanges)")
  }

  @Test func changesAreSeenUndoneAndSaved() throws {
    let store = try store()
    try store.write { try $0.save(albums) }
    let context = EditingContext(store)
    let row = try #require(try context.fetch("Album").last)
    var album = albums[1]
    album.tags = ["new"]
    album.counts["a"] = 3

    try adapter.row(from: album, in: context)
    #expect(row.changedKeys == ["tags", "counts"])
    #expect(row.changedValues["tags"] == .string(#"["new"]"#))
    #expect(try adapter.model(from: row) == album)
    context.undo()
    #expect(!context.hasChanges)
    #expect(try adapter.model(from: row) == albums[1])
    context.redo()
    try context.save()

    #expect(try store.fetch(ModelRequest<Album>()) == [albums[0], album])
  }

  @Test func rowsTakeValuesByPropertyAndByName() throws {
    let store = try store()
    try store.write { try $0.save(albums) }
    let context = EditingContext(store)
    let row = try #require(try context.fetch("Album").first)

    try row.set(\Album.tags, to: ["one", "two"])
    try row.set("counts", to: ["x": 7])
    try row.set(\Album.span, to: Span(start: 5, mark: "m"))

    #expect(try row[\Album.tags] == ["one", "two"])
    #expect(try row[\Album.span] == Span(start: 5, mark: "m"))
    #expect(try row.value("counts", as: [String: Int].self) == ["x": 7])
    #expect(try row["counts"] == .string(#"{"x":7}"#))
    try context.save()
    let album = try #require(try store.fetch(ModelRequest<Album>()).first)
    #expect(
      album
        == Album(id: 1, tags: ["one", "two"], counts: ["x": 7], span: Span(start: 5, mark: "m")))
  }

  @Test func partialModelsAndValidationsMeetThem() throws {
    let store = try store()
    try store.write { try $0.save(albums) }
    let context = EditingContext(store)
    let row = try #require(try context.fetch("Album").last)
    var change = Partial<Album>()
    change[\.labels] = ["only"]
    change[\.days] = .some(nil)

    try adapter.update(row, from: change)
    #expect(row.changedKeys == ["days", "labels"])
    try row.set(\Album.tags, to: ["1", "2", "3", "4"])
    let error = #expect(throws: RowValidationError.self) { try context.save() }
    #expect(error?.failures.map(\.keys) == [["tags"]])
    #expect(error?.failures.first?.expected == "at most three tags")

    try row.set("tags", to: .string("no JSON"))
    #expect(throws: RowValidationError.self) { try context.save() }
    #expect(throws: MappingError.self) { try adapter.model(from: row) }
  }
}
