import Foundation
import Moho
import Testing

@testable import EpisodeFeed

@Suite struct PageMessageTests {
  private let episode = Episode(
    id: "113", title: "Core-Mantle Boundary", summary: "Where the seismic waves bend.",
    kind: .paid, publishedAt: Date(timeIntervalSince1970: 1_777_960_800),
    url: URL(string: "https://deeptime.example/113"), duration: 2_510, season: 13,
    podcast: "Deep Time", isPlayed: true)

  @Test func aListIsOneEvent() throws {
    let message = ListMessage(
      version: "5d764c5e-216",
      sections: [.init(key: .integer(13), count: 11), .init(key: nil, count: 4)],
      rows: [PageRow(id: 18, episode: .init(episode))])

    #expect(
      String(decoding: try ServerEvent(message).text, as: UTF8.self) == #"""
        event: list
        id: 5d764c5e-216
        data: {"version":"5d764c5e-216","sections":[{"key":13,"count":11},{"key":null,"count":4}],\#
        "rows":[{"id":18,"episode":{"id":"113","title":"Core-Mantle Boundary",\#
        "summary":"Where the seismic waves bend.","kind":"paid",\#
        "publishedAt":"2026-05-05T06:00:00Z","url":"https://deeptime.example/113",\#
        "duration":2510,"season":13,"podcast":"Deep Time","isPlayed":true}}]}


        """#)
    #expect(try JSONAdapter().model(from: JSONAdapter().data(from: message)) == message)
  }

  @Test func aChangeIsOneEvent() throws {
    let row = PageRow(id: 18, episode: .init(Episode(id: "1")))
    let message = ChangeMessage(
      from: "a-1", version: "a-2", count: 30, changes: try change(18), episodes: [row])

    #expect(
      String(decoding: try ServerEvent(message).text, as: UTF8.self) == #"""
        event: change
        id: a-2
        data: {"from":"a-1","version":"a-2","count":30,"changes":{"rows":[{"changed":["title"],\#
        "id":18,"move":true,"new":[0,0],"old":[0,1]}]},"episodes":[{"id":18,"episode":\#
        {"id":"1","title":"","kind":"free","podcast":"","isPlayed":false}}]}


        """#)
    #expect(try JSONAdapter().model(from: JSONAdapter().data(from: message)) == message)
  }

  private func change(_ rowID: Int64) throws -> ChangeSet {
    ChangeSet(
      from: OrderedIndex(rowIDs: [1, rowID]), to: OrderedIndex(rowIDs: [rowID, 1]),
      changedKeys: [rowID: ["title"]])
  }

  @Test(arguments: [
    0: "0", -5: "-5", 9_007_199_254_740_991: "9007199254740991",
    9_007_199_254_740_992: #""9007199254740992""#, .min: #""-9223372036854775808""#,
  ])
  func aRowIDThatIsNotExactAsADoubleIsAString(rowID: Int64, text: String) throws {
    let row = PageRow(id: rowID, episode: nil)

    #expect(try JSONAdapter().text(from: row) == #"{"id":\#(text),"episode":null}"#)
    #expect(try JSONAdapter<PageRow>().model(from: JSONAdapter().text(from: row)) == row)
  }

  @Test func everyKindOfSectionKeyIsPreserved() throws {
    let keys: [SectionKey?] = [.all, nil, .integer(3), .real(2.5), .text("a\"\n"), .integer(.max)]
    let message = ListMessage(
      version: "", sections: keys.map { .init(key: $0, count: 1) }, rows: [])

    #expect(try JSONAdapter().model(from: JSONAdapter().data(from: message)) == message)
  }

  @Test func theNamesOfValuesAreKeysOfTheModel() {
    let names = Set(PageRow.Summary.mapping.keys.map(\.name))

    #expect(names.subtracting(Episode.mapping.keys.map(\.name)) == ["titleIsCut", "hasAudio"])
  }

  @Test func longTextsAreCut() {
    let text = String(repeating: "e\u{301}", count: 600)
    let summary = PageRow.Summary(
      Episode(id: text, title: text, summary: text, podcast: text))

    #expect(summary.title.unicodeScalars.count == 500)
    #expect(summary.titleIsCut == true)
    #expect(summary.summary?.unicodeScalars.count == 160)
    #expect(summary.summary?.hasSuffix("…") == true)
    #expect(summary.podcast.unicodeScalars.count == 200)
    #expect(summary.id.unicodeScalars.count == 500)
    let fitting = PageRow.Summary(Episode(id: "1", title: String(text.prefix(250))))
    #expect(fitting.titleIsCut == nil)
  }

  @Test(arguments: [
    ("https://a.example/", true), ("HTTP://a.example/", true), ("javascript:alert(1)", false),
    ("data:text/html,x", false), ("file:///etc/passwd", false), ("//a.example", false),
    ("https://a.example/" + String(repeating: "a", count: 2_000), false),
  ])
  func onlyAddressesOfWebPagesAreSent(url: String, isSent: Bool) {
    let summary = PageRow.Summary(Episode(id: "1", url: URL(string: url)))

    #expect(summary.url?.absoluteString == (isSent ? url : nil))
  }

  @Test func theEventOfOneRowTakesAtMostOneKilobyte() throws {
    let text = String(repeating: "Boundary ", count: 40)
    var longest = episode
    (longest.title, longest.summary) = (String(text.prefix(200)), text)
    let message = ChangeMessage(
      from: "5d764c5e-216", version: "5d764c5e-217", count: 244_292, changes: try change(244_292),
      episodes: [PageRow(id: 244_292, episode: .init(longest))])

    #expect(try ServerEvent(message).text.count <= 1_000)
  }
}
