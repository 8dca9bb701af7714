import Campaigns
import Foundation
import GRDB
import MohoJSON
import MohoMapping
import MohoRows
import MohoSQLite
import MohoTesting
import StoreTesting
import Testing

/// Writes rows in all ways, in random transactions.
@Suite(.allEngines) struct RandomSearchIndexTests {
  private typealias Podcast = SearchingTests.Podcast
  private typealias Episode = SearchingTests.Episode
  private typealias Chapter = SearchingTests.Chapter

  private static let seeds = Campaign.seeds(
    from: "MOHO_RANDOM_SEED", count: Campaign.count(short: 4, full: 120))

  private struct Abandoned: Error {}

  private static let words = ["moon", "sun", "io", "mars", "éclogite", "rock", "sea"]

  @Test(arguments: seeds)
  func theIndexIsThatOfTheStoredRows(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try emptyStore(Podcast.self, Episode.self)
    for step in 0..<25 {
      let comment = Comment(rawValue: "seed \(seed), step \(step)")
      var kinds: [Int] = []
      let isAbandoned = random.oneIn(5)
      do {
        try store.write { writer in
          for _ in 0...random.below(4) {
            kinds.append(random.below(15))
            try Self.change(kinds.last ?? 0, store, writer, &random)
            try Self.expectFound(writer, &random, "\(comment), \(kinds)")
          }
          if isAbandoned { throw Abandoned() }
        }
      } catch is Abandoned {}
      // On PostgreSQL, no trigger updates the index.
      if store.isOnPostgres { continue }
      let differences = try store.writer.writeWithoutTransaction { database in
        try SearchIndexCheck.differences(in: database)
      }
      try #require(differences == [], "\(comment), \(kinds)")
    }
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    (0..<random.below(4)).map { _ in random.one(of: words) }.joined(separator: " ")
  }

  private static func podcasts(_ random: inout SeededGenerator) -> [Podcast] {
    (0..<random.below(20)).map { _ in Podcast(id: random.below(12), name: text(&random)) }
  }

  private static func episodes(_ random: inout SeededGenerator) throws -> [Episode] {
    try (0..<random.below(20)).map { _ in
      Episode(
        guid: "\(random.below(25))", title: text(&random),
        summary: random.oneIn(3) ? nil : text(&random), season: random.below(3),
        podcast: random.oneIn(2) ? nil : try ModelReference(key: random.below(12)),
        chapters: (0..<random.below(4)).map { _ in
          Chapter(id: random.below(40), rank: text(&random))
        })
    }
  }

  private static func change(
    _ kind: Int, _ store: ModelStore, _ writer: StoreWriter, _ random: inout SeededGenerator
  ) throws {
    switch kind {
    case 0, 1:
      // A link to a podcast needs its row.
      try writer.save((0..<12).map { Podcast(id: $0, name: text(&random)) })
      try writer.save(try episodes(&random))
    case 2: try writer.save(podcasts(&random))
    case 3:
      let list = podcasts(&random)
      let fields = JSONAdapter<Podcast>().fields(from: try JSONAdapter<Podcast>().data(from: list))
      try writer.save(decoding: fields)
    case 4:
      // The sequence searches for the rows that have been saved.
      var other = random
      let list = AnySequence(podcasts(&random)).lazy.map { podcast in
        #expect(throws: Never.self) { try expectFound(writer, &other, "in a sequence") }
        return podcast
      }
      try writer.save(list)
    case 5: _ = try writer.update(podcasts(&random).map { Partial($0) })
    case 6:
      try writer.save((0..<12).map { Podcast(id: $0, name: text(&random)) })
      _ = try writer.upsert(try episodes(&random).map { Partial($0) })
    case 7: _ = try writer.upsert(podcasts(&random).map { Partial($0) })
    case 8:
      let chapters = (0..<random.below(9)).map { _ in Chapter(id: random.below(40), rank: "") }
      _ = try writer.delete(chapters)
      _ = try writer.delete(try episodes(&random).prefix(3))
    case 9:
      let word = random.one(of: words)
      _ = try writer.delete(ModelRequest<Episode>().filter { $0.matches(word) && $0.season == 1 })
    case 10:
      try? store.write { inner in
        try inner.save(podcasts(&random))
        try inner.save(Podcast(id: 1, name: text(&random)))
        throw Abandoned()
      }
    case 11:
      let context = EditingContext(store)
      try ManagedRowAdapter<Podcast>().rows(from: podcasts(&random), in: context)
      try context.save()
    case 12:
      let request = ModelRequest<Chapter>().filter { $0.id < 20 }
      let chapters = (0..<random.below(30)).map { _ in
        Chapter(id: random.below(20), rank: text(&random))
      }
      try writer.save(chapters, mode: .mirror(request, deletingAtMost: 1))
    case 13:
      try writer.executeUndone(
        "DELETE FROM \"Podcast\" WHERE id > 5; UPDATE \"Chapter\" SET rank = 'moon'")
      _ = try writer.plan(saving: podcasts(&random))
    default:
      let shared = [
        "UPDATE \"Chapter\" SET rank = '\(text(&random))' WHERE id % 3 = \(random.below(3))",
        "DELETE FROM \"Episode\" WHERE season = \(random.below(3))",
        "UPDATE \"Episode\" SET season = season + 1",
        "UPDATE \"Episode\" SET title = summary, summary = title WHERE summary IS NOT NULL",
      ]
      let replacing = [
        "REPLACE INTO Chapter (id, rank) VALUES (\(random.below(40)), '\(text(&random))')",
        "UPDATE OR REPLACE Chapter SET id = id + 1 WHERE id % 3 = \(random.below(3))",
        "REPLACE INTO Episode (_moho_id, guid, title, season)"
          + " VALUES (\(random.below(60)), '\(random.below(25))', '\(text(&random))', 1)",
      ]
      try writer.execute(
        sql: random.one(of: shared + (TestedEngine.current == .sqlite ? replacing : [])))
    }
  }

  /// Checks the rows that a search finds in the transaction.
  private static func expectFound(
    _ writer: StoreWriter, _ random: inout SeededGenerator, _ comment: Comment
  ) throws {
    let word = random.one(of: words)
    for (entity, keys) in [
      ("Podcast", ["name"]), ("Episode", ["title", "summary"]), ("Chapter", ["rank"]),
    ] {
      let request = RowRequest(entity)
      let found = try writer.reader.fetchIdentities(request.filter { $0.matches(word) })
      // The same condition with texts, and without the index.
      let expected = try writer.reader.fetchIdentities(
        request.filter { row in
          .or(keys.map { row[$0].contains(word) })
        })
      #expect(found == expected, comment)
    }
  }
}
