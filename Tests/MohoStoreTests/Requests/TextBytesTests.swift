import Campaigns
import Foundation
import MohoMapping
import MohoTesting
import StoreTesting
import Testing

@testable import MohoRows

private struct Word: MappedModel, Equatable {
  var id: Int
  var text: String

  static let mapping = Mapping(
    "Word", Word.init, .key("id", \.id, .unique), .key("text", \.text, .indexed))
}

/// Tests that text conditions without options compare UTF-8 bytes, in SQL and in
/// memory. The expected results come from Foundation's search in bytes.
@Suite(.allEngines) struct TextBytesTests {
  private static let pieces = [
    "e", "\u{301}", "\u{E9}", "\u{323}", "a", "A", "\u{C5}", "\u{212B}", "\u{30A}", "K", "\u{212A}",
    ";", "\u{37E}", "`", "\u{1FEF}", "\u{D55C}", "\u{1112}\u{1161}\u{11AB}", "\r", "\n", "👩",
    "\u{200D}",
    "\u{D7FF}", "\u{E000}", "\u{10FFFF}", "~", "\u{7F}", "%", "_", "*",
  ]

  @Test(arguments: 0..<Campaign.count(short: 4, full: 60))
  func conditionsCompareBytes(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    func text(_ maximum: Int) -> String {
      (0..<random.below(maximum)).map { _ in random.one(of: Self.pieces) }.joined()
    }
    let words = (0..<200).map { Word(id: $0, text: text(6)) }
    let store = try emptyStore(Word.self)
    try store.write { try $0.save(words) }
    let context = EditingContext(store)
    for row in try context.fetch("Word") {
      try row.set("text", to: row.value("text", as: String.self) + "!")
    }
    for row in try context.fetch("Word") {
      try row.set("text", to: String(row.value("text", as: String.self).unicodeScalars.dropLast()))
    }
    var hits = 0

    for _ in 0..<100 {
      let pattern = random.oneIn(3) ? random.one(of: words).text : text(4)
      let matches: [(TextMatch.Kind, (Data, Data) -> Bool)] = [
        (.contains, { $1.isEmpty || $0.range(of: $1) != nil }),
        (.hasPrefix, { $0.starts(with: $1) }),
        (.hasSuffix, { Data($0.reversed()).starts(with: $1.reversed()) }),
        (.equals, { $0 == $1 }),
      ]
      for (kind, isMatch) in matches {
        let expected = words.filter { isMatch(Data($0.text.utf8), Data(pattern.utf8)) }.map(\.id)
        hits += expected.count
        var request = RowRequest("Word").order(by: "id")
        request.filter = .text(.key(KeyName(["text"])), TextMatch(kind, pattern))
        let name: Comment = "seed \(seed): \(request.filter)"

        #expect(try store.fetchIdentities(request) == expected.map { Int64($0) }, name)
        #expect(
          try context.fetch(request).map { try $0.value("id", as: Int.self) } == expected, name)
      }
    }
    #expect(hits > 400)
  }

  @Test func comparisonsAndTextConditionsAgree() throws {
    let store = try emptyStore(Word.self)
    try store.write { try $0.save([Word(id: 1, text: "\u{E9}"), Word(id: 2, text: "e\u{301}")]) }
    let words = ModelRequest<Word>()
    func found(_ condition: (ModelKeys<Word>) -> Filter) throws -> [Int] {
      try store.fetch(words.filter(condition).order(by: \.id)).map(\.id)
    }

    #expect(try found { $0.text == "\u{E9}" } == [1])
    #expect(try found { $0.text.isOne(of: ["\u{E9}"]) } == [1])
    #expect(try found { $0.text.equals("\u{E9}") } == [1])
    #expect(try found { $0.text.contains("\u{E9}") } == [1])
    #expect(try found { $0.text.hasPrefix("e") } == [2])
    #expect(try found { $0.text.hasSuffix("\u{301}") } == [2])
    #expect(try found { $0.text.like("\u{E9}") } == [1])
    #expect(try found { $0.text.like("?") } == [1, 2])
    #expect(try found { $0.text.contains("\u{C9}", .caseInsensitive) } == [1, 2])
    #expect(try found { $0.text.hasPrefix("e", .diacriticInsensitive) } == [1, 2])
    #expect(try found { $0.text.like("\u{C9}", .caseInsensitive) } == [1, 2])
  }
}
