import CommandTesting
import Foundation
import Testing

@testable import EpisodeFeed

@Suite(.timeLimit(.minutes(20))) struct TransferTests {
  @Test func aCompressedBodyIsDecodedOnlyUntilTheLimit() async throws {
    let zipped = try await gzipped(Data(count: 50_000_000), in: TemporaryFolder())
    let server = try FaultyServer { _ in [.document(zipped, ["Content-Encoding": "gzip"])] }
    var limits = FeedFetcher.Limits()
    limits.bytes = 100_000
    let transfer = Transfer(server.url(), [], limits)

    let error = await #expect(throws: FetchError.self) { try await transfer.response() }

    #expect(error?.code == .tooLarge)
    // libcurl delivers parts of at most 64 kB.
    #expect((100_001...(100_000 + 1 << 16)).contains(transfer.deliveredCount))
  }

  @Test(arguments: [FaultyServer.Step.hang, .repeat(Data(count: 10_000), 1_000_000)])
  func theBodyOfARedirectOrAnErrorIsNotReceived(step: FaultyServer.Step) async throws {
    for status in [301, 404] {
      let server = try FaultyServer { _ in [.response(status, length: 1 << 40), step] }
      let transfer = Transfer(server.url(), [], FeedFetcher.Limits())

      let response = try await transfer.response()

      #expect(response.status == status)
      #expect(response.body.isEmpty)
      #expect(transfer.deliveredCount == 0)
    }
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "dict://x/"])
  func otherProtocolsAreRefused(url: String) async throws {
    let transfer = Transfer(try #require(URL(string: url)), [], FeedFetcher.Limits())

    let error = await #expect(throws: FetchError.self) { try await transfer.response() }

    #expect(error?.code == .invalidResponse)
    #expect(transfer.deliveredCount == 0)
  }
}

/// Heads and bodies without a connection.
@Suite struct IncomingResponseTests {
  private let url = URL(filePath: "/feed")

  /// A response of the given lines.
  private func response(
    _ lines: String..., headerBytes: Int = 1_000, bytes: Int = 10
  ) throws -> IncomingResponse {
    var limits = FeedFetcher.Limits()
    limits.headerBytes = headerBytes
    limits.bytes = bytes
    var response = IncomingResponse(from: url, limits)
    for line in lines { try response.addHeaderLine(Array("\(line)\r\n".utf8)) }
    return response
  }

  @Test func theHeadEndsWithAnEmptyLine() throws {
    let open = try response("HTTP/1.1 200 OK", "ETag: \"x\"", "X:")
    let complete = try response("HTTP/2 404 ", "etag:\"a:b\" ", "Vary: a", "vary: b", "")

    #expect(!open.hasHead)
    #expect(open.status == 200)
    #expect(open.headers == ["etag": "\"x\"", "x": ""])
    #expect(complete.hasHead)
    #expect(complete.status == 404)
    #expect(complete.headers == ["etag": "\"a:b\"", "vary": "a, b"])
  }

  @Test func informationalResponsesAndTrailersAreIgnored() throws {
    let response = try response(
      "HTTP/1.1 103 Early Hints", "ETag: \"y\"", "", "HTTP/1.1 200 OK", "X: z", "",
      "ETag: \"w\"", "HTTP/1.1 500 X", "")

    #expect(response.status == 200)
    #expect(response.headers == ["x": "z"])
  }

  @Test func theLimitAppliesToAllHeads() throws {
    let lines = ["HTTP/1.1 100 Continue", "", "HTTP/1.1 200 OK", ""]
    let size = lines.joined(separator: "\r\n").utf8.count + 2

    #expect(
      try response(lines[0], lines[1], lines[2], lines[3], headerBytes: size).headerSize == size)
    let error = #expect(throws: FetchError.self) {
      try response(lines[0], lines[1], lines[2], lines[3], headerBytes: size - 1)
    }
    #expect(error?.code == .invalidResponse)
    #expect(
      error?.reason == "the response is invalid: its headers are larger than \(size - 1) bytes")
  }

  @Test(arguments: [
    ["Content-Encoding: br"], ["Content-Encoding: deflate"], ["Content-Encoding: gzip, gzip"],
    ["Content-Encoding: gzip", "Content-Encoding: gzip"], ["Transfer-Encoding: gzip, chunked"],
    ["Content-Encoding: \u{1B}[2J"],
  ])
  func otherCodingsThanGzipAreRefused(lines: [String]) throws {
    var response = try response("HTTP/1.1 200 OK")
    for line in lines { try response.addHeaderLine(Array("\(line)\r\n".utf8)) }

    let error = #expect(throws: FetchError.self) { try response.addHeaderLine(Array("\r\n".utf8)) }

    #expect(error?.code == .invalidResponse)
    #expect(error?.reason.contains("\u{1B}") == false)
  }

  @Test(arguments: [
    "Content-Encoding: GZIP", "content-encoding: identity", "Content-Encoding:",
    "Transfer-Encoding: chunked",
  ])
  func gzipAndNoCodingAreAccepted(line: String) throws {
    #expect(try response("HTTP/1.1 200 OK", line, "").hasHead)
  }

  @Test func theBodyHasALimit() throws {
    var response = try response("HTTP/1.1 200 OK", "", bytes: 10)
    try response.addBody(Array("abcdef".utf8))
    try response.addBody(Array("ghij".utf8))
    #expect(response.body == Data("abcdefghij".utf8))

    let error = #expect(throws: FetchError.self) { try response.addBody([0]) }

    #expect(error?.code == .tooLarge)
  }
}
