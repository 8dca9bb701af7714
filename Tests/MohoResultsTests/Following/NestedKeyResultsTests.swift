import MohoChanges
import MohoMapping
import MohoResults
import MohoRows
import StoreTesting
import Testing

private struct Rating: MappedModel, Hashable {
  var stars: Int
  var note: String?

  static let mapping = Mapping(
    "Rating", Rating.init, .key("stars", \.stars), .key("note", \.note))
}

private struct Song: MappedModel, Hashable {
  var id: Int
  var rating: Rating?

  static let mapping = Mapping(
    "Song", Song.init, .key("id", \.id, .unique), .key("rating", \.rating))
}

/// Results whose conditions, orderings and sections read keys of nested models.
@Suite(.allEngines) struct NestedKeyResultsTests {
  private let store: ModelStore
  private let songs = ModelRequest<Song>()

  init() throws {
    store = try emptyStore(Song.self)
    try save([
      Song(id: 1, rating: Rating(stars: 5)), Song(id: 2, rating: Rating(stars: 3)),
      Song(id: 3, rating: nil),
    ])
  }

  private func save(_ songs: [Song]) throws {
    try store.write { try $0.save(songs) }
  }

  @Test func `a change of a nested model inserts and deletes rows`() throws {
    let controller = try ResultsController(songs.filter { $0.rating.stars > 3 }, in: store)
    #expect(try controller.snapshot.models().map(\.id) == [1])

    try save([Song(id: 2, rating: Rating(stars: 4))])
    #expect(try controller.snapshot.models().map(\.id) == [1, 2])

    try save([Song(id: 1, rating: nil), Song(id: 3, rating: Rating(stars: 4))])
    #expect(try controller.snapshot.models().map(\.id) == [2, 3])
  }

  @Test func `a change that a condition does not read changes the key of the nested model`() throws
  {
    let controller = try ResultsController(songs.filter { $0.rating.stars > 3 }, in: store)

    try save([Song(id: 1, rating: Rating(stars: 5, note: "loud"))])

    #expect(controller.lastTransition.changes.rows.map(\.rowID) == [1])
    #expect(controller.lastTransition.changes.rows.map(\.changedKeys) == [["rating"]])
    #expect(try controller.snapshot.models().first?.rating?.note == "loud")
  }

  @Test func `a change of a nested model moves rows and sections`() throws {
    let request = songs.order { $0.rating.stars }
    let controller = try ResultsController(
      request, in: store, sectionedBy: { $0.rating.stars })
    #expect(controller.snapshot.sections.map(\.key) == [.null, .integer(3), .integer(5)])

    try save([Song(id: 3, rating: Rating(stars: 9)), Song(id: 2, rating: Rating(stars: 5))])

    #expect(controller.snapshot.sections.map(\.key) == [.integer(5), .integer(9)])
    #expect(try controller.snapshot.models().map(\.id) == store.fetch(request).map(\.id))
    #expect(try controller.snapshot.models().map(\.id) == [1, 2, 3])
  }
}
