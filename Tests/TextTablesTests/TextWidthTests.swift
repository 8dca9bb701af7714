import Testing
import TextTables

@Suite struct TextWidthTests {
  @Test(arguments: [
    ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("🎙", 2), ("", 0), ("한", 2),
    ("❤\u{FE0F}", 2), ("❤", 1), ("🇩🇪", 2), ("👩\u{200D}🔬", 2), ("\u{301}", 0), ("하\u{11AB}", 2),
  ])
  func wideCharactersTakeTwoColumns(text: String, width: Int) {
    #expect(TextWidth.of(text) == width)
  }

  @Test(arguments: [
    ("a bc def", 4, ["a bc", "def"]), ("a bc def", 3, ["a", "bc", "def"]), ("", 5, [""]),
    ("abcdefg hi", 3, ["abc", "def", "g", "hi"]), ("日本語 です", 5, ["日本", "語 で", "す"]),
    ("ab日本語", 4, ["ab日", "本語"]), ("日本", 1, ["…", "…"]), ("  ab cd", 5, ["  ab", "cd"]),
    ("e\u{301}e\u{301} a", 2, ["e\u{301}e\u{301}", "a"]),
    ("👩\u{200D}🔬👩\u{200D}🔬", 3, ["👩\u{200D}🔬", "👩\u{200D}🔬"]),
    ("a    b", 2, ["a", "", "b"]), ("abc", 0, []),
  ])
  func textIsWrappedAtSpacesAndWideCharacters(text: String, width: Int, lines: [String]) {
    #expect(TextWidth.wrap(text, to: width) == lines)
  }

  @Test func wrappedLinesFitAndHaveAllCharacters() {
    var random = SystemRandomNumberGenerator()
    let characters = Array("ab  c日🎙e\u{301}-한x")
    for _ in 0..<2_000 {
      let text = String(
        (0..<Int.random(in: 0...40, using: &random)).map { _ in
          characters.randomElement(using: &random) ?? " "
        })
      let width = Int.random(in: 2...12, using: &random)

      let lines = TextWidth.wrap(text, to: width)

      #expect(lines.allSatisfy { TextWidth.of($0) <= width }, "\(text) in \(width)")
      #expect(
        lines.joined().filter { $0 != " " } == text.filter { $0 != " " }, "\(text) in \(width)")
    }
  }

  @Test(arguments: [
    ("abcdefghij", 10, "abcdefghij"), ("abcdefghij", 7, "ab…ghij"), ("abcdefghij", 2, "a…"),
    ("https://example.com/episodes/117", 16, "https…isodes/117"), ("日本語日本語", 7, "日…本語"),
  ])
  func textIsTruncatedInTheMiddle(text: String, width: Int, cut: String) {
    #expect(TextWidth.cutMiddle(text, to: width) == cut)
    #expect(TextWidth.of(cut) <= width)
  }

  @Test(arguments: [
    ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"),
    ("ab", 1, "…"), ("ab", 0, ""),
  ])
  func textIsTruncatedWithAnEllipsis(text: String, width: Int, cut: String) {
    #expect(TextWidth.cut(text, to: width) == cut)
  }
}
