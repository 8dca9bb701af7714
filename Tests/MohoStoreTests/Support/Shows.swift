import Foundation
import MohoMapping
import MohoRows
import StoreTesting

/// Related models: shows, podcasts and chapters.
enum Shows {
  /// A model that other models refer to by a text key.
  struct Podcast: MappedModel, Equatable {
    var guid: String
    var title: String
    var isActive = true
    var rank: Int?
    var count = 0

    static let mapping = Mapping(
      "Podcast", Podcast.init,
      .key("guid", \.guid, .unique),
      .key("title", \.title),
      .key("isActive", \.isActive),
      .key("rank", \.rank),
      .key("count", \.count))
  }

  /// A model with an optional to-one relation and a to-many relation.
  struct Show: MappedModel, Equatable {
    var id: Int
    var title: String
    var season: Int?
    var number: Int
    var length: Double
    var price: Decimal?
    var publishedAt: Date
    var podcast: ModelReference<Podcast>?
    var chapters: [ModelReference<Chapter>]

    static let mapping = Mapping<Show>(
      "Show", Show.init,
      .key("id", \.id, .unique),
      .key("title", \.title),
      .key("season", \.season, .indexed),
      .key("number", \.number),
      .key("length", \.length),
      .key("price", \.price),
      .key("publishedAt", \.publishedAt),
      .toOne("podcast", \.podcast),
      .toMany("chapters", \.chapters, inverse: "show", onDelete: .cascade))
  }

  struct Chapter: MappedModel, Equatable {
    var id: Int
    var title: String
    var start: Double
    var show: ModelReference<Show>?

    static let mapping = Mapping(
      "Chapter", Chapter.init,
      .key("id", \.id, .unique),
      .key("title", \.title),
      .key("start", \.start),
      .toOne("show", \.show, inverse: "chapters"))
  }
}

extension ModelStore {
  /// Creates a store with shows, podcasts and chapters:
  ///
  /// | show | season | number | length | price | podcast | chapters (start) |
  /// |---|---|---|---|---|---|---|
  /// | 1 "Swift" | 1 | 1 | 60 | 1.50 | a | Intro (0), Outro (50) |
  /// | 2 "été" | nil | 2 | 30 | nil | a | |
  /// | 3 "Élan" | 2 | 2 | 45 | 10 | b, inactive | Intro (5) |
  /// | 4 "apple" | 2 | 5 | 90 | 9 | none | Middle (95) |
  static func shows() throws -> ModelStore {
    let store = try emptyStore(Shows.Show.self, Shows.Podcast.self, Shows.Chapter.self)
    try store.execute(
      """
      INSERT INTO "Podcast" (_moho_id, guid, title, "isActive", rank, count) VALUES
        (7, 'a', 'Alpha', TRUE, 3, 2), (8, 'b', 'Beta', FALSE, NULL, 1)
      """)
    func show(
      _ id: Int, _ title: String, _ season: Int?, _ number: Int, _ length: Double,
      _ price: Decimal?, _ podcast: String?
    ) throws -> Shows.Show {
      Shows.Show(
        id: id, title: title, season: season, number: number, length: length, price: price,
        publishedAt: Date(timeIntervalSinceReferenceDate: Double(id) * 1_000),
        podcast: try podcast.map { try ModelReference(key: $0) },
        chapters: [])
    }
    try store.write { writer in
      try writer.save([
        show(1, "Swift", 1, 1, 60, Decimal(string: "1.50"), "a"),
        show(2, "été", nil, 2, 30, nil, "a"),
        show(3, "Élan", 2, 2, 45, 10, "b"),
        show(4, "apple", 2, 5, 90, 9, nil),
      ])
      try writer.save([
        Shows.Chapter(id: 1, title: "Intro", start: 0, show: ModelReference(key: 1)),
        Shows.Chapter(id: 2, title: "Outro", start: 50, show: ModelReference(key: 1)),
        Shows.Chapter(id: 3, title: "Intro", start: 5, show: ModelReference(key: 3)),
        Shows.Chapter(id: 4, title: "Middle", start: 95, show: ModelReference(key: 4)),
      ])
    }
    return store
  }
}
