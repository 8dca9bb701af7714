import DocumentationTesting
import Foundation
import Moho
import Testing

/// The code of the article "Tracking history", compiled and run.
@Suite struct TrackingHistoryTests: ArticleTests {
  let article = Article("Sources/MohoRows/MohoRows.docc/TrackingHistory.md")
  let transcript = Transcript()
  let store: ModelStore

  // snippet
  struct Episode: MappedModel {
    var id: String
    var title: String
    var isPlayed = false

    static let mapping = Mapping(
      "Episode", Episode.init,
      .key("id", \.id, .unique), .key("title", \.title),
      .key("isPlayed", \.isPlayed, default: false))
  }
  // end

  init() throws {
    // snippet
    var configuration = StoreConfiguration()
    configuration.history = .enabled(maximumAge: 90 * 86_400)
    let store = try ModelStore(inMemory: Episode.self, configuration: configuration)
    // end
    self.store = store
  }

  @Test func history() throws {
    // snippet
    let token = try store.currentHistoryToken()
    try store.write(author: "import") { writer in
      try writer.save([Episode(id: "a", title: "Ash"), Episode(id: "b", title: "Basalt")])
    }
    try store.write { try $0.save(Episode(id: "a", title: "Obsidian", isPlayed: true)) }
    try store.write { try $0.delete([Episode(id: "b", title: "")]) }

    for transaction in try store.fetchHistory(since: token) { print(transaction) }
    // end
    try article.expectOutput(of: transcript)

    // snippet
    let changes = try store.fetchChanges(since: token, excludingAuthors: ["import"])
    print(changes)
    // end
    try article.expectOutput(of: transcript)

    // snippet
    let context = EditingContext(store)
    context.author = "editor"
    // end

    // snippet
    try store.read { reader in
      let changes = try reader.fetchChanges(since: token)
      for episode in try reader.fetch(Episode.self, in: changes.rows) { print(episode.title) }
    }
    // end
    try article.expectOutput(of: transcript)

    // snippet
    func exportChanges(since token: HistoryToken) throws -> HistoryToken {
      do {
        let changes = try store.fetchChanges(since: token)
        for change in changes.rows(of: Episode.self) { print(change.kind, change.key) }
        return try changes.token ?? store.currentHistoryToken()
      } catch let error as StoreError
        where [.historyDeleted, .foreignHistoryToken].contains(error.code)
      {
        print("exporting all episodes")
        return try store.currentHistoryToken()
      }
    }
    // end
    #expect(try exportChanges(since: token) == store.currentHistoryToken())
    _ = transcript.take()
    // snippet
    try store.write { try $0.deleteHistory(before: .now) }
    // end
    _ = try exportChanges(since: token)
    #expect(transcript.take() == "exporting all episodes")
  }

  @Test func lists() throws {
    try store.write { writer in
      try writer.save([Episode(id: "a", title: "Ash"), Episode(id: "b", title: "Basalt")])
    }
    // snippet
    let unplayed = ModelRequest<Episode>().filter { $0.isPlayed == false }
    let shown = try store.fetchIdentities(unplayed)
    let token = try JSONEncoder().encode(store.currentHistoryToken())
    // end
    try store.write { writer in
      try writer.save([
        Episode(id: "a", title: "Ash", isPlayed: true), Episode(id: "b", title: "Obsidian"),
        Episode(id: "c", title: "Cinder"),
      ])
    }
    // snippet
    let changes = try store.fetchChanges(
      of: unplayed, since: JSONDecoder().decode(HistoryToken.self, from: token), shown: shown)
    print(changes)
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func sync() throws {
    // snippet
    struct Sync {
      var tokens: (HistoryToken?, HistoryToken?) = (nil, nil)

      mutating func run(_ one: ModelStore, _ two: ModelStore) throws {
        tokens = try one.write(author: "sync") { one in
          try two.write(author: "sync") { two in
            let first = try one.reader.fetchChanges(since: tokens.0, excludingAuthors: ["sync"])
            let second = try two.reader.fetchChanges(since: tokens.1, excludingAuthors: ["sync"])
            // The later change of an episode wins.
            let sent = first.rows(of: Episode.self).filter { change in
              let other = change.reference(to: Episode.self).flatMap { second[$0] }
              return other.map { $0.date <= change.date } ?? true
            }
            let received = second.rows(of: Episode.self).filter { change in
              !sent.contains { $0.key == change.key }
            }
            try send(sent, from: one.reader, to: two)
            try send(received, from: two.reader, to: one)
            return (first.token, second.token)
          }
        }
      }

      func send(
        _ changes: [HistoryChange], from reader: StoreReader, to writer: StoreWriter
      ) throws {
        for change in changes where change.kind == .deleted {
          guard let episode = change.reference(to: Episode.self) else { continue }
          try writer.delete(ModelRequest<Episode>().filter { $0.isRow(episode) })
        }
        try writer.save(reader.fetch(Episode.self, in: changes))
      }
    }
    // end
    var configuration = StoreConfiguration()
    configuration.history = .enabled()
    let tablet = try ModelStore(inMemory: Episode.self, configuration: configuration)
    let phone = store
    // snippet
    var sync = Sync()
    try phone.write { try $0.save(Episode(id: "a", title: "Ash")) }
    try tablet.write { try $0.save(Episode(id: "b", title: "Basalt")) }
    try sync.run(phone, tablet)
    try phone.write { try $0.delete([Episode(id: "b", title: "")]) }
    try tablet.write { try $0.save(Episode(id: "a", title: "Obsidian")) }
    try sync.run(phone, tablet)
    print(try phone.fetch(ModelRequest<Episode>()).map(\.title))
    print(try tablet.fetch(ModelRequest<Episode>()).map(\.title))
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func theArticleHasTheCode() throws { try article.expectCode() }
}
