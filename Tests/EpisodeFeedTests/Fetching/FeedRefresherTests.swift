import EpisodeFeed
import Foundation
import Moho
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(20))) struct FeedRefresherTests {
  private let store: ModelStore
  private let server: FeedServer

  init() throws {
    store = try ModelStore(inMemory: Episode.self, FeedSubscription.self)
    server = try FeedServer()
  }

  private func feed(_ title: String, _ ids: String...) -> Data {
    jsonFeed(
      title: title,
      ids.map { #"{"id": "\#($0)", "title": "\#(title) \#($0)"}"# }.joined(separator: ","))
  }

  private var episodes: [String] {
    get throws {
      try store.fetch(ModelRequest<Episode>().order(by: \.podcast).order(by: \.id))
        .map { "\($0.podcast) \($0.id)" }
    }
  }

  /// Refreshes all feeds and returns a description of each result, by podcast.
  private func refresh() async throws -> [String: String] {
    var results: [String: String] = [:]
    try await FeedRefresher(store).refresh(store.fetch(FeedSubscription.all)) { result in
      results[result.subscription.podcast] =
        switch result.outcome {
        case .unchanged: "unchanged"
        case .imported(let report, _): "\(report)"
        case .failed(let error): "\(error)"
        }
    }
    return results
  }

  @Test func importingAURLRemembersIt() async throws {
    server["/a"] = feed("A", "1", "2")

    let report = try await EpisodeImporter(store).importFeed(at: server.url("/a"))

    #expect(report == ImportReport(inserted: 2))
    let subscription = try #require(try await store.fetch(FeedSubscription.all).first)
    #expect(subscription.url == server.url("/a"))
    #expect(subscription.podcast == "A")
    #expect(subscription.entityTag != nil)
    #expect(subscription.fetchedAt != nil)
    #expect(subscription.failure == nil)
  }

  @Test func anErrorImportsAndRemembersNothing() async throws {
    server["/a"] = Data("hello".utf8)
    server["/b"] = jsonFeed(#"{"id": "1"}"#, "7")

    await #expect(throws: FeedError.self) {
      try await EpisodeImporter(store).importFeed(at: server.url("/a"))
    }
    await #expect(throws: FeedError.self) {
      let importer = EpisodeImporter(store)
      _ = try await importer.import(importer.fetchFeed(at: server.url("/b"), isStrict: true))
    }
    await #expect(throws: FetchError.self) {
      try await EpisodeImporter(store).importFeed(at: server.url("/c"))
    }

    #expect(try episodes == [])
    #expect(try await store.fetch(FeedSubscription.all) == [])
  }

  @Test func anUnchangedFeedIsNotImported() async throws {
    server["/a"] = feed("A", "1")
    try await EpisodeImporter(store).importFeed(at: server.url("/a"))
    try await store.write { _ = try $0.delete(ModelRequest<Episode>()) }

    #expect(try await refresh() == ["A": "unchanged"])
    #expect(try episodes == [])
  }

  @Test func importingAgainRestoresTheEpisodesOfAnUnchangedFeed() async throws {
    server["/a"] = feed("A", "1")
    try await EpisodeImporter(store).importFeed(at: server.url("/a"))
    try await store.write { _ = try $0.delete(ModelRequest<Episode>()) }

    let report = try await EpisodeImporter(store).importFeed(at: server.url("/a"))

    #expect(report == ImportReport(inserted: 1))
  }

  @Test func changedFeedsAreImportedAndFailuresDoNotAffectOthers() async throws {
    for name in ["A", "B", "C", "D", "E", "F"] {
      server["/\(name)"] = feed(name, "1")
      try await EpisodeImporter(store).importFeed(at: server.url("/\(name)"))
    }
    server["/B"] = feed("B", "1", "2")
    server["/C"] = nil
    server["/D"] = Data("{".utf8)

    let results = try await refresh()

    #expect(results["A"] == "unchanged")
    #expect(results["B"] == "inserted 1, updated 0, unchanged 1, deleted 0, skipped 0")
    #expect(results["C"]?.hasPrefix("the server responded with status 404") == true)
    #expect(results["D"]?.hasPrefix("not JSON") == true)
    #expect(results.count == 6)
    let failures = try await store.fetch(FeedSubscription.all).map(\.failure)
    #expect(failures.map { $0 != nil } == [false, false, true, true, false, false])
    #expect(try episodes == ["A 1", "B 1", "B 2", "C 1", "D 1", "E 1", "F 1"])

    server["/C"] = feed("C", "1")
    server["/D"] = feed("D", "1")
    #expect(try await Set(refresh().values).count == 1)
    #expect(try await store.fetch(FeedSubscription.all).allSatisfy { $0.failure == nil })
  }

  @Test func aFailedImportIsRepeatedAlthoughTheDocumentIsUnchanged() async throws {
    server["/a"] = feed("A", "1")
    try await EpisodeImporter(store).importFeed(at: server.url("/a"))
    server["/a"] = jsonFeed(title: "A", "7")

    #expect(try await refresh()["A"]?.hasPrefix("invalid feed") == true)
    #expect(try await refresh()["A"]?.hasPrefix("invalid feed") == true)
  }

  @Test func aRefreshMirrorsAndSkipsAsTheImportDid() async throws {
    server["/mirror"] = feed("Mirror", "1", "2")
    server["/lossy"] = feed("Lossy", "1", "2")
    let importer = EpisodeImporter(store)
    _ = try await importer.import(importer.fetchFeed(at: server.url("/mirror"), isMirror: true))
    _ = try await importer.import(importer.fetchFeed(at: server.url("/lossy")))
    server["/mirror"] = feed("Mirror", "2", "3")
    server["/lossy"] = jsonFeed(title: "Lossy", #"{"id": "3"}"#, "7")

    let results = try await refresh()

    #expect(
      results["Mirror"] == "inserted 1, updated 0, unchanged 1, deleted 1, skipped 0")
    #expect(results["Lossy"] == "inserted 1, updated 0, unchanged 0, deleted 0, skipped 1")
    #expect(try episodes == ["Lossy 1", "Lossy 2", "Lossy 3", "Mirror 2", "Mirror 3"])
  }

  @Test func aNewTitleOfTheFeedDoesNotDuplicateItsEpisodes() async throws {
    server["/a"] = feed("Old", "1")
    server["/b"] = feed("B", "1")
    let importer = EpisodeImporter(store)
    try await importer.importFeed(at: server.url("/a"))
    _ = try await importer.import(importer.fetchFeed(at: server.url("/b"), podcast: "Mine"))
    server["/a"] = feed("New", "1", "2")
    server["/b"] = feed("B", "1", "2")

    _ = try await refresh()
    try await importer.importFeed(at: server.url("/a"))

    #expect(try episodes == ["Mine 1", "Mine 2", "Old 1", "Old 2"])
  }

  @Test func aPermanentRedirectUpdatesTheURL() async throws {
    let target = server
    target["/a"] = feed("A", "1")
    try await EpisodeImporter(store).importFeed(at: target.url("/a"))
    let old = try FaultyServer { _ in [.redirect(301, to: target.url("/a").absoluteString)] }
    try await EpisodeImporter(store).importFeed(at: old.url("/feed"))
    #expect(try await store.fetch(FeedSubscription.all).map(\.url) == [target.url("/a")])

    let moved = FeedSubscription(url: old.url("/moved"), podcast: "A")
    try await store.write { _ = try $0.save(moved) }
    _ = try await refresh()

    #expect(try await store.fetch(FeedSubscription.all).map(\.url) == [target.url("/a")])
  }

  @Test func aFeedThatIsForgottenDuringARefreshStaysForgotten() async throws {
    let store = store
    let old = try await store.fetch(FeedSubscription.all)
    #expect(old == [])
    let data = feed("A", "1")
    let server = try FaultyServer { _ in
      #expect(throws: Never.self) { _ = try store.forgetFeed("A") }
      return [.document(data)]
    }
    try await store.write { _ = try $0.save(FeedSubscription(url: server.url(), podcast: "A")) }

    let results = try await refresh()

    #expect(results["A"] == "no such feed: the feed was forgotten while it was fetched")
    #expect(try episodes == [])
    #expect(try await store.fetch(FeedSubscription.all) == [])
  }

  @Test func atMostFourFeedsAreFetchedAtTheSameTime() async throws {
    let current = Counter()
    let data = feed("A", "1")
    let server = try FaultyServer { _ in
      current.enter()
      current.wait(until: 4)
      // A fifth fetch could begin now.
      Thread.sleep(forTimeInterval: 0.02)
      current.leave()
      return [.document(data)]
    }
    let feeds = (1...12).map { FeedSubscription(url: server.url("/\($0)"), podcast: "P\($0)") }
    try await store.write { _ = try $0.save(feeds) }

    let results = try await refresh()

    #expect(results.count == 12)
    #expect(current.highest == 4)
  }

  @Test func aCanceledRefreshEndsAndRecordsNoFailure() async throws {
    let server = try FaultyServer { _ in [.hang] }
    try await store.write {
      _ = try $0.save((1...9).map { FeedSubscription(url: server.url("/\($0)"), podcast: "P") })
    }
    let task = Task { try await refresh() }
    while server.requests.count < 4 { try await Task.sleep(for: .milliseconds(5)) }

    task.cancel()

    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(server.requests.count == 4)
    #expect(try await store.fetch(FeedSubscription.all).allSatisfy { $0.failure == nil })
  }
}

/// Counts the threads in a section.
private final class Counter: Sendable {
  private let state = Mutex((current: 0, highest: 0))

  func enter() {
    state.withLock { state in
      state.current += 1
      state.highest = max(state.highest, state.current)
    }
  }

  func leave() { state.withLock { $0.current -= 1 } }

  /// Waits until as many threads have been in the section at the same time, for at most 30
  /// seconds.
  func wait(until count: Int) {
    let deadline = Date() + 30
    while highest < count, Date() < deadline { Thread.sleep(forTimeInterval: 0.001) }
  }

  var highest: Int { state.withLock { $0.highest } }
}
