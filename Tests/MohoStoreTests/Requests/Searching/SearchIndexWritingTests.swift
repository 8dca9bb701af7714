import Foundation
import GRDB
import MohoJSON
import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

@Suite struct SearchIndexWritingTests {
  private typealias Podcast = SearchingTests.Podcast
  private typealias Episode = SearchingTests.Episode
  private typealias Chapter = SearchingTests.Chapter

  /// The ways to write 200 rows that are stored, and 200 that are not.
  enum Way: CaseIterable {
    case models, graphs, nestedModels, fields, updates, upserts, context, deletion, mirror
  }

  private static func podcasts(_ version: String) -> [Podcast] {
    (0..<400).map { Podcast(id: $0, name: "\(version) podcast number \($0)") }
  }

  private static func episodes(_ version: String) -> [Episode] {
    (0..<400).map { number in
      Episode(
        guid: "\(number)", title: "\(version) episode number \(number)", summary: "The summary",
        chapters: [Chapter(id: number, rank: "\(version) chapter number \(number)")])
    }
  }

  private static func filledStore() throws -> ModelStore {
    let store = try ModelStore(inMemory: Podcast.self, Episode.self)
    try store.write { writer in
      try writer.save(Array(podcasts("Old").prefix(200)))
      try writer.save(Array(episodes("Old").prefix(200)))
    }
    return store
  }

  private static func write(_ way: Way, _ store: ModelStore, _ writer: StoreWriter) throws {
    let (podcasts, episodes) = (podcasts("New"), episodes("New"))
    switch way {
    case .models: try writer.save(podcasts)
    case .graphs: try writer.save(episodes)
    case .nestedModels:
      try writer.save(
        Episode(
          guid: "one", title: "One", chapters: episodes.flatMap(\.chapters)))
    case .fields:
      let adapter = JSONAdapter<Podcast>()
      try writer.save(decoding: adapter.fields(from: adapter.data(from: podcasts)))
    case .updates: _ = try writer.update(podcasts.map { Partial($0) })
    case .upserts: _ = try writer.upsert(podcasts.map { Partial($0) })
    case .context:
      let context = EditingContext(store)
      try ManagedRowAdapter<Podcast>().rows(from: podcasts, in: context)
      try context.save()
    case .deletion: _ = try writer.delete(podcasts)
    case .mirror:
      let request = ModelRequest<Podcast>()
      try writer.save(podcasts.suffix(200), mode: .mirror(request, deletingAtMost: 1))
    }
  }

  @Test(arguments: Way.allCases)
  func theIndexIsWrittenOnceForTheRowsOfACall(_ way: Way) throws {
    let store = try Self.filledStore()

    let statements = try store.statements {
      try store.write { try Self.write(way, store, $0) }
    }

    // FTS5 writes the words that it has collected with this statement.
    let writes = statements.count { $0.contains("REPLACE INTO") && $0.contains("_data'") }
    #expect(writes > 0 && writes < 120)
    let differences = try store.writer.writeWithoutTransaction {
      try SearchIndexCheck.differences(in: $0)
    }
    #expect(differences == [])
  }

  @Test func unchangedRowsDoNotChangeTheDatabase() throws {
    let store = try Self.filledStore()
    let mark = try store.writeMark(of: "Podcast")

    let statements = try store.statements {
      try store.write { writer in
        try writer.save(Array(Self.podcasts("Old").prefix(200)))
        _ = try writer.update(Self.podcasts("Old").prefix(200).map { Partial($0) })
      }
    }

    #expect(try store.writeMark(of: "Podcast") == mark)
    #expect(!statements.contains { $0.contains("_moho search") })
  }

  @Test func changesOfOtherKeysDoNotChangeTheIndex() throws {
    let store = try Self.filledStore()
    let changed = Self.episodes("Old").prefix(200).map { episode in
      var episode = episode
      episode.season = 2
      return episode
    }

    let statements = try store.statements {
      let report = try store.write { try $0.save(Array(changed)) }
      #expect(report.updated == 200)
    }

    #expect(!statements.contains { $0.contains("_moho search (Episode)_") })
  }

  @Test func aSingleRowIsIndexedAtOnce() throws {
    let store = try Self.filledStore()

    let statements = try store.statements {
      _ = try store.write { try $0.save([Podcast(id: 1, name: "Other words")]) }
    }

    #expect(!statements.contains { $0.contains("_moho search (Podcast) postponed") })
    let request = RowRequest("Podcast").filter { $0.matches("other") }
    #expect(try store.fetchIdentities(request) == [1])
  }

  @Test func theLastInsertedRowIsThatOfTheModels() throws {
    let store = try ModelStore(inMemory: Podcast.self, Episode.self)

    let last = try store.write { writer in
      try writer.save([
        Podcast(id: 1, name: "a"), Podcast(id: 9, name: "b"), .init(id: 4, name: "c"),
      ])
      return try store.writer.unsafeReentrantWrite { $0.lastInsertedRowID }
    }

    #expect(last == 4)
  }

