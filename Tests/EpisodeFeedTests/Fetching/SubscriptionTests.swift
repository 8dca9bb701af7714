import CommandTesting
import EpisodeFeed
import Foundation
import Moho
import Testing

@Suite struct SubscriptionTests {
  @Test func theMappingHasNoIssues() {
    #expect(FeedSubscription.mapping.issues.isEmpty)
  }

  @Test func aStoreWithoutSubscriptionsOpens() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store.sqlite")
    let before: [Episode]
    do {
      let store = try ModelStore(path: path, models: Episode.self)
      try EpisodeImporter(store).import(Feed(reading: ScreencastItem.three.data))
      before = try await store.fetch(EpisodeList().request)
    }

    let store = try ModelStore(path: path, models: Episode.self, FeedSubscription.self)
    let subscription = FeedSubscription(
      url: URL(filePath: "/feed"), podcast: "Screencast", isMirror: true, entityTag: "x",
      lastModified: "y", fetchedAt: Date(timeIntervalSince1970: 1_795_000_000), failure: "z")
    try await store.write { _ = try $0.save(subscription) }

    #expect(try await store.fetch(EpisodeList().request) == before)
    #expect(try await store.fetch(FeedSubscription.all) == [subscription])
    // The previous version of the program can still open the store.
    let old = try ModelStore(path: path, models: Episode.self)
    #expect(try await old.fetch(EpisodeList().request) == before)
    #expect(try await store.fetch(FeedSubscription.all) == [subscription])
  }

  @Test func aFeedIsForgottenByItsURLOrPodcast() throws {
    let store = try ModelStore(inMemory: Episode.self, FeedSubscription.self)
    let feeds = try ["a", "b", "c"].map { name in
      FeedSubscription(
        url: try #require(URL(string: "http://example.com/\(name)")), podcast: name.uppercased())
    }
    try store.write { _ = try $0.save(feeds) }

    #expect(try store.forgetFeed("http://example.com/b") == [feeds[1]])
    #expect(try store.forgetFeed("C") == [feeds[2]])
    let error = #expect(throws: FeedError.self) { try store.forgetFeed("C") }

    #expect(error?.code == .noSuchFeed)
    #expect(try store.subscriptions() == [feeds[0]])
  }
}
