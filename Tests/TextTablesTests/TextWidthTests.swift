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
    ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"),
    ("ab", 1, "…"), ("ab", 0, ""),
  ])
  func textIsTruncatedWithAnEllipsis(text: String, width: Int, cut: String) {
    #expect(TextWidth.cut(text, to: width) == cut)
  }
}
