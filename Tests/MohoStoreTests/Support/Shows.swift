import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite

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
    let store = try ModelStore(inMemory: Shows.Show.self, Shows.Podcast.self, Shows.Chapter.self)
    try store.writer.write { database in
      try database.execute(
        sql: """
          INSERT INTO Podcast (_moho_id, guid, title, isActive, rank, count) VALUES
            (7, 'a', 'Alpha', 1, 3, 2), (8, 'b', 'Beta', 0, NULL, 1);
          INSERT INTO Show (id, title, season, number, length, price, publishedAt, podcast) VALUES
            (1, 'Swift', 1, 1, 60.0, '1.50', 1000.0, 7), (2, 'été', NULL, 2, 30.0, NULL, 2000.0, 7),
            (3, 'Élan', 2, 2, 45.0, '10', 3000.0, 8), (4, 'apple', 2, 5, 90.0, '9', 4000.0, NULL);
          INSERT INTO Chapter (id, title, start, show) VALUES
            (1, 'Intro', 0.0, 1), (2, 'Outro', 50.0, 1), (3, 'Intro', 5.0, 3),
            (4, 'Middle', 95.0, 4);
          """)
    }
    return store
  }
}
