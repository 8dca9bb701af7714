import EpisodeFeed
import Foundation
import Testing

@Suite struct RequestHeadTests {
  private func head(_ text: String, pieces size: Int = 1_000) throws -> RequestHead? {
    var reader = RequestHeadReader()
    var rest = Array(text.replacing("\n", with: "\r\n").utf8)[...]
    while !rest.isEmpty {
      var piece = rest.prefix(size)
      rest = rest.dropFirst(size)
      if let head = try reader.read(&piece) {
        #expect(piece.isEmpty && rest.isEmpty)
        return head
      }
    }
    return nil
  }

  @Test func aHeadIsReadInPiecesOfEverySize() throws {
    let text = "GET /a%20b?c=d?e HTTP/1.1\nHost: x\nX: 1\nx:  2 \nContent-Length: 12\n\n"
    for size in 1...text.utf8.count {
      let head = try #require(try head(text, pieces: size))

      #expect(head.method == "GET" && head.path == "/a%20b" && head.query == "c=d?e")
      #expect(head.headers == ["host": "x", "x": "1, 2", "content-length": "12"])
      #expect(head.body == .length(12) && head.isPersistent)
    }
  }

  @Test(arguments: [
    "\n", "GET /\n\n", "GET / HTTP/2\n\n", "GET / / HTTP/1.1\n\n", "GET / HTTP/1.1\nX\n\n",
    "GET / HTTP/1.1\n: x\n\n", "GET / HTTP/1.1\nX : x\n\n", "GET / HTTP/1.1\n x: folded\n\n",
    "GET / HTTP/1.1\nContent-Length: -1\n\n", "GET / HTTP/1.1\nContent-Length: +1\n\n",
    "GET / HTTP/1.1\nContent-Length: 1\nTransfer-Encoding: chunked\n\n",
    "GET / HTTP/1.1\nContent-Length: 9999999999999999999\n\n",
    "GET / HTTP/1.1\nTransfer-Encoding: gzip\n\n", "\u{0}\u{1}\n\n",
  ])
  func whatIsNotHTTPIsRefused(text: String) {
    let error = #expect(throws: PageError.self) { try head(text) }
    #expect(error?.code == .invalidRequest)
  }

  @Test(arguments: [
    ("HTTP/1.1", "", true), ("HTTP/1.1", "Close", false), ("HTTP/1.1", "x, close", false),
    ("HTTP/1.0", "", false), ("HTTP/1.0", "keep-alive", true),
  ])
  func connectionsPersistAsTheClientSays(version: String, value: String, isPersistent: Bool) throws
  {
    #expect(
      try head("GET / \(version)\nConnection: \(value)\n\n")?.isPersistent == isPersistent)
  }

  @Test func theLimitIsCheckedWhileTheHeadArrives() throws {
    var reader = RequestHeadReader(limit: 100)
    var bytes = Array(repeating: UInt8(ascii: "a"), count: 100)[...]
    #expect(try reader.read(&bytes) == nil)

    var next: ArraySlice<UInt8> = [UInt8(ascii: "a")]
    let error = #expect(throws: PageError.self) { try reader.read(&next) }

    #expect(error?.status == 431)
  }

  @Test func theTimeIsLinearInTheLength() throws {
    func time(_ length: Int) throws -> Double {
      var times: [Double] = []
      for _ in 1...5 {
        var reader = RequestHeadReader(limit: length)
        let start = Self.processorTime()
        for _ in 0..<length / 50 {
          var piece = Array(repeating: UInt8(ascii: "a"), count: 50)[...]
          #expect(try reader.read(&piece) == nil)
        }
        times.append(Self.processorTime() - start)
      }
      return times.min() ?? 0
    }

    let ratio = try time(320_000) / time(20_000)

    #expect(ratio < 64, "16 times the length took \(ratio) times the time")
  }

  /// The seconds of processor time that the thread has used.
  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
