import TerminalScreen
import Testing

@Suite struct StyledLineTests {
  @Test func controlCharactersAreEscapedInLines() {
    for value in (0x0...0x1F).map(UInt32.init) + Array(0x7F...0x9F) + [0x200E, 0x202E, 0x2028] {
      guard let scalar = UnicodeScalar(value) else { continue }
      let line = StyledLine("a\(Character(scalar))b")
      #expect(line.text == "a\(scalar.escaped(asASCII: true))b", "U+\(String(value, radix: 16))")
      #expect(line.width == line.text.count)
    }
  }

  @Test(arguments: [(0, ""), (1, "…"), (3, "a…"), (4, "a日…"), (5, "a日bc"), (9, "a日bc")])
  func aLineIsTruncatedAcrossItsPieces(width: Int, text: String) {
    var line = StyledLine("a日", Style(.red))
    line.append("bc")

    let cut = line.cut(to: width)

    #expect(cut.width <= width)
    #expect(cut.text == text)
  }

  @Test func aLineIsFilledToAWidth() {
    var line = StyledLine("日")
    line.fill(to: 4)
    line.fill(to: 2)

    #expect(line.text == "日  ")
    #expect(line.width == 4)
  }
}
