import Foundation
import GRDB
import Moho
import Testing

@testable import EpisodeFeed

@Suite(.timeLimit(.minutes(20))) struct PodcastTests {
  private let store: ModelStore

  init() throws {
    store = try ModelStore(inMemory: Episode.self, FeedSubscription.self)
    try store.write { writer in
      try writer.save([
        Episode(id: "1", podcast: "Deep Time"), Episode(id: "2", podcast: "Deep Time"),
        Episode(id: "3", podcast: "Deep Time", isPlayed: true),
        Episode(id: "1", podcast: "Crust", isPlayed: true), Episode(id: "1"),
      ])
    }
  }

  @Test func aClientReceivesThePodcastsAndThenChanges() async throws {
    var client = try EpisodeService(store).followPodcasts()

    #expect(
      try await client.podcasts() == [
        .init(title: "", count: 1, unplayed: 1), .init(title: "Crust", count: 1, unplayed: 0),
        .init(title: "Deep Time", count: 3, unplayed: 2),
      ])

    try await store.writer.write { database in
      try database.execute(sql: "UPDATE Episode SET isPlayed = 1 WHERE id = '2'")
      try database.execute(sql: "DELETE FROM Episode WHERE podcast = ''")
    }
    #expect(
      try await client.podcasts() == [
        .init(title: "Crust", count: 1, unplayed: 0),
        .init(title: "Deep Time", count: 3, unplayed: 1),
      ])
  }

  @Test func anEventHasOneLineAndNoID() throws {
    let message = PodcastsMessage(podcasts: [.init(title: "Deep\nTime", count: 3, unplayed: 2)])

    #expect(
      String(decoding: try ServerEvent(message, version: "1").text, as: UTF8.self) == #"""
        event: podcasts
        data: {"podcasts":[{"title":"Deep\nTime","count":3,"unplayed":2}]}


        """#)
  }

  @Test func aRememberedFeedHasItsPictureAndItsFailure() async throws {
    var client = try EpisodeService(store).followPodcasts()
    _ = try await client.podcasts()
    let feed = FeedSubscription(
      url: try #require(URL(string: "https://a.example/feed")), podcast: "Crust",
      imageURL: URL(string: "https://a.example/1.jpg"), failure: "the server answered 404")

    try await store.write { try $0.save(feed) }

    let podcast = try await client.podcasts()[1]
    #expect(podcast.isRemembered == true)
    #expect(podcast.imageURL == feed.imageURL)
    #expect(podcast.failure == "The server answered 404.")
  }

  @Test func aClientThatComesLaterReceivesThePodcasts() async throws {
    let service = EpisodeService(store)
    var first = try service.followPodcasts()
    _ = try await first.podcasts()

    var second = try service.followPodcasts()

    #expect(try await second.podcasts().map(\.title) == ["", "Crust", "Deep Time"])
    first = second
    try await store.write { _ = try $0.delete([Episode(id: "1")]) }
    #expect(try await first.podcasts().map(\.title) == ["Crust", "Deep Time"])
  }

  @Test func aClientWithoutChangesReceivesHeartbeats() async throws {
    var configuration = ServiceConfiguration()
    configuration.heartbeat = .milliseconds(1)
    var client = try EpisodeService(store, configuration: configuration).followPodcasts()
    _ = try await client.podcasts()
    // The activities.
    while try await client.next() != nil {}

    #expect(try await client.next() == nil)
  }

  @Test func theNumberOfClientsIsLimited() throws {
    var configuration = ServiceConfiguration()
    configuration.clientLimit = 1
    let service = EpisodeService(store, configuration: configuration)
    var client: PodcastsClient? = try service.followPodcasts()

    let error = #expect(throws: PageError.self) { _ = try service.followPodcasts() }
    #expect(error?.code == .busy)
    #expect(client != nil)
    client = nil
    _ = try service.followPodcasts()
  }

  @Test func aPodcastThatCannotBeRequestedIsLeftOut() async throws {
    let title = String(repeating: "a", count: EpisodeList.podcastLimit)
    try await store.write { writer in
      try writer.save([Episode(id: "1", podcast: title), Episode(id: "1", podcast: title + "a")])
    }
    var client = try EpisodeService(store).followPodcasts()

    #expect(try await client.podcasts().map(\.title) == ["", title, "Crust", "Deep Time"])
  }

  @Test func aListHasTheEpisodesThatAreNotPlayed() throws {
    let list = EpisodeList(podcast: "Deep Time", hidesPlayed: true)

    #expect(try store.fetch(list.request).map(\.id) == ["1", "2"])
    #expect(!list.hasSameEpisodes(as: EpisodeList(podcast: "Deep Time")))
  }
}

extension PodcastsClient {
  /// Waits for the next event, and returns its podcasts.
  fileprivate mutating func podcasts() async throws -> [PodcastsMessage.Podcast] {
    while true {
      guard let event = try await next(), event.text.starts(with: Data("event: podcasts".utf8))
      else { continue }
      let lines = String(decoding: event.text, as: UTF8.self).split(separator: "\n")
      let message: PodcastsMessage = try JSONAdapter().model(
        from: String(lines[1].dropFirst("data: ".count)))
      return message.podcasts
    }
  }
}
