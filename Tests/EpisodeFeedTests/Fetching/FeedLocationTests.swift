import CommandTesting
import EpisodeFeed
import Foundation
import Moho
import Testing

@Suite struct FeedLocationTests {
  @Test(arguments: [
    ("https://example.com/feed.xml", "https://example.com/feed.xml"),
    ("HTTP://example.com/Feed", "HTTP://example.com/Feed"),
    ("feed://example.com/feed.xml", "http://example.com/feed.xml"),
    ("feed:example.com/feed.xml", "http://example.com/feed.xml"),
    ("feed:https://example.com/feed.xml", "https://example.com/feed.xml"),
    ("feed://https://example.com/feed.xml", "https://example.com/feed.xml"),
    ("FEED:HTTPS://example.com/", "HTTPS://example.com/"),
    ("feed://example.com:8080/?a=b:c://d", "http://example.com:8080/?a=b:c://d"),
  ])
  func addressesOfServersAreURLs(text: String, url: String) throws {
    #expect(try FeedLocation(text) == .server(#require(URL(string: url))))
  }

  @Test(arguments: [
    ("file:///tmp/feed.xml", "/tmp/feed.xml"), ("file:/tmp/feed.xml", "/tmp/feed.xml"),
    ("FILE://localhost/tmp/a%20b%23.xml", "/tmp/a b#.xml"), ("file:feed.xml", "feed.xml"),
    ("file:///tmp/%C3%A9.xml", "/tmp/é.xml"),
  ])
  func fileURLsArePaths(text: String, path: String) throws {
    #expect(try FeedLocation(text) == .file(path))
  }

  @Test(arguments: [
    "-", "", "feed.xml", "./feed:x", "feeds/a.xml", "a feed: one", "ftp://example.com/", "http:",
    "https:/example.com", "C:/feed.xml", "feedx:", "日本.xml", "a\nfeed://b",
  ])
  func otherTextIsAPath(text: String) throws {
    #expect(try FeedLocation(text) == .file(text))
  }

  @Test(arguments: [
    ("file://server/feed.xml", "the file is on another machine"),
    ("file:///a%00b", "malformed URL"), ("file:", "malformed URL"), ("file://", "malformed URL"),
    ("http://[", "malformed URL"), ("feed://[", "malformed URL"),
  ])
  func mistakesAreReported(text: String, reason: String) {
    let error = #expect(throws: FeedLocationError.self) { try FeedLocation(text) }

    #expect(error?.reason == reason)
    #expect(error?.location == text)
  }

  @Test(arguments: [
    "feed:", "feed://", "http://", "feed:ftp://example.com/", "feed:file:///etc/passwd",
    "https://ada:secret@example.com/feed.xml", "feed://ada@example.com/feed.xml",
  ])
  func urlsThatCannotBeFetchedAreRefused(text: String) {
    let error = #expect(throws: FetchError.self) { try FeedLocation(text) }

    #expect(error?.code == .invalidURL)
    #expect(error.map { "\($0)".contains("secret") } == false)
  }

  @Test func theCommandImportsFromFilesAndServers() async throws {
    let folder = try TemporaryFolder()
    let server = try FeedServer(["/feed": jsonFeed(title: "A", #"{"id": "1"}"#)])
    let path = try folder.file("a feed.json", jsonFeed(title: "", #"{"id": "1"}"#))
    let address = server.url("/feed").absoluteString
    let sources = [
      "file://\(path.replacing(" ", with: "%20"))", address.replacing("http:", with: "feed:"),
      "feed:\(address)",
    ]
    var outputs: [String] = []

    for source in sources {
      let result = try await Tool.episodeFeed.run(
        ["import", source, "--store", "store.sqlite"], in: folder)
      #expect(result.status == 0, "\(source): \(result.errors)")
      outputs.append(String(result.output.prefix { $0 != "," }))
    }

    #expect(outputs == ["inserted 1", "inserted 1", "inserted 0"])
    let store = try folder.store()
    #expect(
      try await store.fetch(EpisodeList().request).map(\.podcast).sorted() == ["A", "a feed"])
    #expect(try await store.fetch(FeedSubscription.all).map(\.url.absoluteString) == [address])
  }
}
