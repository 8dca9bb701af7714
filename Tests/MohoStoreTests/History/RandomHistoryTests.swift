import Campaigns
import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import MohoTesting
import StoreTesting
import Testing

/// Makes random changes, and repeats them in an older copy of the store by reading
/// the rows that the history names.
@Suite(.allEngines) struct RandomHistoryTests {
  private static let seeds = Campaign.seeds(
    from: "MOHO_RANDOM_SEED", count: Campaign.count(short: 12, full: 200))

  private static let names = ["a", "b", "c", "d"]

  @Test(arguments: seeds)
  func changedRowsMakeAnOlderCopyEqual(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try recordingStore()
    var kinds: Set<HistoryChange.Kind> = []
    defer { #expect(kinds.count > 1, "seed \(seed)") }
    // The first changes of some seeds do not find a row to change.
    for round in 0..<100 where round < 8 || kinds.count < 2 {
      let copy = try Self.copy(of: store)
      let token = try store.currentHistoryToken()
      let before = try Self.contents(of: store)
      var log: [String] = []
      for _ in 0...random.below(8) {
        let change = Self.change(&random)
        log.append(change.sql ?? change.name)
        struct Failure: Error {}
        let fails = random.oneIn(8)
        let undone = random.oneIn(4) ? Self.change(&random) : nil
        if let undone { log.append("undone: \(undone.sql ?? undone.name)") }
        try? store.write(author: random.one(of: ["x", "y", nil])) { writer in
          try change.run(writer)
          if let sql = undone?.sql {
            try writer.executeUndone(sql)
          } else if let undone {
            try? store.write { inner in
              try undone.run(inner)
              throw Failure()
            }
          }
          if fails { throw Failure() }
        }
        if random.oneIn(6) {
          // Changes outside of writes of the store.
          try? store.execute(#"UPDATE "Episode" SET season = season + 1"#)
          log.append("season")
        }
      }

      let history = try store.fetchHistory(since: token)
      let changes = try store.fetchChanges(since: token)
      kinds.formUnion(changes.rows.map(\.kind))
      #expect(HistoryChanges(history).rows == changes.rows)
      try store.read { try Self.apply(changes, from: $0, to: copy) }

      let (expected, found) = (try Self.contents(of: store), try Self.contents(of: copy))
      #expect(
        found == expected,
        """
        seed \(seed), round \(round): \(log)
        \(changes)
        """)
      // Undone and repeated changes may lead to the same contents.
      if changes.isEmpty { #expect(before == expected, "seed \(seed), round \(round)") }
    }
  }

  private static func copy(of store: ModelStore) throws -> ModelStore {
    if store.isOnPostgres {
      // The history is complete, so all rows have been inserted.
      let copy = try recordingStore()
      try store.read { try apply($0.fetchChanges(since: nil), from: $0, to: copy) }
      return copy
    }
    let queue = try DatabaseQueue()
    try store.writer.backup(to: queue)
    return try ModelStore(
      adopting: queue, models: RecordedShow.self, RecordedTag.self, RecordedNote.self,
      IdentityPart.self, IdentityPair.self)
  }

  private struct Contents: Equatable {
    var shows: [RecordedShow]
    var episodes: [RecordedEpisode]
    var tags: [RecordedTag]
    var feeds: [IdentityFeed]
    var parts: [IdentityPart]
  }

  private static func contents(of store: ModelStore) throws -> Contents {
    try store.read { reader in
      func all<Model: MappedModel>(_ key: (Model) -> String) throws -> [Model] {
        try reader.fetch(ModelRequest<Model>()).sorted { key($0) < key($1) }
      }
      return Contents(
        shows: try all(\.name), episodes: try all { "\($0.id)" }, tags: try all(\.name),
        feeds: try all(\.url), parts: try all { "\($0.item) \($0.number)" })
    }
  }

  /// Writes the current content of changed rows to another store.
  private static func apply(
    _ changes: HistoryChanges, from reader: StoreReader, to copy: ModelStore
  ) throws {
    func models<Model: MappedModel>(_ model: Model.Type) throws -> [Model] {
      try reader.fetch(model, in: changes.rows)
    }
    try copy.write { writer in
      func delete<Model: MappedModel>(_ model: Model.Type) throws {
        for change in changes.rows(of: model) where change.kind == .deleted {
          guard let reference = change.reference(to: model) else { continue }
          try writer.delete(ModelRequest<Model>().filter { $0.isRow(reference) })
        }
      }
      // Parts refer to items without a delete rule.
      try delete(IdentityPart.self)
      try delete(RecordedTag.self)
      try delete(RecordedEpisode.self)
      try delete(RecordedShow.self)
      try delete(IdentityItem.self)
      try delete(IdentityFeed.self)
      let (feeds, items) = (try models(IdentityFeed.self), try models(IdentityItem.self))
      try writer.save(
        feeds.map { IdentityFeed(url: $0.url, title: $0.title) }.filter { feed in
          changes[.of(feed.url) as ModelReference<IdentityFeed>]?.kind == .inserted
        })
      try writer.save(items)
      try writer.save(feeds)
      let parts = try models(IdentityPart.self)
      try writer.save(parts.map { IdentityPart(item: $0.item, number: $0.number) })
      try writer.save(parts)
      // Texts can refer only to rows that exist.
      let (tags, shows) = (try models(RecordedTag.self), try models(RecordedShow.self))
      try writer.save(tags.map { RecordedTag(name: $0.name) })
      try writer.save(
        shows.map { RecordedShow(name: $0.name, title: $0.title) }.filter { show in
          changes[.of(show.name) as ModelReference<RecordedShow>]?.kind == .inserted
        })
      try writer.save(try models(RecordedEpisode.self))
      try writer.save(tags)
      try writer.save(shows)
    }
  }

  private struct Change {
    let name: String
    var sql: String?
    let run: @Sendable (StoreWriter) throws -> Void

    init(_ name: String, _ run: @escaping @Sendable (StoreWriter) throws -> Void) {
      self.name = name
      self.run = run
    }

    init(sql: String) {
      name = "SQL"
      self.sql = sql
      run = { try $0.execute(sql: sql) }
    }
  }

  private static func change(_ random: inout SeededGenerator) -> Change {
    let (name, other) = (random.one(of: names), random.one(of: names))
    let (id, number) = (random.below(6), random.below(4))
    switch random.below(16) {
    case 0: return Change("show") { try $0.save(RecordedShow(name: name, title: "\(number)")) }
    case 1:
      let show = random.one(of: names)
      return Change("episode \(id)") { writer in
        try writer.save([RecordedShow(name: show), RecordedShow(name: name)])
        try writer.save([RecordedTag(name: name), RecordedTag(name: other)])
        try writer.save(
          RecordedEpisode(
            id: id, title: "\(number)", show: .of(show), tags: [.of(name), .of(other)]))
      }
    case 2: return Change("delete show \(name)") { try $0.delete([RecordedShow(name: name)]) }
    case 3: return Change("delete tag \(name)") { try $0.delete([RecordedTag(name: name)]) }
    case 4: return Change("delete episode \(id)") { try $0.delete([RecordedEpisode(id: id)]) }
    case 5: return Change(sql: "UPDATE \"Show\" SET name = '\(other)' WHERE name = '\(name)'")
    case 6: return Change(sql: "UPDATE \"Tag\" SET name = '\(other)2' WHERE name = '\(name)'")
    case 7: return Change(sql: "UPDATE \"Episode\" SET id = \(number) WHERE id = \(id)")
    case 8: return Change(sql: "UPDATE \"Episode\" SET title = '\(number)' WHERE id > \(id)")
    case 9: return Change(sql: "UPDATE \"Episode\" SET show = NULL WHERE id = \(id)")
    case 10:
      return Change("feed \(name)") { writer in
        try writer.save(
          IdentityFeed(
            url: name, title: other,
            items: ["i", "j", "k"].prefix(number).map { IdentityItem(guid: $0, title: other) }))
      }
    case 11:
      return Change("part") { writer in
        let item = ModelReference<IdentityItem>.of(ModelReference<IdentityFeed>.of(name), "i")
        try writer.save(IdentityPart(item: item, number: Double(number), title: other))
        try writer.save(
          IdentityPart(
            item: item, number: Double(number) + 0.5, title: other,
            similar: [.of(item, Double(number))]))
      }
    case 12:
      return Change(sql: "UPDATE \"IdentityFeed\" SET url = '\(other)' WHERE url = '\(name)'")
    case 13: return Change(sql: "UPDATE \"IdentityItem\" SET guid = guid || 'x' WHERE guid = 'j'")
    case 14:
      return Change(
        sql: "DELETE FROM \"IdentityPart\" WHERE number >= \(number); "
          + "DELETE FROM \"IdentityFeed\" WHERE url = '\(name)'")
    default: return Change("clear") { try $0.delete(ModelRequest<RecordedEpisode>()) }
    }
  }
}
