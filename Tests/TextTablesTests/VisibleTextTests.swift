import Foundation
import Testing
import TextTables

@Suite struct VisibleTextTests {
  @Test(arguments: [
    ("a\u{1B}[2Jb", #"a\u{1B}[2Jb"#), ("c\r\nd\te", #"c\r\nd\te"#), ("\u{9B}1m", #"\u{009B}1m"#),
    ("x\u{202E}y", #"x\u{202E}y"#), ("x\u{2066}y\u{61C}", #"x\u{2066}y\u{061C}"#),
    ("\u{FEFF}\u{E0041}", #"\u{FEFF}\u{000E0041}"#), ("\u{2028}\u{2029}", #"\u{2028}\u{2029}"#),
    ("\u{301}a", #"\u{0301}a"#), ("\u{7F}", #"\u{7F}"#),
  ])
  func unsafeCharactersAreEscaped(text: String, shown: String) {
    #expect(VisibleText.escaped(text) == shown)
    #expect(VisibleText.escaped(shown) == shown)
  }

  @Test(arguments: [
    "", "Grüße", "日本語", "👩\u{200D}🔬", "e\u{301}", "\\n", "\u{601}12", "می\u{200C}روم",
  ])
  func safeCharactersAreNotChanged(text: String) {
    #expect(VisibleText.escaped(text) == text)
    #expect(VisibleText.plain(text) == text)
  }

  @Test(arguments: [
    ("", #""""#), ("a\u{1B}\nb\u{202E}", #""a\u{1B}\nb\u{202E}""#), ("\u{301}", #""\u{0301}""#),
    (String(repeating: "é", count: 80), "\"" + String(repeating: "é", count: 80) + "\""),
    (String(repeating: "é", count: 81), "\"" + String(repeating: "é", count: 80) + "…\""),
  ])
  func quotedTextIsEscapedAndCut(text: String, quoted: String) {
    #expect(VisibleText.quoted(text) == quoted)
  }

  @Test(arguments: ["", " ", "\u{A0}\t\n", "\u{200B}\u{FEFF}", "\u{3164}", "\u{1B}", "\u{202E} "])
  func textWithoutVisibleCharactersIsBlank(text: String) {
    #expect(VisibleText.isBlank(text))
    #expect(!VisibleText.isBlank(text + "a"))
    #expect(!VisibleText.isBlank(text + "🎙"))
  }

  @Test(arguments: ["\u{301}", "\u{200D}", "\u{FE0F}"])
  func aCharacterHasAtMostThirtyMarks(mark: String) {
    let text = "a" + String(repeating: mark, count: 1_000) + "b"

    let shown = VisibleText.escaped(text)

    #expect(shown.hasPrefix("a" + String(repeating: mark, count: 30) + #"\u{"#))
    #expect(shown.unicodeScalars.count { !$0.isASCII } == 30)
    #expect(VisibleText.escaped(shown) == shown)
  }

  @Test func plainTextHasSpacesForControlCharacters() {
    #expect(VisibleText.plain("a\u{1B}[2Jb\r\nc\u{202E}d\u{200B}") == "a [2Jb  cd")
  }

  @Test func escapedJSONReadsAsTheSameValues() throws {
    let text = String(
      String.UnicodeScalarView((0...0x2FFF).compactMap { Unicode.Scalar(UInt32($0)) })
    )
    let json = try JSONEncoder().encode([text, "\u{E0041}\u{FEFF}", "👩\u{200D}🔬"])

    let escaped = VisibleText.escapedJSON(String(decoding: json, as: UTF8.self))

    #expect(VisibleText.escaped(escaped) == escaped)
    #expect(
      try JSONDecoder().decode([String].self, from: Data(escaped.utf8))
        == JSONDecoder().decode([String].self, from: json))
  }
}
