import MohoRows
import Testing

/// Names and texts in SQL.
@Suite struct QuotingTests {
  // Strings are compared by their bytes: a combining mark and the character before it are one.
  private func expect(_ sql: String, _ expected: String) {
    #expect(Array(sql.utf8) == Array(expected.utf8), "\(sql)")
  }

  @Test func quotationMarksAreDoubled() {
    expect(quotedName("a\"b\"\"c"), "\"a\"\"b\"\"\"\"c\"")
    expect(quotedName("a\"\u{301}b"), "\"a\"\"\u{301}b\"")
    expect(quotedName("été"), "\"été\"")
    expect(quotedText("it's"), "'it''s'")
    expect(quotedText("it'\u{301}s"), "'it''\u{301}s'")
  }

  @Test func nullCharactersAreRemovedFromTexts() {
    expect(quotedText("a\0\u{301}b\0"), "'a\u{301}b'")
  }
}
