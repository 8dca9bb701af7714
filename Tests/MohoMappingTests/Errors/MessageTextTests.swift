import MohoMapping
import Testing

@Suite struct MessageTextTests {
  private static let unsafe: [Unicode.Scalar] = {
    let ranges: [ClosedRange<UInt32>] = [
      0x00...0x1F, 0x7F...0x9F, 0x61C...0x61C, 0x200B...0x200B, 0x200E...0x200F, 0x2028...0x202E,
      0x2060...0x2069, 0xFEFF...0xFEFF, 0xE0000...0xE007F,
    ]
    return ranges.joined().compactMap { Unicode.Scalar($0) }
  }()

  @Test func everyPartOfAMessageIsEscaped() {
    for scalar in Self.unsafe {
      let text = "a\(Character(scalar))b"
      var error = MappingError(
        .invalidValue, model: text, key: text, path: FieldPath([.key(text), .index(1)]),
        found: text, expected: text, underlying: MappingError(.invalidType, found: text))
      error.suggestion = text
      var missing = error
      missing.code = .missingValue
      missing.alternatives = [FieldPath([.key(text)])]

      for description in [error.description, missing.description, quoted(text)] {
        #expect(
          !description.unicodeScalars.contains(scalar), "U+\(String(scalar.value, radix: 16))")
        #expect(description.contains(scalar.escaped(asASCII: true)))
      }
    }
  }

  @Test func eachOfSeveralErrorsHasALine() throws {
    let error = try #require(
      MappingError([
        MappingError(.invalidType, found: "a\nb"), MappingError(.invalidType, found: "c"),
      ]))

    #expect(
      error.description == #"invalid type: a\nb - value"# + "\n" + "invalid type: c - value")
  }

  @Test(arguments: ["Grüße", "日本語", "👩\u{200D}🔬", "e\u{301}", "\u{601}12"])
  func ordinaryTextIsQuotedUnchanged(text: String) {
    #expect(quoted(text) == "\"\(text)\"")
  }

  @Test func aCombiningMarkDoesNotChangeTheQuote() {
    #expect(quoted("\u{301}a") == #""\u{0301}a""#)
  }

  @Test func longTextIsCutBeforeItIsEscaped() {
    #expect(quoted(String(repeating: "\u{1B}", count: 81)).hasSuffix(#"\u{1B}…""#))
    #expect(quoted(String(repeating: "a", count: 80)).count == 82)
  }
}
