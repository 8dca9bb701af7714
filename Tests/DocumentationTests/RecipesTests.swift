import CommandTesting
import DocumentationTesting
import Foundation
import Moho
import MohoTesting
import Testing

/// The code of the article "Recipes", compiled and run.
@Suite struct RecipesTests: ArticleTests {
  let article = Article("Sources/Moho/Moho.docc/Recipes.md")
  let transcript = Transcript()
  let folder: TemporaryFolder
  private var path: String { folder.path("episodes.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  // snippet
  struct Episode: MappedModel, Equatable {
    var id: Int
    var title: String
    var season: Int
    var number: Int
    var summary: String?

    static let mapping = Mapping(
      "Episode", Episode.init,
      .key("id", \.id, .unique), .key("title", \.title), .key("season", \.season),
      .key("number", \.number), .key("summary", \.summary))
  }
  // end

  // snippet
  struct OldEpisode: MappedModel {
    var id: Int
    var title: String
    var code: String
    var summary: String?

    static let mapping = Mapping(
      "Episode", OldEpisode.init,
      .key("id", \.id, .unique), .key("title", \.title), .key("code", \.code),
      .key("summary", \.summary))
  }
  // end

  @Test func aMigrationSplitsAKey() throws {
    let old = try ModelStore(path: path, models: OldEpisode.self)
    try old.write { writer in
      try writer.save([
        OldEpisode(id: 7, title: "Basalt", code: "S04E11"),
        OldEpisode(id: 8, title: "Pilot", code: "trailer"),
      ])
    }
    // snippet
    func number(after letter: Character) -> @Sendable (FieldContent) -> FieldContent {
      { code in
        guard case .string(let text) = code, let start = text.firstIndex(of: letter) else {
          return .int64(0)
        }
        let digits = text[start...].dropFirst().prefix { $0.isNumber }
        return .int64(Int64(digits) ?? 0)
      }
    }
    let configuration = StoreConfiguration(
      migrations: [
        Migration("split codes into seasons and numbers") { steps in
          steps.transform("code", of: "Episode", into: "season", number(after: "S"))
          steps.transform("code", of: "Episode", into: "number", number(after: "E"))
        }
      ])
    let store = try ModelStore(path: path, models: Episode.self, configuration: configuration)
    for episode in try store.fetch(ModelRequest<Episode>().order(by: \.id)) {
      print(episode.title, episode.season, episode.number)
    }
    // end
    try article.expectOutput(of: transcript)
  }

  // snippet
  struct Response: Sendable, CustomStringConvertible {
    var status: Int
    var body = Data()
    var description: String {
      body.isEmpty ? "\(status)" : "\(status) " + String(decoding: body, as: UTF8.self)
    }
  }

  struct EpisodeHandler: Sendable {
    let store: ModelStore
    let adapter = JSONAdapter<Episode>(unknownKeyPolicy: .refuse)

    /// GET /seasons/4
    func list(season: Int) async -> Response {
      await respond {
        let request = ModelRequest<Episode>().filter { $0.season == season }.order(by: \.number)
        return Response(status: 200, body: try adapter.data(from: try await store.fetch(request)))
      }
    }

    /// PATCH /episodes/7
    func change(_ id: Int, _ body: Data) async -> Response {
      await respond {
        var partial = try adapter.partial(from: body)
        partial[\.id] = id
        let change = partial
        let report = try await store.write { try $0.update([change]) }
        return Response(status: report.missing == 0 ? 204 : 404)
      }
    }

    /// Maps errors to responses. An error of the client is described.
    private func respond(_ work: () async throws -> Response) async -> Response {
      do {
        return try await work()
      } catch let error as MappingError {
        return Response(status: 422, body: Data("\(error)".utf8))
      } catch let error as JSONError {
        return Response(status: 400, body: Data("\(error)".utf8))
      } catch let error as StoreError where error.code == .notUnique {
        return Response(status: 409, body: Data("\(error)".utf8))
      } catch let error as StoreError where error.code == .busy {
        return Response(status: 503)
      } catch {
        return Response(status: 500)
      }
    }
  }
  // end

  @Test func aServerUpdatesWhatIsGiven() async throws {
    // snippet
    let store = try ModelStore(path: path, models: Episode.self)
    let handler = EpisodeHandler(store: store)
    try await store.write { writer in
      try writer.save([
        Episode(id: 7, title: "Basalt", season: 4, number: 11, summary: "Cooled lava."),
        Episode(id: 8, title: "Gneiss", season: 4, number: 12),
      ])
    }
    let bodies = [
      (7, #"{"title": "Basalt and tuff"}"#), (7, #"{"summary": null}"#),
      (9, #"{"title": "Ash"}"#), (7, #"{"title": 5}"#), (7, #"{"titel": "Tuff"}"#),
    ]
    for (id, body) in bodies {
      print(await handler.change(id, Data(body.utf8)))
    }
    async let fourth = handler.list(season: 4)
    async let fifth = handler.list(season: 5)
    for response in await [fourth, fifth] { print(response) }
    // end
    try article.expectOutput(of: transcript)
  }

  // snippet
  struct Item: MappedModel, Equatable {
    var feed: String
    var number: Int
    var title: String

    static let mapping = Mapping(
      "Item", Item.init,
      .key("feed", \.feed), .key("number", \.number), .key("title", \.title)
    )
    .identified(by: \.feed, \.number)
  }
  // end

  @Test func severalKeysIdentifyARow() async throws {
    // snippet
    let store = try ModelStore(inMemory: Item.self)
    let trailer = Item(feed: "geology", number: 0, title: "Trailer")
    try await store.write { writer in
      try writer.save([trailer, Item(feed: "oceans", number: 0, title: "Trailer")])
    }
    let reference = try ModelReference<Item>(key: "oceans", 0)
    let request = ModelRequest<Item>().filter { $0.isRow(reference) }
    var change = Partial<Item>()
    change[\.feed] = "oceans"
    change[\.number] = 0
    change[\.title] = "Deep Water"
    let update = change
    try await store.write { writer in
      try writer.update([update])
      try writer.delete([trailer])
    }
    print(try await store.fetchFirst(request)?.title ?? "not stored")
    for try await item in store.observe(.model(reference)).prefix(1) {
      print(item?.title ?? "not stored")
    }
    print(try await store.fetchCount(ModelRequest<Item>()))
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func listsAreTested() async throws {
    // snippet
    let store = try ModelStore(inMemory: Episode.self)
    try await store.write { writer in
      try writer.save([
        Episode(id: 1, title: "Ash", season: 1, number: 1),
        Episode(id: 2, title: "Basalt", season: 1, number: 2),
      ])
    }
    let list = try await ResultsController(
      ModelRequest<Episode>().order(by: \.season).order(by: \.title), in: store,
      sectionedBy: \.season)
    let before = list.snapshot
    var table = try SimulatedTable(rows: .init(before.index, contents: before.models()))

    try await store.write { writer in
      try writer.save([
        Episode(id: 1, title: "Zircon", season: 1, number: 1),
        Episode(id: 3, title: "Pilot", season: 2, number: 1),
      ])
    }
    for try await update in list.updates(since: before).prefix(1) {
      let after = update.after
      try table.perform(
        update.changes.batchPlan, before: table.cells,
        after: .init(after.index, contents: after.models()), mode: [.strict, .minimal])
    }
    #expect(
      table.cells.sections.map { $0.map(\.content.title) } == [["Basalt", "Zircon"], ["Pilot"]])
    #expect(table.renderCounts == [1: 1, 3: 1])
    // end
    try #require(transcript.take() == "")
  }

  @Test func theArticleMatchesTheCode() throws { try article.expectCode() }
}
