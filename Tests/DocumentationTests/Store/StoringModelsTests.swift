import DocumentationTesting
import Foundation
import Moho
import Testing

/// The code of the article "Storing models", compiled and run.
@Suite struct StoringModelsTests: ArticleTests {
  let article = Article("Sources/MohoRows/MohoRows.docc/StoringModels.md")
  let transcript = Transcript()

  // snippet
  struct Podcast: MappedModel {
    var id: Int
    var title: String
    var feed: URL?

    static let mapping = Mapping(
      "Podcast", Podcast.init,
      .key("id", \.id, .unique), .key("title", \.title), .key("feed", \.feed, .unique))
  }

  struct Episode: MappedModel {
    var id: Int
    var title: String
    var season: Int?
    var podcast: ModelReference<Podcast>?
    var chapters: [Chapter] = []

    static let mapping = Mapping(
      "Episode", Episode.init,
      .key("id", \.id, .unique), .key("title", \.title), .key("season", \.season, .indexed),
      .toOne("podcast", \.podcast),
      .toMany(
        "chapters", \.chapters, inverse: "episode", onDelete: .cascade,
        linkPolicy: .replace(removed: .delete)))
  }

  struct Chapter: MappedModel {
    var id: Int
    var title: String
    var episode: ModelReference<Episode>?

    static let mapping = Mapping(
      "Chapter", Chapter.init,
      .key("id", \.id, .unique), .key("title", \.title),
      .toOne("episode", \.episode, inverse: "chapters"))
  }
  // end

  // snippet
  struct Feed: MappedModel {
    var url: String
    var items: [Item]

    static let mapping = Mapping(
      "Feed", Feed.init,
      .key("url", \.url, .unique),
      .toMany(
        "items", \.items, inverse: "feed", onDelete: .cascade,
        linkPolicy: .replace(removed: .delete)))
  }

  struct Item: MappedModel {
    var feed: ModelReference<Feed>?
    var number: Int
    var title: String

    static let mapping = Mapping(
      "Item", Item.init,
      .toOne("feed", \.feed, inverse: "items"), .key("number", \.number), .key("title", \.title)
    )
    .identified(by: \.feed, \.number)
  }
  // end

  // snippet
  struct Playlist: MappedModel {
    var id: Int
    var songs: [Song]

    static let mapping = Mapping(
      "Playlist", Playlist.init, .key("id", \.id, .unique), .toMany("songs", \.songs)
    ).validating("songs of at most an hour") { $0.songs.reduce(0) { $0 + $1.minutes } <= 60 }
  }

  struct Song: MappedModel {
    var id: Int
    var minutes: Int

    static let mapping = Mapping(
      "Song", Song.init, .key("id", \.id, .unique), .key("minutes", \.minutes))
  }
  // end

  /// A store with a podcast and its episodes.
  private func filledStore() throws -> ModelStore {
    let store = try ModelStore(inMemory: Podcast.self, Episode.self)
    try store.write { writer in
      try writer.save(Podcast(id: 1, title: "Deep Time"))
      try writer.save([
        Episode(
          id: 7, title: "Basalt", season: 4, podcast: ModelReference(key: 1),
          chapters: [Chapter(id: 70, title: "Magma"), Chapter(id: 71, title: "Dikes")]),
        Episode(id: 8, title: "Gneiss", season: 4),
      ])
    }
    return store
  }

