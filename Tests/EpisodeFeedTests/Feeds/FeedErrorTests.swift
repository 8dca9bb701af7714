import EpisodeFeed
import Moho
import Testing

/// The texts of errors whose data has control characters, line breaks and
/// direction marks.
@Suite struct FeedErrorTests {
  private let id = #"a\u001b[2J\r\n\u202e"#
  private let shownID = #""a\u{1B}[2J\r\n\u{202E}""#

  @Test func aDuplicateIDIsQuotedWithEscapes() throws {
    let item = #"{"id": "\#(id)"}"#
    let error = #expect(throws: FeedError.self) { try Feed(reading: jsonFeed(item, item)) }
    let feed = try Feed(reading: jsonFeed(item, item), isLossy: true)

    let message = "duplicate id: \(shownID) - `Episode.id` at /items/1/id, first at /items/0/id"
    #expect(error?.details == [message])
    #expect(error?.description.split(separator: "\n").count == 2)
    #expect(feed.failures.map(\.description) == [message])
  }

  @Test func aLongDuplicateIDIsCut() throws {
    let item = #"{"id": "\#(String(repeating: "x", count: 9_000))"}"#

    let feed = try Feed(reading: jsonFeed(item, item), isLossy: true)

    #expect((feed.failures.first?.description.count ?? .max) < 200)
  }

  @Test func titlesAndIDsAreQuotedWithEscapes() throws {
    let store = try ModelStore(inMemory: Episode.self)
    let episodes = [
      Episode(id: "\u{1B}\n", title: "\u{202E}\r", podcast: "a\u{7}"),
      Episode(id: "\u{1B}\n", podcast: "b\u{2028}"),
    ]
    try store.write { _ = try $0.save(episodes) }

    let several = #expect(throws: FeedError.self) { try store.episode("\u{1B}\n") }
    let missing = #expect(throws: FeedError.self) { try store.episode("\u{9B}") }
    let podcasts = #expect(throws: FeedError.self) { try store.feed() }
    let podcast = #expect(throws: FeedError.self) { try store.feed(of: "\u{2066}") }

    #expect(several?.reason == #"2 podcasts have an episode "\u{1B}\n""#)
    #expect(several?.details == [#""\u{202E}\r" of "a\u{07}""#, #""" of "b\u{2028}""#])
    #expect(missing?.reason == #""\u{009B}""#)
    #expect(podcasts?.details == [#""a\u{07}""#, #""b\u{2028}""#])
    #expect(podcast?.reason == #"the store has no podcast "\u{2066}""#)
  }
}
