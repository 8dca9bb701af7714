import CommandTesting
import EpisodeFeed
import Foundation
import Testing

@Suite(.timeLimit(.minutes(20))) struct FeedFetcherTests {
  private static let feed = jsonFeed(#"{"id": "1", "title": "Gneiss"}"#)

  /// Fetches the root of a server with short limits.
  private func fetch(
    since validators: Validators? = nil, bytes: Int = 100_000, time: Duration = .seconds(60),
    _ answer: @escaping @Sendable (FaultyServer.Request) -> [FaultyServer.Step]
  ) async throws -> FetchedFeed {
    let server = try FaultyServer(answer)
    var limits = FeedFetcher.Limits()
    limits.bytes = bytes
    limits.time = time
    return try await FeedFetcher(limits).fetch(server.url(), since: validators)
  }

  private func error(
    bytes: Int = 100_000, time: Duration = .seconds(60),
    _ answer: @escaping @Sendable (FaultyServer.Request) -> [FaultyServer.Step]
  ) async -> FetchError? {
    await #expect(throws: FetchError.self) {
      try await fetch(bytes: bytes, time: time, answer)
    }
  }

  @Test func aDocumentIsFetchedWithItsValidators() async throws {
    let headers = ["ETag": "W/\"x\"", "last-modified": "Thu, 19 Nov 2026 08:00:00 GMT"]
    let result = try await fetch { _ in [.document(Self.feed, headers)] }

    #expect(result.document?.data == Self.feed)
    #expect(
      result.document?.validators
        == Validators(entityTag: "W/\"x\"", lastModified: "Thu, 19 Nov 2026 08:00:00 GMT"))
    #expect(result.document?.baseURL == result.url)
  }

  @Test func validatorsAreSentAndAnUnchangedDocumentIsNotReceived() async throws {
    let server = try FaultyServer { _ in [.response(304)] }
    let validators = Validators(entityTag: "\"x\"", lastModified: "Thu, 19 Nov 2026 08:00:00 GMT")

    let result = try await FeedFetcher().fetch(server.url(), since: validators)

    #expect(result.document == nil)
    #expect(server.requests.first?.headers["if-none-match"] == "\"x\"")
    #expect(
      server.requests.first?.headers["if-modified-since"] == "Thu, 19 Nov 2026 08:00:00 GMT")
  }

  @Test(arguments: ["\"x\"\r\nX-Other: y", "\u{0}", "x\u{7F}"])
  func validatorsThatAreNotValidHeadersAreNotSent(tag: String) async throws {
    let server = try FaultyServer { _ in [.document(Self.feed)] }

    _ = try await FeedFetcher().fetch(server.url(), since: Validators(entityTag: tag))

    let headers = try #require(server.requests.first?.headers)
    #expect(headers["if-none-match"] == nil)
    #expect(headers["x-other"] == nil)
  }

  @Test func anUnchangedDocumentWithoutValidatorsIsAnError() async {
    #expect(await error { _ in [.response(304)] }?.code == .status(304))
  }

  private static let complete: [(String, [FaultyServer.Step])] = [
    ("without a length", [FaultyServer.Step.response(200, [:], feed)]),
    (
      "in slow parts",
      [
        .response(length: feed.count), .send(feed.prefix(20)), .pause(.milliseconds(100)),
        .send(feed.dropFirst(20)),
      ]
    ),
    (
      "in chunks",
      [
        .response(200, ["Transfer-Encoding": "chunked"]),
        .send(
          Data("\(String(feed.count, radix: 16))\r\n".utf8) + feed + Data("\r\n0\r\n\r\n".utf8)),
      ]
    ),
    ("with more bytes than its length", [.response(200, [:], feed + feed, length: feed.count)]),
    (
      "after other responses",
      [.repeat(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8), 20), .document(feed)]
    ),
  ]

  @Test(arguments: complete)
  func aDocumentIsReceived(how: String, steps: [FaultyServer.Step]) async throws {
    #expect(try await fetch { _ in steps }.document?.data == Self.feed)
  }

  private static let cut: [(String, [FaultyServer.Step])] = [
    ("nothing", []),
    ("a part of the status", [FaultyServer.Step.send(Data("HTTP/1.1 ".utf8))]),
    ("a part of the body", [.response(200, [:], feed.prefix(20), length: feed.count)]),
    (
      "a wrong chunk",
      [.response(200, ["Transfer-Encoding": "chunked"], Data("zz\r\nhello".utf8))]
    ),
    (
      "a part of a chunk",
      [.response(200, ["Transfer-Encoding": "chunked"], Data("200\r\n".utf8) + feed)]
    ),
  ]

  @Test(arguments: cut)
  func aConnectionThatIsClosedEarlyIsAnError(after: String, steps: [FaultyServer.Step]) async {
    let error = await error { _ in steps }

    #expect(error?.code == .incomplete)
    #expect(error?.isTemporary == true)
  }

  @Test func aConnectionThatIsClosedAnywhereBeforeTheEndIsAnError() async throws {
    let response = Data(
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\n[{}]".utf8)
    let server = try FaultyServer { request in
      [.send(response.prefix(Int(request.path.dropFirst()) ?? 0))]
    }

    await withDiscardingTaskGroup { group in
      for count in 0..<response.count {
        group.addTask {
          let error = await #expect(throws: FetchError.self, "\(count) bytes") {
            try await FeedFetcher().fetch(server.url("/\(count)"))
          }
          #expect(error?.code == .incomplete, "\(count) bytes")
        }
      }
    }
    let complete = try await FeedFetcher().fetch(server.url("/\(response.count)"))
    #expect(complete.document?.data == Data("[{}]".utf8))
  }

  private static let invalid: [[FaultyServer.Step]] = [
    [FaultyServer.Step.send(Data("hello\r\n\r\n".utf8))],
    [.document(feed, ["Content-Encoding": "gzip"])],
    [.document(feed, ["Content-Encoding": "rot13"])],
    [
      .send(Data("HTTP/1.1 200 OK\r\n".utf8)),
      .repeat(Data("X: \(String(repeating: "x", count: 1000))\r\n".utf8), 100_000),
    ],
    [
      .send(Data("HTTP/1.1 200 OK\r\nX: ".utf8)),
      .repeat(Data(repeating: 120, count: 1000), 100_000),
    ],
  ]

  @Test(arguments: invalid)
  func anInvalidResponseIsAnError(steps: [FaultyServer.Step]) async {
    let error = await error { _ in steps }

    #expect(error?.code == .invalidResponse, "\(String(describing: error))")
  }

  @Test func gzipIsDecoded() async throws {
    let zipped = try await gzipped(Self.feed, in: TemporaryFolder())

    let result = try await fetch { request in
      #expect(request.headers["accept-encoding"] == "gzip")
      return [.document(zipped, ["Content-Encoding": "gzip"])]
    }

    #expect(result.document?.data == Self.feed)
  }

  @Test func corruptGzipIsAnError() async throws {
    var zipped = try await gzipped(Self.feed, in: TemporaryFolder())
    zipped[zipped.count - 6] ^= 0xFF

    let error = await error { [zipped] _ in [.document(zipped, ["Content-Encoding": "gzip"])] }

    #expect(error?.code == .invalidResponse)
  }

  @Test func dataAfterAGzipStreamIsAnError() async throws {
    let zipped = try await gzipped(Self.feed, in: TemporaryFolder()) + Data("more".utf8)

    let error = await error { _ in [.document(zipped, ["Content-Encoding": "gzip"])] }

    #expect(
      error?.reason
        == "the response is invalid: it has data after the end of its gzip stream")
  }

  @Test func theLimitAppliesToTheDecodedSize() async throws {
    let folder = try TemporaryFolder()
    let small = try await gzipped(Data(count: 100_000), in: folder)
    let large = try await gzipped(Data(count: 100_001), in: folder)
    let headers = ["Content-Encoding": "gzip"]

    #expect(try await fetch { _ in [.document(small, headers)] }.document?.data.count == 100_000)
    let error = await error { _ in [.document(large, headers)] }
    #expect(error?.code == .tooLarge)
    #expect(error?.reason == "the document is larger than 100000 bytes")
  }

  @Test(arguments: [nil, 1 << 40])
  func anEndlessDocumentIsCanceled(length: Int?) async {
    let error = await error { _ in
      [.response(length: length), .repeat(Data(count: 10_000), 1_000_000)]
    }

    #expect(error?.code == .tooLarge)
  }

  private static let silent: [[FaultyServer.Step]] = [
    [FaultyServer.Step.hang], [.response(length: 10), .send(Data(count: 5)), .hang],
    [.send(Data("HTTP/1.1 302 X\r\nLocation: /a\r\n".utf8)), .hang],
  ]

  @Test(arguments: silent)
  func aServerThatDoesNotRespondIsCanceled(steps: [FaultyServer.Step]) async {
    let error = await error(time: .milliseconds(200)) { _ in steps }

    #expect(error?.code == .timedOut)
    #expect(error?.reason == "the server did not respond completely within 200 milliseconds")
  }

  @Test func theTimeLimitIncludesRedirects() async {
    let error = await error(time: .milliseconds(300)) { request in
      [.pause(.milliseconds(100)), .redirect(302, to: request.path + "x")]
    }

    #expect(error?.code == .timedOut)
  }

  @Test func aCanceledTaskEndsTheFetch() async throws {
    let server = try FaultyServer { _ in [.hang] }
    let task = Task { try await FeedFetcher().fetch(server.url()) }
    while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }

    task.cancel()

    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func aCanceledTaskClosesTheConnection() async throws {
    let server = try FaultyServer { _ in [.response(), .hang] }
    let task = Task { try await FeedFetcher().fetch(server.url()) }
    while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }

    task.cancel()

    while server.connectionCount > 0 { try await Task.sleep(for: .milliseconds(5)) }
  }

  @Test func fetchesThatHangDoNotDelayOthers() async throws {
    let silent = try FaultyServer { _ in [.hang] }
    let server = try FaultyServer { _ in [.document(Self.feed)] }
    var limits = FeedFetcher.Limits()
    limits.time = .seconds(3_600)
    let fetcher = FeedFetcher(limits)
    let hanging = (1...20).map { number in
      Task { try await fetcher.fetch(silent.url("/\(number)")) }
    }
    while silent.requests.count < 20 { try await Task.sleep(for: .milliseconds(5)) }

    #expect(try await FeedFetcher().fetch(server.url()).document?.data == Self.feed)

    #expect(silent.connectionCount == 20)
    for task in hanging { task.cancel() }
    for task in hanging { await #expect(throws: CancellationError.self) { try await task.value } }
  }

  @Test func aCanceledTaskSendsNoRequest() async throws {
    let server = try FaultyServer { _ in [.hang] }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await FeedFetcher().fetch(server.url())
    }

    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(server.requests.isEmpty)
  }

  private static let statuses: [(Int, [String: String], String, Bool)] = [
    (404, [:], "the server responded with status 404 (not found)", false),
    (410, [:], "the server responded with status 410 (the feed was removed)", false),
    (
      401, ["WWW-Authenticate": "Basic realm=\"x\""],
      "the server responded with status 401 (a password is required)", false
    ),
    (418, [:], "the server responded with status 418", false),
    (429, [:], "the server responded with status 429 (too many requests)", true),
    (500, [:], "the server responded with status 500 (the server failed)", true),
    (503, [:], "the server responded with status 503 (the server is not available)", true),
  ]

  @Test(arguments: statuses)
  func aStatusIsAnError(
    status: Int, headers: [String: String], reason: String, isTemporary: Bool
  ) async {
    let error = await error { _ in [.response(status, headers, Data("no".utf8), length: 2)] }

    #expect(error?.code == .status(status))
    #expect(error?.reason == reason)
    #expect(error?.isTemporary == isTemporary)
  }

  @Test(arguments: [
    ("120", "Try again in 2 minutes."), ("3661", "Try again in 1 hour, 1 minute, 1 second."),
    ("Fri, 20 Nov 2026 08:00:00 GMT", "Try again after Fri, 20 Nov 2026 08:00:00 GMT."),
    ("-1", "Try again later."), ("soon", "Try again later."),
    ("99999999999999999999", "Try again later."),
  ])
  func theAdviceHasTheTimeOfTheNextTry(header: String, advice: String) async {
    let error = await error { _ in [.response(429, ["Retry-After": header], length: 0)] }

    #expect(error?.advice == advice)
  }

  @Test(arguments: ["ftp://127.0.0.1/feed", "file:///etc/passwd", "feed.json", "http://"])
  func onlyHTTPURLsAreFetched(text: String) async throws {
    let url = try #require(URL(string: text))

    let error = await #expect(throws: FetchError.self) { try await FeedFetcher().fetch(url) }

    #expect(error?.code == .invalidURL)
  }

  @Test func aPasswordInAURLIsAnErrorThatDoesNotShowIt() async throws {
    let url = try #require(URL(string: "http://user:pass123@127.0.0.1/feed"))

    let error = await #expect(throws: FetchError.self) { try await FeedFetcher().fetch(url) }

    #expect(error?.code == .invalidURL)
    #expect(error.map { "\($0)" }?.contains("pass123") == false)
  }

  @Test func aServerThatDoesNotExistIsUnreachable() async throws {
    let url = try { try FaultyServer { _ in [] }.url() }()

    let error = await #expect(throws: FetchError.self) { try await FeedFetcher().fetch(url) }

    #expect(error?.code == .unreachable)
  }
}
