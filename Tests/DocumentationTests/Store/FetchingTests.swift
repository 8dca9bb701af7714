import DocumentationTesting
import Foundation
import Moho
import Testing

/// The code of the article "Fetching", compiled and run.
@Suite struct FetchingTests: ArticleTests {
  let article = Article("Sources/MohoRows/MohoRows.docc/Fetching.md")
  let transcript = Transcript()
  let store: ModelStore

  // snippet
  struct Podcast: MappedModel {
    var id: Int
    var title: String
    var isActive: Bool

    static let mapping = Mapping(
      "Podcast", Podcast.init,
      .key("id", \.id, .unique), .key("title", \.title), .key("isActive", \.isActive))
  }

  struct Episode: MappedModel {
    var id: Int
    var title: String
    var season: Int?
    var minutes: Double
    var podcast: ModelReference<Podcast>?
    var chapters: [Chapter]

    static let mapping = Mapping(
      "Episode", Episode.init,
      .key("id", \.id, .unique), .key("title", \.title), .key("season", \.season),
      .key("minutes", \.minutes), .toOne("podcast", \.podcast), .toMany("chapters", \.chapters))
  }

  struct Chapter: MappedModel {
    var id: Int
    var title: String
    var start: Double

    static let mapping = Mapping(
      "Chapter", Chapter.init,
      .key("id", \.id, .unique), .key("title", \.title), .key("start", \.start))
  }
  // end

  init() throws {
    // snippet
    let store = try ModelStore(inMemory: Podcast.self, Episode.self)
    try store.write { writer in
      try writer.save([
        Podcast(id: 1, title: "Deep Time", isActive: true),
        Podcast(id: 2, title: "Crust", isActive: false),
      ])
      try writer.save([
        Episode(
          id: 7, title: "Basalt", season: 4, minutes: 42, podcast: ModelReference(key: 1),
          chapters: [
            Chapter(id: 70, title: "Magma", start: 0), Chapter(id: 71, title: "Dikes", start: 20),
          ]),
        Episode(
          id: 8, title: "Gneiß", season: 4, minutes: 30, podcast: ModelReference(key: 2),
          chapters: [Chapter(id: 80, title: "Pressure", start: 0)]),
        Episode(id: 9, title: "Éclogite", season: nil, minutes: 50, podcast: nil, chapters: []),
      ])
    }
    // end
    self.store = store
  }

  @Test func requests() throws {
    // snippet
    let request = ModelRequest<Episode>()
      .filter { $0.season == 4 && $0.minutes > 35 }
      .order(by: \.title)
      .limit(20)
    for episode in try store.fetch(request) { print(episode.title, episode.chapters.count) }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func conditions() throws {
    // snippet
    let all = ModelRequest<Episode>()
    let conditions: [Filter] = [
      all.filter { $0.season == nil }.filter,
      all.filter { $0.id.isOne(of: [7, 9]) && !($0.minutes < 45) }.filter,
      all.filter { $0.minutes.isBetween(30..<45) }.filter,
      all.filter { $0.title.contains("eclo", [.caseInsensitive, .diacriticInsensitive]) }.filter,
      all.filter { $0.title.like("B*t") || $0.title.matches("[A-G].+ß") }.filter,
    ]
    for condition in conditions { print(condition) }
    // end
    try article.expectOutput(of: transcript)
    #expect(try store.fetchCount(all.filter { $0.season == nil }) == 1)
    #expect(
      try store.fetch(
        all.filter { $0.title.contains("eclo", [.caseInsensitive, .diacriticInsensitive]) }
      ).map(\.id) == [9])
  }

  @Test func relationships() throws {
    // snippet
    let active = ModelRequest<Episode>().filter {
      $0.podcast.isActive == true && $0.chapters.any { $0.start > 10 }
    }
    let longest = ModelRequest<Episode>()
      .order(.descending) { $0.chapters.count }
      .order { $0.podcast.title }
    print(try store.fetch(active).map(\.id), try store.fetch(longest).map(\.id))

    let podcast = try ModelReference<Podcast>(key: 2)
    print(try store.fetch(ModelRequest<Episode>().filter { $0.podcast.isRow(podcast) }).map(\.id))
    // end
    try article.expectOutput(of: transcript)
  }

  // snippet
  struct Card: MappedModel {
    var title: String
    var url: URL?
    var size: Int

    static let mapping = Mapping(
      "Card", Card.init,
      .key("title", \.title), .key("url", \.url), .key("size", \.size, default: 0))
  }

  struct Post: MappedModel {
    var id: Int
    var card: Card?

