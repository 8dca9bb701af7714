import Foundation
import MohoMapping
import MohoTesting
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres
@testable import MohoRows

/// Tests that the server selects all texts that may match.
@Suite(.requiresPostgres)
struct NarrowedTextTests {
  struct Name: MappedModel {
    var id: Int
    var text: String

    static let mapping = Mapping(
      "Name", Name.init, .key("id", \.id, .unique), .key("text", \.text))
  }

  private static let options: [TextMatch.Options] = [
    [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
  ]

  @Test func `characters that are folded to ASCII are known`() {
    let known = Set((NarrowedTexts.foldedToASCII + NarrowedTexts.equalToASCII).unicodeScalars)
    for value in 0x80...0x2FFFF as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(value), !known.contains(scalar) else { continue }
      let text = String(Character(scalar))
      for options in Self.options {
        let folded = text.folded(options)
        let ascii = String(String.UnicodeScalarView(folded.unicodeScalars.filter(\.isASCII)))
        if ascii.isEmpty { continue }
        let letters = text.decomposedStringWithCanonicalMapping.unicodeScalars.filter(\.isASCII)
        #expect(
          ascii.lowercased() == String(String.UnicodeScalarView(letters)).lowercased(), "\(value)")
      }
    }
  }

  @Test func `matches agree with those in memory`() throws {
    let store = try ModelStore(postgres: PostgresServer.shared().emptySchema(), models: Name.self)
    let pieces = [
      "a", "A", "e", "é", "e\u{301}", "É", "s", "ß", "ẞ", "ſ", "ﬁ", "f", "i", "İ", "ı", "k", "K",
      "\u{212A}", ";", "\u{37E}", "`", "\u{1FEF}", "日", "ệ", "e\u{323}\u{302}", "\u{301}", "\n",
      "\r\n", "-", "ø", "n", "ŉ", "ẚ", "\u{1E9B}\u{307}", "\u{200D}",
    ]
    var generator = SeededGenerator(seed: 1)
    func text(_ maximum: Int) -> String {
      (0..<generator.below(maximum)).map { _ in pieces[generator.below(pieces.count)] }.joined()
    }
    let texts = (0..<400).map { _ in text(9) }
    try store.write { writer in
      try writer.save(texts.enumerated().map { Name(id: $0, text: $1) })
    }
    var hits = 0
    for number in 0..<300 {
      let kinds: [TextMatch.Kind] = [.contains, .hasPrefix, .hasSuffix, .equals, .like]
      var pattern = text(4)
      let kind = kinds[number % kinds.count]
      if kind == .like { pattern = "*" + pattern + (generator.oneIn(2) ? "*" : "?") }
      let match = TextMatch(kind, pattern, Self.options[generator.below(4)])
      var request = RowRequest("Name").order(by: "id")
      request.filter = .text(.key(KeyName(["text"])), match)

      let found = try store.fetchIdentities(request)

      let expected = texts.indices.filter { match.matches(texts[$0]) }.map { Int64($0) }
      #expect(found == expected, "\(match)")
      hits += found.count
    }
    #expect(hits > 1000, "\(hits)")
  }
}
