import EpisodeFeed
import Foundation
import Testing

@Suite(.timeLimit(.minutes(20))) struct RedirectTests {
  private static let feed = jsonFeed(#"{"id": "1"}"#)

  /// A server with redirects by path; other paths have the feed.
  private func server(_ redirects: [String: (Int, String)]) throws -> FaultyServer {
    try FaultyServer { request in
      redirects[request.path].map { [.redirect($0.0, to: $0.1)] } ?? [.document(Self.feed)]
    }
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func redirectsAreFollowed(status: Int) async throws {
    let server = try server(["/a/feed": (status, "../b")])

    let result = try await FeedFetcher().fetch(server.url("/a/feed"))

    #expect(result.document?.data == Self.feed)
    #expect(result.document?.baseURL == server.url("/b"))
    #expect(result.url == server.url([301, 308].contains(status) ? "/b" : "/a/feed"))
  }

  @Test func theURLToRememberIsTheLastOfTheLeadingPermanentRedirects() async throws {
    let server = try server([
      "/": (301, "/a"), "/a": (308, "/b"), "/b": (302, "/c"), "/c": (301, "/d"),
    ])

    let result = try await FeedFetcher().fetch(server.url())

    #expect(result.url == server.url("/b"))
    #expect(result.document?.baseURL == server.url("/d"))
    #expect(server.requests.map(\.path) == ["/", "/a", "/b", "/c", "/d"])
  }

  private static let loops: [[String: (Int, String)]] = [
    ["/": (302, "/")], ["/": (301, "/a"), "/a": (301, "/b"), "/b": (302, "/#x")],
  ]

  @Test(arguments: loops)
  func aLoopIsAnError(redirects: [String: (Int, String)]) async throws {
    let server = try server(redirects)

    let error = await #expect(throws: FetchError.self) {
      try await FeedFetcher().fetch(server.url())
    }

    #expect(error?.code == .redirectLoop)
    #expect(server.requests.count == redirects.count)
  }

  @Test func tooManyRedirectsAreAnError() async throws {
    let server = try FaultyServer { [.redirect(302, to: $0.path + "x")] }

    let error = await #expect(throws: FetchError.self) {
      try await FeedFetcher().fetch(server.url())
    }

    #expect(error?.code == .tooManyRedirects)
    #expect(error?.reason == "the server redirects more than 10 times")
    #expect(server.requests.count == 11)
  }

  @Test(arguments: [
    "file:///etc/passwd", "ftp://127.0.0.1/", "javascript:alert(1)", "data:,x", "http://",
    "//user:secret@127.0.0.1/", "http://[",
  ])
  func aRedirectToAnotherSchemeIsAnError(location: String) async throws {
    let server = try server(["/": (301, location)])

    let error = await #expect(throws: FetchError.self) {
      try await FeedFetcher().fetch(server.url())
    }

    #expect(error?.code == .invalidRedirect)
  }

  @Test func aRedirectWithoutLocationIsAnError() async throws {
    let server = try FaultyServer { _ in [.response(301, length: 0)] }

    let error = await #expect(throws: FetchError.self) {
      try await FeedFetcher().fetch(server.url())
    }

    #expect(error?.code == .invalidRedirect)
    #expect(error?.reason == "the server redirects without a URL")
  }
}
