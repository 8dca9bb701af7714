import DocumentationTesting
import Foundation
import Moho
import Testing

/// The code of the article "Observing results", compiled and run.
@Suite(.timeLimit(.minutes(20))) struct ObservingResultsTests: ArticleTests {
  let article = Article("Sources/MohoResults/MohoResults.docc/ObservingResults.md")
  let transcript = Transcript()
  let store: ModelStore

  // snippet
  struct Episode: MappedModel {
    var id: Int
    var title: String
    var season: Int
    var minutes: Double

    static let mapping = Mapping(
      "Episode", Episode.init,
      .key("id", \.id, .unique), .key("title", \.title, .indexed), .key("season", \.season),
      .key("minutes", \.minutes))
  }
  // end

  init() throws {
    // snippet
    let store = try ModelStore(inMemory: Episode.self)
    try store.write { writer in
      try writer.save([
        Episode(id: 1, title: "Ash", season: 1, minutes: 30),
        Episode(id: 2, title: "Basalt", season: 1, minutes: 42),
        Episode(id: 3, title: "Cinder", season: 2, minutes: 25),
      ])
    }
    // end
    self.store = store
  }

  @Test func updates() async throws {
    // snippet
    let controller = try await ResultsController(
      ModelRequest<Episode>().order(by: \.season).order(by: \.title), in: store,
      sectionedBy: \.season)
    let list = controller.snapshot
    for section in list.sections { print("season \(section.name): \(section.count)") }
    print(try list.model(at: RowPath(section: 0, row: 1)).title)
    // end
    try article.expectOutput(of: transcript)

    // snippet
    try await store.write { writer in
      try writer.save(Episode(id: 1, title: "Obsidian", season: 1, minutes: 30))
      try writer.delete(ModelRequest<Episode>().filter { $0.id == 3 })
    }
    for try await update in controller.updates(since: list).prefix(1) {
      print(update.changes)
      print(try update.after.models().map(\.title))
    }
    // end
    try article.expectOutput(of: transcript)

    // snippet
    try await store.write { try $0.save(Episode(id: 4, title: "Agate", season: 1, minutes: 20)) }
    let unread = controller.snapshot
    try await store.write { try $0.save(Episode(id: 4, title: "Zircon", season: 1, minutes: 20)) }
    do {
      _ = try unread.model(at: RowPath(section: 0, row: 0))
    } catch let error as ResultsError {
      print(error)
    }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func limits() async throws {
    // snippet
    let shortest = try await ResultsController(
      ModelRequest<Episode>().order(by: \.minutes).limit(2), in: store)
    let updates = shortest.updates
    try await store.write { writer in
      try writer.save(Episode(id: 4, title: "Dike", season: 2, minutes: 10))
    }
    for try await update in updates.prefix(1) { print(update.changes) }
    // end
    try article.expectOutput(of: transcript)

    // snippet
    try await shortest.setRequest(
      ModelRequest<Episode>().order(by: \.minutes, .descending).limit(2))
    print(try shortest.snapshot.models().map(\.title))
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func firstRows() async throws {
    // snippet
    let longest = try await ResultsController(
      ModelRequest<Episode>().order(by: \.minutes, .descending).first(1, per: { [$0.season] }),
      in: store)
    let updates = longest.updates
    try await store.write { writer in
      try writer.save(Episode(id: 4, title: "Dike", season: 2, minutes: 50))
    }
    for try await update in updates.prefix(1) { print(update.changes) }
    print(try longest.snapshot.models().map(\.title))
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func contexts() throws {
    // snippet
    let context = EditingContext(store)
    let results = try ContextResultsController(
      ModelRequest<Episode>().order(by: \.title), in: context)
    let new = try ManagedRowAdapter<Episode>().row(
      from: Episode(id: 5, title: "Agate", season: 2, minutes: 20), in: context)
    print(try results.snapshot.models().map(\.title), try store.fetchCount(ModelRequest<Episode>()))

    try new.set(\Episode.title, to: "Zircon")
    print(try results.snapshot.models().map(\.title))
    context.undo()
    print(try results.snapshot.models().map(\.title))

    try context.save()
    print(results.snapshot.identity(at: RowPath(section: 0, row: 0))?.description ?? "")
    // end
    try article.expectOutput(of: transcript)

    // snippet
    try new.set(\Episode.title, to: "Chert")
    try results.setRequest(ModelRequest<Episode>().order(by: \.title, .descending).limit(2))
    print(try results.snapshot.models().map(\.title))
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func liveValues() async throws {
    // snippet
    let long = ModelRequest<Episode>().filter { $0.minutes > 28 }
    var counts = store.observe(.count(long)).makeAsyncIterator()
    print(try await counts.next() ?? 0, "long episodes")

    try await store.write { writer in
      try writer.save(Episode(id: 2, title: "Basalt and tuff", season: 1, minutes: 41))
    }
    try await store.write { writer in
      try writer.save(Episode(id: 3, title: "Cinder", season: 2, minutes: 33))
    }
    print(try await counts.next() ?? 0, "long episodes")
    // end
    try article.expectOutput(of: transcript)
    // snippet
    let basalt = try ModelReference<Episode>(key: 2)
    for try await episode in store.observe(.model(basalt)).prefix(1) {
      print(episode?.title ?? "not stored")
    }
    // end
    try article.expectOutput(of: transcript)
    // snippet
    let lengths = ValueQuery.aggregates(long) { [.count, .minimum($0.minutes)] }
    let longest = ValueQuery.values(long.limit(1)) { [$0.title] }
    for part in try store.explain(lengths).parts + store.explain(longest).parts { print(part) }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func liveGroups() async throws {
    // snippet
    let seasons = ModelRequest<Episode>()
      .grouped(by: { [$0.season] }) { [.count, .sum($0.minutes)] }
      .order(.descending) { .sum($0.minutes) }
    var lists = store.observe(.groups(seasons)).makeAsyncIterator()
    var list = try await lists.next() ?? GroupsSnapshot()
    for group in list { print(group.values) }

    try await store.write { writer in
      try writer.save(Episode(id: 4, title: "Dike", season: 2, minutes: 50))
      try writer.save(Episode(id: 5, title: "Esker", season: 3, minutes: 20))
    }
    if let newest = try await lists.next() {
      print(try newest.changes(since: list))
      list = newest
    }
    // end
    #expect(list.count == 3)
    try article.expectOutput(of: transcript)
  }

  @Test func theArticleMatchesTheCode() throws { try article.expectCode() }
}

@MainActor private var delegateLog: [String] = []
@MainActor private func print(_ line: Any) { delegateLog.append("\(line)") }

enum Delegates {
  typealias Episode = ObservingResultsTests.Episode

  // snippet
  @MainActor final class EpisodeList: @MainActor ResultsControllerDelegate {
    let presenter: ResultsPresenter<Episode>

    init(_ controller: ResultsController<Episode>) {
      presenter = ResultsPresenter(controller)
      presenter.delegate = self
    }

    func controller(
      _ controller: any PresentedResults<Episode>, willApply update: ResultsUpdate<Episode>
    ) {
      print("will change \(controller.snapshot.count) rows")
    }

    func controller(_ controller: any PresentedResults<Episode>, didChange row: RowChange) {
      print(row)
    }

    func controller(
      _ controller: any PresentedResults<Episode>, didApply update: ResultsUpdate<Episode>
    ) {
      print("changed to \(controller.snapshot.count) rows")
    }
  }
  // end
}

extension ObservingResultsTests {
  @Test @MainActor func delegates() async throws {
    let controller = try await ResultsController(
      ModelRequest<Episode>().order(by: \.title), in: store)
    let list = Delegates.EpisodeList(controller)
    try await store.write { try $0.save(Episode(id: 4, title: "Aa", season: 2, minutes: 10)) }

    let presenting = Task { try await list.presenter.present() }
    while delegateLog.count < 3 { await Task.yield() }
    presenting.cancel()

    for line in delegateLog { print(line) }
    try article.expectOutput(of: transcript)
  }
}
