import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// Rules that read the order of links, merged links and the keys of references.
@Suite(.allEngines) struct RelatedRuleLinkTests {
  private struct Song: MappedModel, Equatable {
    var title: String
    var minutes: Int

    static let mapping = Mapping(
      "Song", Song.init, .key("title", \.title, .unique), .key("minutes", \.minutes))
  }

  private struct Playlist: MappedModel {
    var id: Int
    var songs: [Song]
    var favorite: ModelReference<Song>?

    static let mapping = Mapping(
      "Playlist", Playlist.init, .key("id", \.id, .unique),
      .toMany("songs", \.songs, linkPolicy: .merge), .toOne("favorite", \.favorite)
    )
    .validating("longer songs first") { list in
      zip(list.songs, list.songs.dropFirst()).allSatisfy { $0.minutes >= $1.minutes }
    }
    .validating("a favorite other than Tuff") { $0.favorite?.key != .string("Tuff") }
  }

  private let store: ModelStore
  private let playlist = RowIdentity(entity: "Playlist", stored: 1)

  init() throws {
    store = try emptyStore(Playlist.self)
    try store.write { writer in
      let songs = [Song(title: "Basalt", minutes: 9), Song(title: "Gneiss", minutes: 5)]
      try writer.save(Playlist(id: 1, songs: songs, favorite: try ModelReference(to: songs[0])))
    }
  }

  private func expectRefusal(_ expectation: String, _ body: () throws -> Void) {
    let error = #expect(throws: MappingError.self) { try body() }
    #expect(error?.row == "\(playlist)")
    #expect(error?.expected == expectation)
  }

  @Test func mergedLinksAreChecked() throws {
    let list = Playlist(
      id: 1, songs: [Song(title: "Slate", minutes: 7)],
      favorite: try ModelReference(key: "Basalt"))

    expectRefusal("longer songs first") { try store.write { _ = try $0.save(list) } }
    expectRefusal("longer songs first") { _ = try store.plan(saving: [list]) }
    expectRefusal("longer songs first") {
      try store.write { _ = try $0.update([Partial(list, only: \.id, \.songs)]) }
    }
  }

  @Test func anOrderIsChecked() throws {
    let context = EditingContext(store)
    let row = try context.row(playlist)
    try row.move(in: "songs", from: 0, to: 1)

    let error = #expect(throws: RowValidationError.self) { try context.save() }
    #expect(error?.failures.map(\.row) == [playlist])

    try row.relatedRows("songs")[0].set("minutes", to: 10)
    try context.save()
    #expect(try store.fetch(ModelRequest<Playlist>())[0].songs.map(\.minutes) == [10, 9])
  }

  @Test func theKeyOfAReferenceIsChecked() throws {
    try store.write { try $0.save(Song(title: "Marl", minutes: 1)) }

    try store.execute("UPDATE \"Song\" SET title = 'Lava' WHERE title = 'Marl'")
    expectRefusal("a favorite other than Tuff") {
      try store.execute("UPDATE \"Song\" SET title = 'Tuff' WHERE title = 'Basalt'")
    }
    let context = EditingContext(store)
    try context.fetch(ModelRequest<Song>().filter { $0.title == "Basalt" })[0]
      .set("title", to: "Tuff")
    let error = #expect(throws: RowValidationError.self) { try context.save() }
    #expect(error?.failures.map(\.row) == [playlist])
  }

  @Test func rowsThatWereWrittenWithoutAChangeAreNotChecked() throws {
    try store.executeWithoutRules("UPDATE \"Song\" SET minutes = 4 WHERE title = 'Basalt'")

    try store.execute("UPDATE \"Song\" SET minutes = 5 WHERE title = 'Gneiss'")
    try store.write { writer in
      try writer.save(Song(title: "Gneiss", minutes: 3))
      try writer.save(Song(title: "Gneiss", minutes: 5))
    }

    expectRefusal("longer songs first") {
      try store.write { _ = try $0.save(Song(title: "Gneiss", minutes: 6)) }
    }
    try store.write { _ = try $0.save(Song(title: "Gneiss", minutes: 4)) }
  }
}
