import MohoMapping
import MohoSQLite
import Testing

@testable import MohoRows

private struct Word: MappedModel {
  var text: String

  static let mapping = Mapping("Word", Word.init, .key("text", \.text, .indexed))
}

@Suite struct TextMatchRangeTests {
  @Test(arguments: [
    (TextMatch(.hasPrefix, "ab"), "ab", "ac"),
    (TextMatch(.equals, "ab"), "ab", "ac"),
    (TextMatch(.like, "ab*c?"), "ab", "ac"),
    (TextMatch(.like, #"ab\*"#), "ab", "ac"),
    (TextMatch(.hasPrefix, "ab\u{E9}"), "ab\u{E9}", "ab\u{EA}"),
    (TextMatch(.hasPrefix, "abe\u{301}"), "abe\u{301}", "abe\u{302}"),
    (TextMatch(.hasPrefix, "aK"), "aK", "aL"),
    (TextMatch(.hasPrefix, "a\r\n"), "a\r\n", "a\r\u{B}"),
    (TextMatch(.hasPrefix, "\u{7F}"), "\u{7F}", "\u{80}"),
    (TextMatch(.hasPrefix, "a\u{D7FF}"), "a\u{D7FF}", "a\u{E000}"),
    (TextMatch(.hasPrefix, "a\u{10FFFF}"), "a\u{10FFFF}", "b"),
    (TextMatch(.hasPrefix, "a\0b"), "a", "b"),
    (TextMatch(.hasPrefix, "e\u{323}"), "e\u{323}", "e\u{324}"),
  ])
  func matchingTextsAreBetweenBounds(match: TextMatch, lower: String, upper: String) {
    #expect(match.range?.lowerBound.hasSameBytes(as: lower) == true)
    #expect(match.range?.upperBound.hasSameBytes(as: upper) == true)
  }

  @Test(arguments: [
    TextMatch(.hasPrefix, ""), TextMatch(.hasPrefix, "\u{10FFFF}"),
    TextMatch(.hasPrefix, "\0a"), TextMatch(.like, "*a"),
    TextMatch(.contains, "ab"), TextMatch(.hasSuffix, "ab"), TextMatch(.matches, "ab"),
    TextMatch(.hasPrefix, "ab", .caseInsensitive), TextMatch(.equals, "ab", .diacriticInsensitive),
  ])
  func otherMatchesHaveNone(match: TextMatch) {
    #expect(match.range == nil)
  }

  @Test func anIndexServesThem() throws {
    let store = try ModelStore(inMemory: Word.self)
    let words = ModelRequest<Word>()

    #expect(try store.explain(words.filter { $0.text.hasPrefix("ab") }).indexes == ["Word(text)"])
    #expect(try store.explain(words.filter { $0.text.contains("ab") }).indexes == [])
  }
}