    static let mapping = Mapping(
      "Post", Post.init, .key("id", \.id, .unique), .key("card", \.card))
  }
  // end

  @Test func nestedModels() throws {
    // snippet
    let store = try ModelStore(inMemory: Post.self)
    let url = URL(string: "https://example.com/basalt")
    try store.write { writer in
      try writer.save([
        Post(id: 1, card: Card(title: "Basalt", url: url, size: 40)),
        Post(id: 2, card: Card(title: "Gneiß", url: nil, size: 7)),
        Post(id: 3, card: nil),
      ])
    }
    let posts = ModelRequest<Post>()
    print(try store.fetchIdentities(posts.filter { $0.card.size > 10 || $0.card == nil }))
    print(try store.fetchIdentities(posts.filter { $0.card.url == nil }))
    print(try store.fetchValues(posts.order(.descending) { $0.card.size }) { [$0.card.title] })
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func orders() throws {
    // snippet
    let titles = ["Part 10", "Part 2", "ärla", "zoo", "Ash", "ash"]
    try store.write { writer in
      try writer.save(
        titles.enumerated().map { Podcast(id: 10 + $0, title: $1, isActive: false) })
    }
    let podcasts = ModelRequest<Podcast>().filter { $0.id >= 10 }
    let (english, swedish) = (Locale(identifier: "en"), Locale(identifier: "sv"))
    let requests = [
      podcasts.order(by: \.title),
      podcasts.order(by: \.title, options: [.caseInsensitive, .diacriticInsensitive]),
      podcasts.order(by: \.title, collation: .localized(in: english)),
      podcasts.order(by: \.title, collation: .localizedStandard(in: swedish)),
    ]
    for request in requests { print(try store.fetch(request).map(\.title)) }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func firstRows() throws {
    // snippet
    let longest = ModelRequest<Episode>()
      .order(by: \.minutes, .descending)
      .first(1, per: { [$0.season] })
    print(try store.fetch(longest).map(\.title), try store.fetchCount(longest))
    print(try store.fetch(longest.filter { $0.id < 9 }.limit(1)).map(\.title))
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func values() throws {
    // snippet
    let episodes = ModelRequest<Episode>().order(by: \.id)
    let rows = try store.fetchValues(episodes) { [$0.title, $0.podcast.title, $0.minutes * 60] }
    for row in rows { print(row) }
    print(try store.fetchValues(ModelRequest<Episode>().distinct()) { [$0.season] })
    // end
    try article.expectOutput(of: transcript)

    // snippet
    print(try store.fetchAggregates(episodes) { [.count, .sum($0.minutes), .maximum($0.title)] })
    let seasons = try store.fetchAggregates(episodes, groupedBy: { [$0.season] }) {
      [.count, .sum($0.minutes)]
    }
    for season in seasons { print(season) }
    // end
    try article.expectOutput(of: transcript)

    // snippet
    let longest = episodes.grouped(by: { [$0.season] }) { [.count, .sum($0.minutes)] }
      .having { .sum($0.minutes) > 40 }
      .order(.descending) { _ in .count }
    for season in try store.fetchGroups(longest) { print(season) }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func batches() throws {
    // snippet
    try store.read { reader in
      print(
        try reader.fetchCount(ModelRequest<Episode>()), try reader.exists(ModelRequest<Podcast>()))
      try reader.forEachBatch(of: ModelRequest<Episode>().order(by: \.id).batchSize(2)) { batch in
        print(batch.map(\.title))
      }
    }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func rows() throws {
    // snippet
    let request = RowRequest("Episode")
      .filter { $0["minutes"] >= 40 && $0["podcast"]["title"].hasPrefix("D") }
    print(try store.fetchValues(request) { [$0["title"]] })
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func errors() throws {
    // snippet
    do {
      _ = try store.fetchCount(RowRequest("Episode").filter { $0["titel"] == "Basalt" })
    } catch let error as StoreError {
      print(error)
    }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func explaining() throws {
    // snippet
    let request = ModelRequest<Episode>().filter { $0.season == 4 }.order(by: \.title)
    print(try store.explain(request))
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func usingSQL() throws {
    // snippet
    let wordy = try store.fetch(
      Episode.self, sql: "SELECT * FROM Episode WHERE length(title) > $1", arguments: [5])
    for episode in wordy { print(episode.title, episode.chapters.count) }

    let titles = try store.fetchPartials(
      Episode.self, sql: "SELECT lower(title) AS title, podcast FROM Episode ORDER BY minutes")
    for partial in titles { print(partial) }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func theArticleMatchesTheCode() throws {
    try article.expectCode()
  }
}
