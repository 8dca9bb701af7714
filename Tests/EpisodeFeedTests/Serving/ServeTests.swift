import CommandTesting
import EpisodeFeed
import Foundation
import GRDB
import Moho
import Testing

/// The server, over connections on this machine.
@Suite(.serialized, .blocking, .timeLimit(.minutes(20))) struct ServeTests {
  private let folder: TemporaryFolder
  private let store: ModelStore
  private let server: ServerProcess

  init() throws {
    folder = try TemporaryFolder()
    store = try ModelStore(path: folder.path("store.sqlite"), models: Episode.self)
    try store.write { _ = try $0.save(Episode.numbered(1...100)) }
    server = try ServerProcess(in: folder)
  }

  private func connection(bufferSize: Int32? = nil) throws -> RawConnection {
    try RawConnection(server.port, bufferSize: bufferSize)
  }

  /// Sends text on a new connection, and returns the response.
  private func response(_ text: String) throws -> (head: String, body: String) {
    let connection = try connection()
    connection.send(text.replacing("\n", with: "\r\n").replacing("PORT", with: "\(server.port)"))
    return try connection.response()
  }

  @Test func everyAnswerHasTheHeadersOfSafety() throws {
    for request in ["GET /", "GET /list.js", "GET /rows", "POST /undo", "GET /none", "PUT /"] {
      let head = try response("\(request) HTTP/1.1\nHost: localhost:PORT\n\n").head

      #expect(head.contains("\r\nContent-Security-Policy: default-src 'none'; script-src 'self';"))
      #expect(head.contains("\r\nX-Content-Type-Options: nosniff\r\n"))
      #expect(head.contains("\r\nReferrer-Policy: no-referrer\r\n"))
      #expect(head.contains("\r\nCross-Origin-Resource-Policy: same-origin\r\n"))
      #expect(!head.contains("Access-Control"))
    }
  }

  @Test func aFileThatTheBrowserHasIsNotSentAgain() throws {
    let head = try response("GET /list.js HTTP/1.1\nHost: localhost:PORT\n\n").head
    let tag = try #require(head.firstMatch(of: /ETag: (\S+)/)?.1)

    let second = try response(
      "GET /list.js HTTP/1.1\nHost: localhost:PORT\nIf-None-Match: \(tag)\n\n")

    #expect(head.hasPrefix("HTTP/1.1 200"))
    #expect(second.head.hasPrefix("HTTP/1.1 304"))
    #expect(second.body == "")
  }

  @Test(arguments: [
    ("GET / HTTP/1.1\nHost: example.com:PORT\n\n", 421, "wrongHost"),
    ("GET / HTTP/1.1\n\n", 421, "wrongHost"),
    ("GET /events HTTP/1.1\nHost: example.com\n\n", 421, "wrongHost"),
    ("POST /undo HTTP/1.1\nHost: localhost:PORT\n\n", 403, "forbiddenOrigin"),
    (
      "POST /undo HTTP/1.1\nHost: localhost:PORT\nOrigin: http://example.com\n\n", 403,
      "forbiddenOrigin"
    ),
    ("GET /../../etc/passwd HTTP/1.1\nHost: localhost:PORT\n\n", 404, "notFound"),
    ("GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\nHost: localhost:PORT\n\n", 404, "notFound"),
    ("GET //etc/passwd HTTP/1.1\nHost: localhost:PORT\n\n", 404, "notFound"),
    ("DELETE / HTTP/1.1\nHost: localhost:PORT\n\n", 405, "invalidMethod"),
    ("GET /events?sections=x HTTP/1.1\nHost: localhost:PORT\n\n", 400, "invalidRequest"),
    ("GET /rows?version=a&from=0&count=1 HTTP/1.1\nHost: localhost:PORT\n\n", 410, "gone"),
    (
      "PATCH /episodes/1 HTTP/1.1\nHost: localhost:PORT\nOrigin: http://localhost:PORT\n"
        + "Content-Length: 2\n\n{}", 415, "unsupportedType"
    ),
    (
      "PATCH /episodes/1 HTTP/1.1\nHost: localhost:PORT\nOrigin: http://localhost:PORT\n"
        + "Content-Type: application/json; charset=utf-8\nContent-Length: 1\n\n{", 400,
      "invalidRequest"
    ),
    (
      "POST /import/file HTTP/1.1\nHost: localhost:PORT\nOrigin: http://localhost:PORT\n"
        + "Content-Length: 4\n\nfeed", 422, "invalidFeed"
    ),
  ])
  func aRefusedRequestHasACode(request: String, status: Int, code: String) throws {
    let answer = try response(request)

    #expect(answer.head.hasPrefix("HTTP/1.1 \(status) "))
    #expect(answer.body.hasPrefix(#"{"error":{"code":"\#(code)","message":""#))
    if status == 405 { #expect(answer.head.contains("\r\nAllow: GET\r\n")) }
  }

  @Test func aLargeHeadIsRefused() throws {
    let field = "X: " + String(repeating: "a", count: 9_000)

    let answer = try response("GET / HTTP/1.1\nHost: localhost:PORT\n\(field)\n\n")

    #expect(answer.head.hasPrefix("HTTP/1.1 431 "))
  }

  /// FlyingFox needed 0.7 s for a path of 7 kB, and minutes for 60 kB.
  @Test func longHeadsTakeLittleTime() throws {
    let before = try server.processorTime()
    let paths = [(7_000, 404, 40), (60_000, 431, 40)]

    for (length, status, count) in paths {
      for _ in 1...count {
        let path = "/" + String(repeating: "a", count: length)
        let head = try response("GET \(path) HTTP/1.1\nHost: localhost:PORT\n\n").head
        #expect(head.hasPrefix("HTTP/1.1 \(status) "))
      }
    }

    let spent = try server.processorTime() - before
    #expect(spent < 4, "80 heads took \(spent) s of the processor")
  }

  @Test func aConnectionWithoutChunksIsServed() throws {
    let connection = try connection()
    connection.send("GET / HTTP/1.0\r\nHost: localhost:\(server.port)\r\n\r\n")

    let text = connection.receiveAll()

    #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(text.contains("\r\nConnection: close\r\n"))
    #expect(text.hasSuffix("</html>\n"))
  }

  @Test func requestsThatArriveTogetherAreAnsweredInOrder() throws {
    let connection = try connection()
    connection.request("GET", "/none", port: server.port)
    connection.request("POST", "/undo", port: server.port)

    #expect(try connection.response().head.hasPrefix("HTTP/1.1 404 "))
    #expect(try connection.response().head.hasPrefix("HTTP/1.1 200 "))
  }

  @Test func aLargeBodyIsRefusedAndTheConnectionContinues() throws {
    let connection = try connection()
    let body = String(repeating: " ", count: (16 << 10) + 1)

    connection.request(
      "PATCH", "/episodes/1", "Content-Type: application/json", body: body, port: server.port)
    #expect(try connection.response().body.hasPrefix(#"{"error":{"code":"tooLarge""#))
    connection.request("POST", "/undo", port: server.port)

    #expect(try connection.response().body == #"{"message":"Nothing to undo."}"#)
  }

  @Test func theBodyOfARefusedCommandIsNotTheNextRequest() throws {
    let connection = try connection()
    let host = "127.0.0.1:\(server.port)"
    let hidden = "DELETE /episodes/1 HTTP/1.1\r\nHost: \(host)\r\nOrigin: http://\(host)\r\n\r\n"
    // FlyingFox reads bodies of this size only when the handler does.
    let body = hidden + String(repeating: " ", count: 3 << 20)

    connection.send(
      "POST /import/file HTTP/1.1\r\nHost: \(host)\r\nOrigin: http://example.com\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n" + body)

    #expect(try connection.response().head.hasPrefix("HTTP/1.1 403 "))
    connection.request("GET", "/none", port: server.port)
    #expect(try connection.response().head.hasPrefix("HTTP/1.1 404 "))
    #expect(try store.fetchCount(ModelRequest<Episode>()) == 100)
  }

  @Test func aChunkedBodyIsReadAndLimited() throws {
    let connection = try connection()
    let feed = String(decoding: Demo.firstVersion, as: UTF8.self)
    let chunk = "\(String(feed.utf8.count, radix: 16))\r\n\(feed)\r\n"

    connection.request("POST", "/import/file", "Transfer-Encoding: chunked", port: server.port)
    connection.send(chunk + "0\r\n\r\n")
    #expect(try connection.response().body.hasPrefix(#"{"message":"30 new episodes."#))

    connection.request(
      "PATCH", "/episodes/1", "Content-Type: application/json", "Transfer-Encoding: chunked",
      port: server.port)
    connection.send(chunk + chunk + "0\r\n\r\n")
    #expect(try connection.response().head.hasPrefix("HTTP/1.1 413 "))
  }

  @Test(arguments: [
    "\r\n\r\n", "nonsense\r\n\r\n", "GET /\r\n\r\n", "\u{0}\u{1}\r\n\r\n",
    "POST /import/file HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
    "POST /import/file HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
    "POST /import/file HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
    "POST /undo HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
    "POST /undo HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "POST /undo HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\naa",
    "POST /undo HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;\(String(repeating: "a", count: 2_000))",
    "GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", "GET / HTTP/2.0\r\n\r\n",
  ])
  func aRequestThatIsNotHTTPEndsTheConnection(text: String) throws {
    let connection = try connection()

    connection.send(text)

    #expect(!connection.receiveAll().contains("200 OK"))
    #expect(try response("GET / HTTP/1.1\nHost: localhost:PORT\n\n").head.hasPrefix("HTTP/1.1 200"))
  }

  @Test func eventsFollowTheListAndContinueAfterReconnecting() async throws {
    let first = try connection()
    first.request("GET", "/events?sections=none", port: server.port)
    let head = try first.receive(until: "\r\n\r\n")
    #expect(head.contains("\r\nContent-Type: text/event-stream\r\n"))
    #expect(head.contains("\r\nCache-Control: no-store\r\n"))
    #expect(try first.receive(until: "\n\n").hasSuffix("retry: 1000\n\n"))
    let list = try first.receive(until: "\n\n")
    let version = try #require(list.firstMatch(of: /id: (\S+)\n/)?.1)
    #expect(list.contains("event: list\n"))

    try await rename("5", "Other")
    let change = try first.receive(until: "\n\n")
    #expect(change.contains("event: change\n"))
    #expect(change.contains(#""changed":["title"]"#))

    let second = try connection()
    second.request(
      "GET", "/events?sections=none", "Last-Event-ID: \(version)", port: server.port)
    _ = try second.receive(until: "retry: 1000\n\n")
    #expect(try second.receive(until: "\n\n").contains(#"data: {"from":"\#(version)","#))

    let third = try connection()
    third.request("GET", "/events?sections=none", "Last-Event-ID: x-1", port: server.port)
    _ = try third.receive(until: "retry: 1000\n\n")
    #expect(try third.receive(until: "\n\n").contains("event: list\n"))
  }

  @Test func aClientThatReadsSlowlyReceivesFewerChanges() async throws {
    let slow = try connection(bufferSize: 4_096)
    slow.request("GET", "/events?sections=none", port: server.port)
    _ = try slow.receive(until: "event: list\n")
    let text = String(repeating: "🌋", count: 490)

    // The buffers of the system take several megabytes.
    let commits = 30
    for number in 1...commits {
      try await store.write { writer in
        try writer.save(
          (1...100).map {
            Episode(
              id: "\($0)", title: "\(number) \(text)", summary: text,
              publishedAt: Episode.day(-$0))
          })
      }
    }

    let events = try slow.receive(until: #""title":"\#(commits) "#)
    #expect((1..<commits).contains(events.split(separator: "event: change\n").count - 1))
    #expect(try slow.receive(until: "\n\n").contains(#""id":100,"#))
  }

  @Test func theServerContinuesWhenClientsDisconnect() async throws {
    for _ in 1...50 {
      let client = try connection()
      client.request("GET", "/events?sections=none", port: server.port)
      _ = try client.receive(until: "\r\n")
    }
    let client = try connection()
    client.request("GET", "/events?sections=none", port: server.port)
    _ = try client.receive(until: "event: list\n")

    for number in 1...5 {
      try await rename("5", "Title \(number)")
      _ = try client.receive(until: "event: change\n")
    }
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func aSignalEndsTheServerAndItsConnections(signal: Int32) async throws {
    let client = try connection()
    client.request("GET", "/events", port: server.port)
    _ = try client.receive(until: "event: list\n")

    #expect(server.end(signal) == 0)
    _ = client.receiveAll()
  }

  @Test func aLockedStoreIsBusy() async throws {
    let folder = folder
    var configuration = GRDB.Configuration()
    configuration.allowsUnsafeTransactions = true
    let locker = try DatabaseQueue(path: folder.path("store.sqlite"), configuration: configuration)
    let server = try ServerProcess(
      ["serve", "--store", "store.sqlite", "--lock-timeout", "0.05"], in: folder)
    try await locker.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    let connection = try RawConnection(server.port)

    connection.request("DELETE", "/episodes/1", port: server.port)

    let answer = try connection.response()
    #expect(answer.head.hasPrefix("HTTP/1.1 503 "))
    #expect(answer.body.contains("Another program has locked the store"))
  }

  @Test func aUsedPortIsAnError() async throws {
    let result = try await Tool.episodeFeed.run(
      ["serve", "--store", "store.sqlite", "--port", "\(server.port)"], in: folder)

    #expect(result.status == 73)
    #expect(
      result.errors == """
        Error: port \(server.port) is used by another program
        End the other program, or choose another port with --port.

        """)
  }

  @Test func aMissingStoreIsCreated() throws {
    let server = try ServerProcess(["serve", "--store", "new.sqlite"], in: folder)
    let client = try RawConnection(server.port)

    client.request(
      "POST", "/import/file", body: String(decoding: Demo.firstVersion, as: UTF8.self),
      port: server.port)

    #expect(try client.response().head.hasPrefix("HTTP/1.1 200 "))
    let store = try ModelStore(path: folder.path("new.sqlite"), models: Episode.self)
    #expect(try store.fetchCount(ModelRequest<Episode>()) == 30)
  }

  @Test func aStoreThatCannotBeCreatedIsAnError() async throws {
    let result = try await Tool.episodeFeed.run(
      ["serve", "--store", "none/none.sqlite"], in: folder)

    #expect(result.status != 0)
    #expect(result.errors.hasPrefix("Error: none/none.sqlite: "))
    #expect(result.output.isEmpty)
  }

  // The browser tests show that the second version arrives.
  @Test func theDemoServesTheFirstVersion() throws {
    let server = try ServerProcess(["demo", "--serve"], in: folder)
    let client = try RawConnection(server.port)

    client.request("GET", "/events?sections=season", port: server.port)

    _ = try client.receive(until: "event: list\n")
    #expect(try client.receive(until: "\n\n").contains("The Seismograph"))
    #expect(server.end(SIGINT) == 0)
  }

  @Test(arguments: [
    ["serve", "--port", "65536"], ["serve", "--port", "-1"], ["serve", "--port", "http"],
    ["demo", "--port", "8080"], ["serve", "--store", ""],
  ])
  func invalidArgumentsAreRejected(arguments: [String]) async throws {
    #expect(try await Tool.episodeFeed.run(arguments, in: folder).status == 64)
  }

  /// Changes a title like another program.
  private func rename(_ id: String, _ title: String) async throws {
    try await store.writer.write {
      try $0.execute(sql: "UPDATE Episode SET title = ? WHERE id = ?", arguments: [title, id])
    }
  }
}
