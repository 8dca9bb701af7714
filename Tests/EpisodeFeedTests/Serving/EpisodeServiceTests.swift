import Foundation
import GRDB
import Moho
import Testing

@testable import EpisodeFeed

@Suite(.timeLimit(.minutes(20))) struct EpisodeServiceTests {
  private let store: ModelStore
  private let service: EpisodeService

  init() throws {
    store = try ModelStore(inMemory: Episode.self, FeedSubscription.self)
    try store.write { _ = try $0.save(Episode.numbered(1...100)) }
    service = EpisodeService(store)
  }

  @Test func aClientReceivesTheListAndThenChanges() async throws {
    var client = try await service.follow(EpisodeList())

    let list = try await client.list()
    #expect(list.sections == [.init(key: .all, count: 100)])
    #expect(list.rows.count == 60)
    #expect(list.rows.first?.episode?.title == "Episode 1")
    #expect(client.version == list.version)

    try await store.write { writer in
      try writer.save(Episode(id: "70", title: "First", publishedAt: Episode.day(9)))
    }
    let change = try await client.change()
    #expect(change.from == list.version)
    #expect(change.count == 100)
    #expect(change.changes.description == "move [0, 69] → [0, 0] changed title, publishedAt")
    #expect(change.episodes?.map(\.episode?.title) == ["First"])
  }

  @Test func aDeletionHasNoValues() async throws {
    var client = try await service.follow(EpisodeList())
    _ = try await client.list()

    try await store.write { _ = try $0.delete(Episode.numbered(3...3)) }

    let change = try await client.change()
    #expect(change.changes.description == "delete [0, 2]")
    #expect(change.episodes == nil)
  }

  @Test func aSlowClientReceivesAllChangesAsOneEvent() async throws {
    var (slow, fast) = (
      try await service.follow(EpisodeList()), try await service.follow(EpisodeList())
    )
    let list = try await slow.list()
    #expect(try await fast.list() == list)

    for number in 1...20 {
      try await rename("5", "Title \(number)")
      _ = try await fast.change()
    }

    let change = try await slow.change()
    #expect(change.from == list.version)
    #expect(change.version == fast.version)
    #expect(change.changes.description == "update [0, 4] → [0, 4] changed title")
    #expect(change.episodes?.map(\.episode?.title) == ["Title 20"])
  }

  @Test func aReconnectingClientReceivesWhatItMissed() async throws {
    var client = try await service.follow(EpisodeList())
    let version = try await client.list().version
    try await rename("5", "Other")

    var again = try await service.follow(EpisodeList(), after: version)

    #expect(try await again.change().from == version)
  }

  @Test func aClientThatWasAwayTooLongReceivesAList() async throws {
    var client = try await service.follow(EpisodeList())
    let version = try await client.list().version
    for number in 0..<ListHistory.limit {
      try await rename("5", "Title \(number)")
      _ = try await client.change()
    }

    var again = try await service.follow(EpisodeList(), after: version)
    #expect(try await again.list().version == client.version)
    var other = try await service.follow(EpisodeList(), after: "x-1")
    #expect(try await other.list().version == client.version)
    await expectPageError(.gone) {
      _ = try await service.rows(EpisodeList(), version: version, from: 0, count: 1)
    }
  }

  @Test func aLargeChangeHasTheValuesOfTheFirstRows() async throws {
    var client = try await service.follow(EpisodeList(sections: .podcast))
    _ = try await client.list()

    try await store.write { writer in
      try writer.save(Episode.numbered(101...300))
    }

    let change = try await client.change()
    #expect(change.changes.rows.count == 200)
    #expect(change.episodes?.map(\.id) == change.changes.rows.prefix(100).map(\.rowID))
  }

  @Test func sectionsHaveTheEpisodesThatAreNotPlayed() async throws {
    try await store.write { writer in
      _ = try writer.delete(ModelRequest<Episode>())
      try writer.save([
        Episode(id: "1", duration: 60, season: 1), Episode(id: "2", duration: 30.5, season: 1),
        Episode(id: "3", season: 2, isPlayed: true),
      ])
    }
    var client = try await service.follow(EpisodeList(sections: .season))
    #expect(
      try await client.list().sections == [
        .init(key: .integer(2), count: 1, unplayed: UnplayedSummary(count: 0)),
        .init(key: .integer(1), count: 2, unplayed: UnplayedSummary(count: 2, seconds: 90.5)),
      ])

    try await store.write { try $0.save(Episode(id: "4", duration: 5, season: 3)) }
    #expect(
      try await client.change().summaries == [
        .init(section: 0, unplayed: UnplayedSummary(count: 1, seconds: 5))
      ])
    _ = try await change(try await rowID("2"), #"{"isPlayed":true}"#)
    let change = try await client.change()
    #expect(
      change.summaries == [
        .init(section: 2, unplayed: UnplayedSummary(count: 1, seconds: 60))
      ])
    #expect(change.changes.sections.map(\.kind) == [.update])
  }

  @Test func aVeryLargeChangeIsAList() async throws {
    var client = try await service.follow(EpisodeList())
    _ = try await client.list()

    try await store.write { writer in
      try writer.save(Episode.numbered(101...2_200))
    }

    #expect(try await client.list().sections.map(\.count) == [2_200])
  }

  /// Runs a body while no list can be fetched: the writing connection fetches
  /// one list at a time.
  private func whileStoreIsBusy(_ body: () async throws -> Void) async throws {
    let (isBusy, sink) = AsyncStream.makeStream(of: Void.self)
    let end = DispatchSemaphore(value: 0)
    let write = Task { [store] in
      try await store.write { _ in
        sink.yield()
        end.wait()
      }
    }
    for await _ in isBusy { break }
    do {
      defer { end.signal() }
      try await body()
    }
    try await write.value
  }

  /// Starts to follow a list for a page.
  private func follow(_ search: String, page: String) async throws -> Task<ListClient, any Error> {
    let list = EpisodeList(search: search)
    let task = Task { [service] in try await service.follow(list, page: page) }
    while !service.followedLists.contains(list) { try await Task.sleep(for: .milliseconds(1)) }
    return task
  }

  @Test func aPageThatOpensAnotherListCancelsTheListItWaitsFor() async throws {
    var tasks: [Task<ListClient, any Error>] = []
    try await whileStoreIsBusy {
      tasks = [try await follow("1", page: "x"), try await follow("12", page: "x")]
      while service.followedLists.count > 1 { try await Task.sleep(for: .milliseconds(1)) }
    }

    let error = await #expect(throws: PageError.self) { try await tasks[0].value }
    #expect(error?.code == .busy)
    var client = try await tasks[1].value
    #expect(try await client.list().sections.map(\.count) == [1])
  }

  @Test func aListThatOtherPagesWaitForIsNotCanceled() async throws {
    var tasks: [Task<ListClient, any Error>] = []
    try await whileStoreIsBusy {
      tasks = [
        try await follow("1", page: "x"), try await follow("1", page: "y"),
        try await follow("12", page: "x"),
      ]
    }

    for (task, count) in zip(tasks.dropFirst(), [12, 1]) {
      var client = try await task.value
      #expect(try await client.list().sections.map(\.count) == [count])
    }
  }

  @Test func aSearchIsFollowed() async throws {
    var client = try await service.follow(EpisodeList(search: "fir"))
    #expect(try await client.list().rows.isEmpty)

    try await rename("5", "The First")
    #expect(try await client.change().changes.description == "insert [0, 0]")
    try await rename("5", "The Second")
    #expect(try await client.change().changes.description == "delete [0, 0]")
  }

  @Test func clientsOfOneListShareAController() async throws {
    let list = EpisodeList(sections: .podcast, search: "episode")
    let clients = [try await service.follow(list), try await service.follow(list)]
    var other = try await service.follow(EpisodeList())

    #expect(Set(service.followedLists) == [list, EpisodeList()])
    _ = try await other.list()
    #expect(clients.count == 2)
  }

  @Test func aListEndsSomeTimeAfterItsLastClientHasLeft() async throws {
    var configuration = ServiceConfiguration()
    configuration.idleTime = .milliseconds(1)
    let service = EpisodeService(store, configuration: configuration)
    var client: ListClient? = try await service.follow(EpisodeList())
    #expect(client != nil)

    client = nil

    while !service.followedLists.isEmpty { await Task.yield() }
    var again = try await service.follow(EpisodeList())
    _ = try await again.list()
  }

  @Test func aPreparedListRemainsOpenWithoutClients() async throws {
    var configuration = ServiceConfiguration()
    configuration.idleTime = .zero
    let service = EpisodeService(store, configuration: configuration)
    let prepared = try await service.prepare(EpisodeList())
    var client = try await service.follow(EpisodeList())
    let version = try await client.list().version

    client = try await service.follow(EpisodeList(search: "1"))
    _ = try await client.list()
    var again = try await service.follow(EpisodeList())

    #expect(try await again.list().version == version)
    withExtendedLifetime(prepared) {}
  }

  @Test func aClientWithoutChangesReceivesHeartbeats() async throws {
    var configuration = ServiceConfiguration()
    configuration.heartbeat = .milliseconds(1)
    let service = EpisodeService(store, configuration: configuration)
    var client = try await service.follow(EpisodeList())
    _ = try await client.list()

    #expect(try await client.next() == nil)
  }

  @Test func theNumbersOfClientsAndListsAreLimited() async throws {
    var configuration = ServiceConfiguration()
    (configuration.clientLimit, configuration.listLimit) = (3, 2)
    let service = EpisodeService(store, configuration: configuration)
    var clients = [
      try await service.follow(EpisodeList()), try await service.follow(EpisodeList(search: "1")),
    ]
    await expectPageError(.busy) { _ = try await service.follow(EpisodeList(search: "2")) }
    clients.append(try await service.follow(EpisodeList()))
    await expectPageError(.busy) { _ = try await service.follow(EpisodeList()) }

    // A list without clients makes room.
    clients = []
    clients.append(try await service.follow(EpisodeList(search: "2")))
    #expect(service.followedLists.contains(EpisodeList(search: "2")))
  }

  @Test func aWaitingClientEndsWhenItsTaskIsCanceled() async throws {
    let client = try await service.follow(EpisodeList())
    let task = Task {
      var client = client
      while true { _ = try await client.next() }
    }

    task.cancel()

    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func aWindowHasTheOrderOfItsVersionAndNewestValues() async throws {
    var client = try await service.follow(EpisodeList())
    let version = try await client.list().version
    try await rename("2", "Renamed")
    try await store.write { _ = try $0.delete(Episode.numbered(3...3)) }

    let window = try await service.rows(EpisodeList(), version: version, from: 1, count: 3)

    #expect(window.rows.map(\.episode?.title) == ["Renamed", nil, "Episode 4"])
    #expect(window.from == 1)
    let end = try await service.rows(EpisodeList(), version: version, from: 98, count: 200)
    #expect(end.rows.count == 2)
    #expect(
      try await service.rows(EpisodeList(), version: version, from: 1 << 30, count: 5).rows == [])
  }

  @Test func aWindowOfAListWithoutClientsIsGone() async {
    await expectPageError(.gone) {
      _ = try await service.rows(EpisodeList(search: "x"), version: "a", from: 0, count: 1)
    }
  }

  @Test func aRowThatCannotBeReadDoesNotHideTheOthers() async throws {
    try await store.writer.write {
      try $0.execute(sql: "UPDATE Episode SET kind = 'series' WHERE id = '2'")
    }
    var client = try await service.follow(EpisodeList())

    let rows = try await client.list().rows

    #expect(rows.count == 60)
    #expect(rows[1].episode?.summary?.contains("invalid value: string \"series\"") == true)
    #expect(rows[2].episode?.title == "Episode 3")
  }

  @Test func editsAreSavedUndoneAndRedone() async throws {
    let rowID = try await rowID("5")

    #expect(try await change(rowID, #"{"title":"Five","isPlayed":true}"#).message == nil)
    #expect(try await store.fetchFirst(request("5"))?.title == "Five")
    #expect(try await change(rowID, #"{"isPlayed":true}"#).message == nil)
    #expect(try await service.perform(.undo).message == "Undone: marked “Five” as played.")
    #expect(try await service.perform(.undo).message == "Undone: renamed “Episode 5”.")
    #expect(try await service.perform(.undo).message == "Nothing to undo.")
    #expect(try await service.perform(.redo).message == "Redone: renamed “Episode 5”.")
    #expect(try await store.fetchFirst(request("5"))?.title == "Five")

    #expect(try await service.perform(.delete(rowID)).message == "Deleted “Five”.")
    await expectPageError(.notFound) { _ = try await service.perform(.delete(rowID)) }
    await expectPageError(.notFound) { _ = try await change(rowID, #"{"title":"Six"}"#) }
    #expect(try await service.perform(.undo).message == "Undone: deleted “Five”.")
    #expect(try await store.fetchFirst(request("5"))?.title == "Five")
  }

  @Test func aChangeOfAValueThatTheUserDidNotSeeIsAConflict() async throws {
    let rowID = try await rowID("5")
    try await rename("5", "Theirs")

    await expectPageError(.conflict) {
      _ = try await change(rowID, #"{"title":"Mine","was":{"title":"Episode 5"}}"#)
    }
    #expect(try await store.fetchFirst(request("5"))?.title == "Theirs")
    _ = try await change(rowID, #"{"title":"Mine","was":{"title":"Theirs"}}"#)
    #expect(try await store.fetchFirst(request("5"))?.title == "Mine")
  }

  @Test func aConflictHasTheOtherTitle() async throws {
    let rowID = try await rowID("5")
    try await rename("5", "The\u{202E}irs")

    let error = await #expect(throws: PageError.self) {
      _ = try await change(rowID, #"{"title":"Mine","was":{"title":"Episode 5"}}"#)
    }

    #expect(
      error?.message == #"""
        Another program has changed the title to "The\u{202E}irs": save again to overwrite its \#
        change.
        """#)
    #expect(error?.current == .init(title: "The\u{202E}irs", isPlayed: false))
    #expect(
      try JSONAdapter().text(from: #require(error)).contains(
        #""current":{"title":"The\#u{202E}irs","isPlayed":false}"#))
  }

  @Test func aConflictDoesNotHaveAVeryLongTitle() async throws {
    let rowID = try await rowID("5")
    try await rename("5", String(repeating: "a", count: 10_000))

    let error = await #expect(throws: PageError.self) {
      _ = try await change(rowID, #"{"title":"Mine","was":{"title":"Episode 5"}}"#)
    }

    #expect(error?.current == .init(title: nil, isPlayed: false))
    #expect((error?.message.count ?? 0) < 200)
  }

  @Test(arguments: [
    ("", "The title is empty."), (" ", "The title is empty."), ("\u{A0}", "The title is empty."),
    (#"a\u0000b"#, "The title contains the character U+0000."),
    (
      String(repeating: "é", count: 501),
      "The title has 501 characters, and at most 500 are allowed."
    ),
  ])
  func aTitleThatIsNotAcceptedIsInvalid(title: String, message: String) async throws {
    let rowID = try await rowID("5")

    let error = await #expect(throws: PageError.self) {
      _ = try await change(rowID, #"{"title":"\#(title)"}"#)
    }

    #expect(error?.code == .invalidTitle)
    #expect(error?.message == message)
    #expect(try await store.fetchFirst(request("5"))?.title == "Episode 5")
  }

  @Test func theAnswerToAnUndoHasTheRow() async throws {
    let rowID = try await rowID("5")
    #expect(try await change(rowID, #"{"title":"Five"}"#).rowID == nil)
    #expect(try await service.perform(.undo).rowID == rowID)
    #expect(try await service.perform(.redo).rowID == rowID)
    #expect(try await service.perform(.delete(rowID)).rowID == nil)

    let inserted = try await service.perform(.undo)

    #expect(try await inserted.rowID == self.rowID("5"))
    #expect(
      try JSONAdapter().text(from: CommandMessage(message: "Done.", rowID: 7))
        == #"{"message":"Done.","id":7}"#)
    #expect(try await service.perform(.redo).rowID == nil)
  }

  @Test func aFeedIsImported() async throws {
    let message = try await service.perform(.importFile, body: Demo.firstVersion).message

    #expect(message == "30 new episodes.")
    await expectPageError(.invalidFeed) {
      _ = try await service.perform(.importFile, body: Data("<html>".utf8))
    }
    #expect(try await store.fetchCount(ModelRequest<Episode>()) == 130)
  }

  @Test func aFeedIsFetchedAndImported() async throws {
    let server = try FeedServer(["/feed.json": Demo.firstVersion])

    #expect(
      try await importFeed(server.url("/feed.json")).message
        == "30 new episodes.")
    #expect(try await store.fetch(FeedSubscription.all).map(\.url) == [server.url("/feed.json")])
    await expectPageError(.fetchFailed) { _ = try await importFeed(server.url("/none.json")) }
  }

  private func importFeed(_ url: URL) async throws -> CommandMessage {
    try await service.perform(.importURL, body: Data(#"{"url":"\#(url.absoluteString)"}"#.utf8))
  }

  @Test func theSecondVersionOfTheDemoArrivesAfterTheFirstClient() async throws {
    let store = try ModelStore(inMemory: Episode.self)
    try Demo.start(in: store)
    let service = EpisodeService(store)
    async let end: Void = Demo.continue(in: store, with: service, after: .zero)

    var client = try await service.follow(EpisodeList(sections: .season))
    let list = try await client.list()
    try await end

    #expect(list.rows.count == 30)
    let change = try await client.change()
    #expect(change.changes.rows.contains { $0.isMove && !$0.changedKeys.isEmpty })
  }

  private func request(_ id: String) -> ModelRequest<Episode> {
    ModelRequest<Episode>().filter { $0.id == id }
  }

  private func rowID(_ id: String) async throws -> Int64 {
    try #require(try await store.fetchIdentities(request(id)).first)
  }

  /// Changes a title like another program.
  private func rename(_ id: String, _ title: String) async throws {
    try await store.writer.write {
      try $0.execute(sql: "UPDATE Episode SET title = ? WHERE id = ?", arguments: [title, id])
    }
  }

  private func change(_ rowID: Int64, _ body: String) async throws -> CommandMessage {
    try await service.perform(.change(rowID), body: Data(body.utf8))
  }
}

extension ListClient {
  fileprivate mutating func list() async throws -> ListMessage {
    try JSONAdapter().model(from: try await data("list"))
  }

  fileprivate mutating func change() async throws -> ChangeMessage {
    try JSONAdapter().model(from: try await data("change"))
  }

  private mutating func data(_ name: String) async throws -> String {
    let event = try #require(try await next())
    let lines = String(decoding: event.text, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0] == "event: \(name)")
    #expect(lines[1] == "id: \(event.version)")
    return String(lines[2].dropFirst("data: ".count))
  }
}