  @Test func schema() throws {
    // snippet
    let store = try ModelStore(inMemory: Podcast.self, Episode.self)
    print(store.schema.statements[0])
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func saving() throws {
    let store = try ModelStore(inMemory: Podcast.self, Episode.self)
    // snippet
    let podcast = Podcast(id: 1, title: "Deep Time")
    let episodes = [
      Episode(
        id: 7, title: "Basalt", season: 4, podcast: try ModelReference(to: podcast),
        chapters: [Chapter(id: 70, title: "Magma"), Chapter(id: 71, title: "Dikes")]),
      Episode(id: 8, title: "Gneiss", season: 4),
    ]
    let report = try store.write { writer in
      try writer.save(podcast) + writer.save(episodes)
    }
    print(report.inserted, "new")

    let again = try store.write { try $0.save(episodes) }
    print(again.updated, "changed,", again.unchanged, "equal")
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func rulesOverRelatedRows() throws {
    // snippet
    let store = try ModelStore(inMemory: Playlist.self)
    let songs = [Song(id: 1, minutes: 20), Song(id: 2, minutes: 30)]
    try store.write { try $0.save(Playlist(id: 1, songs: songs)) }
    do {
      try store.write { try $0.save(Song(id: 2, minutes: 45)) }
    } catch let error as MappingError {
      print(error)
    }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func identifying() throws {
    // snippet
    let store = try ModelStore(inMemory: Feed.self)
    let feeds = ["geology", "oceans"].map { url in
      Feed(url: url, items: [Item(number: 0, title: "Trailer"), Item(number: 1, title: "Pilot")])
    }
    print(try store.write { try $0.save(feeds) }.inserted, "new")

    let pilot = Item(feed: try ModelReference(key: "oceans"), number: 1, title: "Deep Water")
    print(try store.plan(saving: [pilot]))
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func importing() throws {
    let store = try filledStore()
    // snippet
    let feed = Data(
      #"{"items": [{"id": 1, "title": "Deep Time"}, {"id": 2, "title": "Slow Rock"}]}"#.utf8)
    let fields = JSONAdapter<Podcast>().fields(from: feed, at: "items")
    let imported = try store.write { try $0.save(decoding: fields) }
    print(imported.inserted, "new,", imported.updated, "changed,", imported.unchanged, "equal")
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func asynchronousCode() async throws {
    let store = try ModelStore(inMemory: Podcast.self, Episode.self)
    // snippet
    let library = (1...2_500).map { Podcast(id: $0, title: "Podcast \($0)") }
    let importing = Task {
      try await store.write { writer in
        try writer.save(library) { progress in
          print("saved \(progress.completedModels) of \(library.count)")
        }
      }
    }
    print(try await importing.value.inserted, "new")
    print(try await store.fetchCount(ModelRequest<Podcast>()), "podcasts")
    // end
    try article.expectOutput(of: transcript)
    // snippet
    do {
      try await store.write { writer in
        try writer.delete(ModelRequest<Podcast>())
        try writer.save(library) { progress in
          if progress.fraction ?? 0 > 0.5 { throw CancellationError() }
        }
      }
    } catch is CancellationError {
      print(try await store.fetchCount(ModelRequest<Podcast>()), "podcasts are still stored")
    }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func updating() throws {
    let store = try filledStore()
    // snippet
    var change = Partial<Episode>()
    change[\.id] = 7
    change[\.season] = nil
    try store.write { try $0.update([change]) }

    let episode = try store.fetchFirst(ModelRequest<Episode>().filter { $0.id == 7 })
    print(episode?.title ?? "", episode?.season as Any)
    // end
    try article.expectOutput(of: transcript)

    // snippet
    let adapter = JSONAdapter<Podcast>()
    let partials = try adapter.partials(
      from: #"[{"id": 1, "title": "Deeper Time"}, {"id": 3, "title": "Magma"}]"#)
    print(try store.write { try $0.upsert(partials) })
    do {
      let incomplete = try adapter.partials(from: #"[{"id": 4, "feed": null}]"#)
      try store.write { try $0.upsert(incomplete) }
    } catch let error as StoreError {
      print(error.keys, error.reason)
    }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func commits() async throws {
    let store = try filledStore()
    // snippet
    let commits = try await store.commits()
    try await store.write { try $0.save(Episode(id: 10, title: "Schist", season: 5)) }
    for try await commit in commits.prefix(1) {
      for (table, rows) in commit.rows { print(table, rows) }
    }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func mirroring() throws {
    let store = try filledStore()
    // snippet
    let season = ModelRequest<Episode>().filter { $0.season == 4 }
    do {
      try store.write { try $0.save([], mode: .mirror(season, deletingAtMost: 0.5)) }
    } catch let error as StoreError {
      print(error)
    }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func planning() throws {
    let store = try filledStore()
    // snippet
    let incoming = [
      Episode(
        id: 7, title: "Basalt and tuff", season: 4, podcast: try ModelReference(key: 1),
        chapters: [Chapter(id: 70, title: "Magma")]),
      Episode(id: 9, title: "Slate", season: 5),
    ]
    let plan = try store.plan(saving: incoming)
    print(plan)
    try store.apply(plan)
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func deleting() throws {
    let store = try filledStore()
    // snippet
    let deleted = try store.write { try $0.delete(ModelRequest<Episode>().filter { $0.id == 7 }) }
    print(deleted, "episode,", try store.fetchCount(ModelRequest<Chapter>()), "chapters left")
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func errors() throws {
    let store = try ModelStore(inMemory: Podcast.self, Episode.self)
    // snippet
    func attempt(_ work: (StoreWriter) throws -> Void) throws {
      do {
        try store.write(work)
      } catch let error as StoreError {
        print(error)
      }
    }

    let feed = URL(string: "https://example.org/a")
    try attempt {
      try $0.save([
        Podcast(id: 1, title: "Deep Time", feed: feed), Podcast(id: 2, title: "Crust", feed: feed),
        Podcast(id: 3, title: "Mantle", feed: feed),
      ])
    }
    try attempt { try $0.save(Episode(id: 7, title: "Basalt", podcast: ModelReference(key: 3))) }
    print(try store.fetchCount(ModelRequest<Podcast>()), "podcasts")
    // end
    try article.expectOutput(of: transcript)
  }

  private struct Review: MappedModel {
    var stars: Int

    static let mapping = Mapping<Review>("Review", Review.init, .key("stars", \.stars))
      .validating(\.stars, "1 to 5 stars") { (1...5).contains($0) }
  }

  @Test func invalidModelsAreNotSaved() throws {
    let store = try ModelStore(inMemory: Review.self)

    let error = #expect(throws: MappingError.self) {
      try store.write { try $0.save(Review(stars: 9)) }
    }

    #expect(error?.code == .failedValidation)
  }

  @Test func rowsWrittenBySQLAreValidatedWhenTheyAreRead() throws {
    let store = try ModelStore(inMemory: Review.self)

    try store.write { try $0.execute(sql: "INSERT INTO Review (stars) VALUES (9)") }

    let error = #expect(throws: MappingError.self) { try store.fetch(ModelRequest<Review>()) }
    #expect(error?.code == .failedValidation)
  }

  @Test func theArticleMatchesTheCode() throws {
    try article.expectCode()
  }
}