  @Test func aFailedCallPostponesNothing() throws {
    let store = try Self.filledStore()
    try store.execute(
      """
      CREATE TRIGGER refuse BEFORE UPDATE ON Podcast WHEN NEW.id = 150 BEGIN \
      SELECT RAISE(ABORT, 'no'); END
      """)

    try store.write { writer in
      #expect(throws: StoreError.self) { try writer.save(Self.podcasts("New")) }
      #expect(throws: StoreError.self) {
        try writer.update(Self.podcasts("New").map { Partial($0) })
      }
      try writer.execute(sql: "INSERT INTO Podcast (id, name) VALUES (1000, 'Raw words')")
    }

    let found = try store.fetchIdentities(RowRequest("Podcast").filter { $0.matches("raw") })
    #expect(found == [1_000])
    let differences = try store.writer.writeWithoutTransaction {
      try SearchIndexCheck.differences(in: $0)
    }
    #expect(differences == [])
  }

  @Test func aStatementThatEndsTheTransactionPostponesNothing() throws {
    let store = try Self.filledStore()
    try store.execute(
      """
      CREATE TRIGGER refuse BEFORE UPDATE ON Podcast WHEN NEW.id = 150 BEGIN \
      SELECT RAISE(ROLLBACK, 'no'); END
      """)

    #expect(throws: StoreError.self) {
      try store.write { try $0.save(Self.podcasts("New")) }
    }
    try store.write { try $0.execute(sql: "DELETE FROM Podcast WHERE id < 100") }

    let differences = try store.writer.writeWithoutTransaction {
      try SearchIndexCheck.differences(in: $0)
    }
    #expect(differences == [])
  }

  /// The copies of the files are those of a process that has ended in the transaction.
  @Test func anUnfinishedTransactionPostponesNothing() throws {
    try withStorePath { path in
      let store = try ModelStore(path: path, models: Podcast.self, Episode.self)
      try store.write { try $0.save(Self.podcasts("Old")) }
      // Small, so that pages of the transaction are written to the log.
      try store.writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA cache_size = 10") }
      let copy = path + ".copy"

      try? store.write { writer in
        // The last element is read while the updates of the others are postponed.
        let podcasts = Self.podcasts("New")
        try writer.save(
          AnySequence(podcasts).lazy.map { podcast in
            if podcast.id == podcasts.count - 1 {
              for suffix in ["", "-wal"] {
                try? FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
              }
            }
            return podcast
          })
        throw CancellationError()
      }

      let crashed = try ModelStore(path: copy, models: Podcast.self, Episode.self)
      try crashed.write {
        try $0.execute(sql: "INSERT INTO Podcast (id, name) VALUES (1000, 'Raw words')")
      }
      #expect(
        try crashed.fetchIdentities(RowRequest("Podcast").filter { $0.matches("raw") }) == [1_000])
      #expect(try crashed.fetchCount(RowRequest("Podcast").filter { $0.matches("old") }) == 400)
      let differences = try crashed.writer.writeWithoutTransaction {
        try SearchIndexCheck.differences(in: $0)
      }
      #expect(differences == [])
    }
  }

  @Test func rowsAreSavedAfterAnotherProgramHasDroppedTheIndex() throws {
    struct PlainPodcast: MappedModel {
      var id: Int
      var name: String

      static let mapping = Mapping(
        "Podcast", PlainPodcast.init, .key("id", \.id, .unique), .key("name", \.name))
    }

    try withStorePath { path in
      let store = try ModelStore(path: path, models: Podcast.self)
      try store.write { try $0.save(Self.podcasts("Old")) }
      let other = try ModelStore(path: path, models: PlainPodcast.self)
      try other.writer.close()

      let report = try store.write { try $0.save(Self.podcasts("New")) }

      #expect(report.updated == 400)
    }
  }

  @Test(arguments: [["name", "notes"], ["notes", "name"], ["notes"]])
  func rowsAreIndexedAfterAnotherProgramHasChangedTheKeysOfTheIndex(keys: [String]) throws {
    let entity = Entity(
      "Show",
      attributes: [
        Attribute("id", .int64), Attribute("name", .string), Attribute("notes", .string),
      ], identifiedBy: ["id"], searchable: keys)
    struct Show: MappedModel {
      var id: Int
      var name: String
      var notes: String

      static let mapping = Mapping(
        "Show", Show.init, .key("id", \.id, .unique), .key("name", \.name, .searchable),
        .key("notes", \.notes))
    }

    try withStorePath { path in
      let store = try ModelStore(path: path, models: Show.self)
      let other = try ModelStore(path: path, entities: [entity])

      try store.write { writer in
        try writer.save((1...9).map { Show(id: $0, name: "basalt", notes: "lava") })
      }

      for (column, key) in keys.enumerated() {
        let term = key == "name" ? "basalt" : "lava"
        let rows = try other.writer.read { database in
          try Int.fetchOne(
            database,
            sql: "SELECT count(*) FROM \"_moho search (Show)\" WHERE c\(column) MATCH '\(term)'")
        }
        #expect(rows == 9)
      }
    }
  }
}
