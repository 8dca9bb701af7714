import DocumentationTesting
import Foundation
import Moho
import Observation
import Synchronization
import Testing

/// The code of the article "Showing results in a list", compiled and run.
@Suite(.timeLimit(.minutes(20))) struct ShowingResultsTests: ArticleTests {
  let article = Article("Sources/MohoResults/MohoResults.docc/ShowingResults.md")
  let transcript = Transcript()

  // snippet
  struct Episode: MappedModel {
    var id: Int
    var title: String
    var season: Int

    static let mapping = Mapping(
      "Episode", Episode.init,
      .key("id", \.id, .unique), .key("title", \.title, .indexed), .key("season", \.season))
  }
  // end

  // snippet
  @MainActor func open(_ store: ModelStore) async throws -> EpisodeScreen {
    let request = ModelRequest<Episode>().order(by: \.season).order(by: \.title)
    let controller = try await ResultsController(request, in: store, sectionedBy: \.season)
    return EpisodeScreen(
      episodes: ObservableResults(controller),
      count: try await ObservableValue(.count(request), in: store))
  }

  @MainActor struct EpisodeScreen {
    let episodes: ObservableResults<Episode>
    let count: ObservableValue<Int>

    var lines: [String] {
      var lines = ["\(count.value) episodes"]
      let list = episodes.snapshot
      for section in list.sections {
        lines.append("Season \(section.name)")
        lines += list.rows(inSection: section.index).map { "  \($0.model?.title ?? "")" }
      }
      return lines
    }
  }
  // end

  @Test @MainActor func theScreenFollowsTheStore() async throws {
    let store = try ModelStore(inMemory: Episode.self)
    try await store.write { writer in
      try writer.save([
        Episode(id: 1, title: "Ash", season: 1), Episode(id: 2, title: "Basalt", season: 2),
      ])
    }
    let screen = try await open(store)
    let changeCount = Mutex(0)
    let lines = withObservationTracking {
      screen.lines
    } onChange: {
      changeCount.withLock { $0 += 1 }
    }
    for line in lines { print(line) }
    try article.expectOutput(of: transcript)

    try await store.write { try $0.save(Episode(id: 3, title: "Cinder", season: 1)) }
    while screen.count.value < 3 || screen.episodes.snapshot.count < 3 { await Task.yield() }

    for line in screen.lines { print(line) }
    try article.expectOutput(
      of: transcript,
      below: "A commit that adds an episode changes both objects. Observation reports the change,"
        + " and the lines are then:")
    #expect(changeCount.withLock { $0 } == 1)
  }

  // snippet
  @MainActor final class EpisodeListModel {
    private let controller: ResultsController<Episode>
    private var list: ResultsSnapshot<Episode>
    private var rowIDs: [Int64]
    private let itemsChanged: (_ position: Int, _ removed: Int, _ added: Int) -> Void

    init(
      _ controller: ResultsController<Episode>,
      itemsChanged: @escaping (_ position: Int, _ removed: Int, _ added: Int) -> Void
    ) {
      self.controller = controller
      self.itemsChanged = itemsChanged
      list = controller.snapshot
      rowIDs = Array(list.index.rowIDs)
    }

    var count: Int { rowIDs.count }

    /// The title at a position. Nil outside the list, and for a row that a later
    /// splice removes.
    func title(at position: Int) -> String? {
      guard rowIDs.indices.contains(position) else { return nil }
      return list.index.path(of: rowIDs[position]).flatMap { list[$0]?.title }
    }

    func follow() async throws {
      for try await update in controller.updates(since: list) {
        let (old, new) = (update.before.index, update.after.index)
        list = update.after
        for splice in update.changes.splices(from: old, to: new) {
          let start = splice.new.lowerBound
          rowIDs.replaceSubrange(
            start..<start + splice.old.count, with: new.rowIDs(atPositions: splice.new))
          itemsChanged(start, splice.old.count, splice.new.count)
        }
      }
    }
  }
  // end

  @Test @MainActor func aListModelReportsSplices() async throws {
    let store = try ModelStore(inMemory: Episode.self)
    try await store.write { writer in
      try writer.save([
        Episode(id: 1, title: "Ash", season: 1), Episode(id: 2, title: "Basalt", season: 1),
        Episode(id: 3, title: "Cinder", season: 1),
      ])
    }
    let controller = try await ResultsController(
      ModelRequest<Episode>().order(by: \.title), in: store)
    var shown = ["Ash", "Basalt", "Cinder"]
    var model: EpisodeListModel?
    let listModel = EpisodeListModel(controller) { position, removed, added in
      print("at \(position): \(removed) removed, \(added) added")
      // The view reads the new rows after each change.
      let titles = (position..<position + added).map { model?.title(at: $0) ?? "?" }
      shown.replaceSubrange(position..<position + removed, with: titles)
      #expect(model?.count == shown.count)
    }
    model = listModel
    let following = Task { try await listModel.follow() }

    try await store.write { try $0.save(Episode(id: 1, title: "Diorite", season: 1)) }
    while shown.last != "Diorite" { await Task.yield() }
    following.cancel()

    #expect(shown == ["Basalt", "Cinder", "Diorite"])
    #expect(listModel.title(at: 3) == nil)
    try article.expectOutput(of: transcript)
  }

  @Test func theArticleMatchesTheCode() throws {
    try article.expectCode()
  }
}
