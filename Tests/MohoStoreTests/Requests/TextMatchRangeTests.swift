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
    (TextMatch(.hasPrefix, "ab"), "ab"..<"ac"),
    (TextMatch(.equals, "ab"), "ab"..<"ac"),
    (TextMatch(.like, "ab*c?"), "ab"..<"ac"),
    (TextMatch(.like, #"ab\*"#), "ab"..<"ac"),
    (TextMatch(.hasPrefix, "abé"), "ab"..<"ac"),
    (TextMatch(.hasPrefix, "abe\u{301}"), "ab"..<"ac"),
    (TextMatch(.hasPrefix, "aK"), "a"..<"b"),
    (TextMatch(.hasPrefix, "a\r\n"), "a"..<"b"),
    (TextMatch(.hasPrefix, "a~"), "a~"..<"a\u{7F}"),
  ])
  func textsThatMatchLieInTheRangeOfTheirFirstBytes(match: TextMatch, range: Range<String>) {
    #expect(match.range == range)
  }

  @Test(arguments: [
    TextMatch(.hasPrefix, ""), TextMatch(.hasPrefix, "é"), TextMatch(.hasPrefix, "K"),
    TextMatch(.hasPrefix, "\0a"), TextMatch(.hasPrefix, "\u{7F}"), TextMatch(.like, "*a"),
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

  @Test func everyCharacterOfTwoFormsIsKnown() {
    let ascii = Set((1...0x7E as ClosedRange<UInt8>).map { Character(Unicode.Scalar($0)) })
    var twice: Set<Character> = []
    for value in (0x80...0x2FFFF as ClosedRange<UInt32>) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let character = Character(scalar)
      if ascii.contains(character) { twice.insert(character) }
    }

    #expect(twice == ["K", ";", "`"])
    for character in twice { #expect(TextMatch(.hasPrefix, String(character)).range == nil) }
  }
}
