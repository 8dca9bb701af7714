import CommandTesting
import Foundation
import Moho
import Synchronization
import Testing

@testable import EpisodeFeed

/// Details, positions, chapters, refreshing and activities of a service.
@Suite(.timeLimit(.minutes(20))) struct ListeningTests {
  private let store: ModelStore
  private let service: EpisodeService
  private let server: FeedServer

  init() throws {
    store = try ModelStore(inMemory: Episode.self, FeedSubscription.self, PlayingPosition.self)
    service = EpisodeService(store)
    server = try FeedServer()
  }

  private func save(_ episode: Episode) async throws -> Int64 {
    try await store.write { writer in
      try writer.save(episode)
      return try writer.reader.fetchIdentities(
        ModelRequest<Episode>().filter { $0.id == episode.id })[0]
    }
  }

  private func setPosition(_ episode: String, _ seconds: Double) async throws {
    let body = Data(#"{"podcast":"P","episode":"\#(episode)","seconds":\#(seconds)}"#.utf8)
    _ = try await service.perform(.setPosition, body: body)
  }

  @Test func detailsHaveTheNotesAndTheAddressesThatAPageUses() async throws {
    let rowID = try await save(
      Episode(
        id: "1", title: "One", contentHTML: "<p>Notes",
        audioURL: URL(string: "https://a.example/1"),
        duration: 60, chapters: [Chapter(start: 5, title: "B"), Chapter(start: 0, title: "A")],
        podcast: "P"))
    try await store.write { writer in
      try writer.save(
        FeedSubscription(
          url: try #require(URL(string: "https://a.example/feed")), podcast: "P",
          imageURL: URL(string: "https://a.example/2.jpg")))
    }

    let details = try await service.details(of: rowID)

    #expect(details.notes == [NotesNode(.p, [NotesNode("Notes")])])
    #expect(details.audioURL?.absoluteString == "https://a.example/1")
    #expect(details.imageURL?.absoluteString == "https://a.example/2.jpg")
    #expect(details.chapters?.map(\.title) == ["A", "B"])
    #expect(details.hasChapterDocument == nil)
    #expect(try JSONAdapter().model(from: JSONAdapter().data(from: details)) == details)
    await expectPageError(.notFound) { _ = try await service.details(of: 99) }
  }

  @Test func addressesOfOtherKindsAreNotInDetails() async throws {
    let rowID = try await save(
      Episode(
        id: "1", url: URL(string: "javascript:alert(1)"),
        imageURL: URL(string: "file:///etc/passwd"),
        audioURL: URL(string: "data:audio/wav,x"),
        chapters: [Chapter(start: 0, url: URL(string: "javascript:alert(1)"))]))

    let details = try await service.details(of: rowID)

    #expect(details.url == nil && details.imageURL == nil && details.audioURL == nil)
    #expect(details.chapters?.first?.url == nil)
  }

  @Test func aPositionIsRememberedUntilItIsZero() async throws {
    let rowID = try await save(Episode(id: "1", podcast: "P"))
    let other = try await save(Episode(id: "2", podcast: "P"))

    try await setPosition("1", 12.5)
    try await setPosition("1", 13)
    #expect(try await service.details(of: rowID).position == 13)
    #expect(try await service.details(of: other).position == nil)

    try await setPosition("1", 0)
    try await setPosition("1", 0)
    #expect(try await service.details(of: rowID).position == nil)
    await expectPageError(.notFound) { try await setPosition("3", 1) }
  }

  @Test func aPositionIsNotThatOfAnotherEpisodeInTheRow() async throws {
    let episode = Episode(id: "1", podcast: "P")
    let rowID = try await save(episode)
    try await setPosition("1", 5)
    try await store.write { _ = try $0.delete([episode]) }
    let other = try await save(Episode(id: "2", podcast: "P"))

    #expect(other == rowID)
    #expect(try await service.details(of: other).position == nil)
    #expect(try await service.details(of: save(episode)).position == 5)
  }

  @Test func aPositionIsNoChangeOfAList() async throws {
    _ = try await save(Episode(id: "1", podcast: "P"))
    var client = try await service.follow(EpisodeList())
    _ = try await client.next()

    try await setPosition("1", 5)
    try await store.write { _ = try $0.save(Episode(id: "2")) }

    let event = try #require(try await client.next())
    let data = try #require(
      String(decoding: event.text, as: UTF8.self).split(separator: "data: ").last)
    let change: ChangeMessage = try JSONAdapter().model(from: String(data))
    #expect(change.changes.description == "insert [0, 1]")
  }

  @Test func chaptersAreFetchedFromTheirDocument() async throws {
    server["/chapters"] = Data(
      #"{"chapters":[{"startTime":9,"title":"B","url":""},{"title":"x"},{"startTime":-1},{"startTime":0},{"startTime":1,"toc":false}]}"#
        .utf8)
    server["/other"] = Data("[]".utf8)
    let rowID = try await save(Episode(id: "1", chaptersURL: server.url("/chapters")))
    let other = try await save(Episode(id: "2", chaptersURL: server.url("/other")))
    let missing = try await save(Episode(id: "3", chaptersURL: server.url("/none")))
    let none = try await save(Episode(id: "4"))

    #expect(try await service.details(of: rowID).hasChapterDocument == true)
    let chapters = try await service.chapters(of: rowID).chapters
    #expect(chapters == [Chapter(start: 0), Chapter(start: 9, title: "B")])
    await expectPageError(.fetchFailed) { _ = try await service.chapters(of: other) }
    await expectPageError(.fetchFailed) { _ = try await service.chapters(of: missing) }
    await expectPageError(.notFound) { _ = try await service.chapters(of: none) }
  }

  @Test func refreshingReportsWhatIsNewAndWhatFailed() async throws {
    server["/a"] = jsonFeed(title: "A", #"{"id":"1"}"#)
    server["/b"] = jsonFeed(title: "B", #"{"id":"1"}"#)
    for path in ["/a", "/b"] {
      try await EpisodeImporter(store).importFeed(at: server.url(path))
    }
    server["/a"] = jsonFeed(title: "A", #"{"id":"1"},{"id":"2"},{"id":"3"}"#)
    server["/b"] = nil

    let message = try await service.perform(.refresh(podcast: nil))

    #expect(message.message == "2 new episodes. 1 feed failed.")
    #expect(message.details?.count == 1)
    #expect(message.details?[0].hasPrefix("B: ") == true)
    #expect(try await service.perform(.refresh(podcast: "A")).message == "No new episodes.")
    await expectPageError(.invalidRequest) { _ = try await service.perform(.refresh(podcast: "C")) }
  }

  @Test func clientsSeeActivitiesAndCanCancelThem() async throws {
    let activities = Activities()
    let (steps, step) = AsyncStream.makeStream(of: Void.self)
    let work = Task {
      try await activities.run("Working\u{1B}") { progress in
        for await _ in steps { try progress.report(1, of: 2) }
        try await Task.sleep(for: .seconds(3_600))
        return 1
      }
    }
    step.yield()
    while activities.current.message.activities.first?.total != 2 { await Task.yield() }
    let (version, message) = activities.current
    #expect(
      message.activities == [
        .init(id: 1, title: #"Working\u{1B}"#, done: 1, total: 2)
      ])
    step.finish()

    #expect(activities.cancel(1))
    #expect(try await work.value == nil)
    #expect(activities.current.message.activities.isEmpty)
    #expect(activities.current.version > version)
    #expect(!activities.cancel(1))
  }

  @Test func theLastProgressWakesClients() async throws {
    let activities = Activities()
    let (steps, step) = AsyncStream.makeStream(of: Void.self)
    let wakes = Mutex(0)
    activities.onChange { wakes.withLock { $0 += 1 } }
    let work = Task {
      try await activities.run("Working") { progress in
        for number in 1...3 { try progress.report(number, of: 3) }
        for await _ in steps {}
      }
    }
    while activities.current.message.activities.first?.done != 3 { await Task.yield() }
    let before = wakes.withLock { $0 }

    while wakes.withLock({ $0 }) == before { await Task.yield() }

    step.finish()
    _ = try await work.value
  }

  @Test func anErrorEndsAnActivity() async throws {
    let activities = Activities()

    await #expect(throws: PageError.gone) {
      _ = try await activities.run("Working") { _ -> Int in throw PageError.gone }
    }
    #expect(activities.current.message.activities.isEmpty)
  }

  @Test(arguments: [
    (ImportReport(), "No new episodes."), (ImportReport(inserted: 1), "1 new episode."),
    (ImportReport(inserted: 2, updated: 3, unchanged: 9), "2 new episodes, 3 changed."),
    (
      ImportReport(deleted: 4, skipped: 1, skippedValues: 2),
      "No new episodes, 4 deleted, 1 invalid item skipped, 2 invalid values skipped."
    ),
  ])
  func aReportIsASentence(report: ImportReport, sentence: String) {
    #expect(report.sentence == sentence)
  }
}
