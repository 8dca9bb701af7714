import EpisodeFeed
import Foundation
import Moho
import TerminalScreen
import Testing

/// The keys that open the page of an episode.
@Suite struct WatchOpeningTests {
  private func watcher(_ url: String?) throws -> Watcher {
    try Watcher([Episode(id: "1", title: "One", url: url.flatMap { URL(string: $0) })])
  }

  @Test(arguments: [Key.enter, .character("o")])
  func aKeyOpensThePage(key: Key) async throws {
    var watcher = try watcher("https://example.com/a?b=c&d;e$(f)")

    try await watcher.press(key)

    #expect(watcher.actions.count == 1)
    guard case .open(let url) = watcher.actions.first else {
      Issue.record("\(watcher.actions)")
      return
    }
    #expect(url.absoluteString == "https://example.com/a?b=c&d;e$(f)")
    #expect(watcher.status == " opened https://example.com/a?b=c&d;e$(f)")
  }

  @Test(arguments: [
    "file:///etc/passwd", "javascript:alert(1)", "mailto:a@b.example", "ftp://example.com/",
    "--help", "/relative", "http:", "https:///path", "data:text/html,x", "httpsx://example.com",
  ])
  func otherAddressesAreNotOpened(url: String) async throws {
    var watcher = try watcher(url)

    try await watcher.press(.enter)

    #expect(watcher.actions == [])
    #expect(watcher.status.hasPrefix(" not the address of a web page: \"\(url.prefix(9))"))
    try await watcher.press(.down)
    #expect(watcher.status == "")
  }

  @Test func anEpisodeWithoutAPageIsReported() async throws {
    var watcher = try watcher(nil)

    try await watcher.press(.character("o"))

    #expect(watcher.actions == [])
    #expect(watcher.status == " the episode has no web page")
  }

  @Test func anErrorOfTheBrowserIsShown() async throws {
    struct Failure: Error, CustomStringConvertible {
      let description = "no browser\u{1B}[2J\nsecond line"
    }
    var watcher = try watcher("https://example.com/")
    let url = try #require(URL(string: "https://example.com/"))

    try await watcher.handle(.opened(url, .failure(Failure())))

    #expect(watcher.lines.suffix(3).prefix(2) == [#" no browser\u{1B}[2J"#, " second line"])
  }

  @Test func anEmptyListOpensNothing() async throws {
    var watcher = try Watcher([])

    try await watcher.press(.enter, .character("o"))

    #expect(watcher.actions == [])
  }
}
