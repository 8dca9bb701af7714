import TerminalScreen
import Testing

@Suite struct KeyDecoderTests {
  private static let keys: [(String, [Key])] = [
    ("a", [.character("a")]), ("é", [.character("é")]), ("日", [.character("日")]),
    ("🎙", [.character("🎙")]), (" ", [.character(" ")]), ("\r", [.enter]), ("\n", [.enter]),
    ("\t", [.tab]), ("\u{7F}", [.backspace]), ("\u{8}", [.backspace]), ("\u{3}", [.control("c")]),
    ("\u{12}", [.control("r")]), ("\u{1B}[A", [.up]), ("\u{1B}[B", [.down]),
    ("\u{1B}[C", [.right]), ("\u{1B}[D", [.left]), ("\u{1B}OA", [.up]), ("\u{1B}OH", [.home]),
    ("\u{1B}[H", [.home]), ("\u{1B}[F", [.end]), ("\u{1B}[1~", [.home]), ("\u{1B}[4~", [.end]),
    ("\u{1B}[3~", [.delete]), ("\u{1B}[5~", [.pageUp]), ("\u{1B}[6~", [.pageDown]),
    ("\u{1B}[1;5C", [.right]), ("\u{1B}[5;2~", [.pageUp]), ("\u{1B}[Z", [.backTab]),
    ("\u{1B}x", [.alternate("x")]), ("\u{1B}\u{1B}[A", [.escape, .up]),
    ("\u{1B}é", [.escape, .character("é")]), ("\u{1B}[99~", []), ("\u{1B}[?1;2c", []),
    ("\u{1B}[200~a\u{1B}[A\nb\u{1B}[201~c", [.paste("a\u{1B}[A\nb"), .character("c")]),
    ("\u{1B}[<0;1;1M", [.mouse(MouseEvent(.press, line: 0, column: 0))]),
    ("\u{1B}[<0;300;70M\u{1B}[<0;300;70m", [.mouse(MouseEvent(.press, line: 69, column: 299))]),
    ("\u{1B}[<64;3;2M", [.mouse(MouseEvent(.wheelUp, line: 1, column: 2))]),
    ("\u{1B}[<65;3;2M", [.mouse(MouseEvent(.wheelDown, line: 1, column: 2))]),
    ("\u{1B}[<20;3;2M", [.mouse(MouseEvent(.press, line: 1, column: 2))]),
    ("\u{1B}[<2;3;2M\u{1B}[<35;3;2M", []), ("\u{1B}[<0;0;2M\u{1B}[<0;3M\u{1B}[<0;;M", []),
    ("\u{1B}[<0;-3;2M\u{1B}[<0;99999;2M\u{1B}[<99999999999999999999;1;1M", []),
    ("\u{1B}[M !\"a", [.mouse(MouseEvent(.press, line: 1, column: 0)), .character("a")]),
    ("\u{1B}[M`##", [.mouse(MouseEvent(.wheelUp, line: 2, column: 2))]),
    ("ab\u{1B}[Bc", [.character("a"), .character("b"), .down, .character("c")]),
  ]

  @Test(arguments: keys) func keysAreDecodedFromTheirBytes(text: String, keys: [Key]) {
    var decoder = KeyDecoder()

    #expect(decoder.decode(text.utf8) == keys)
    #expect(!decoder.isWaiting)
  }

  @Test(arguments: keys) func keysAreDecodedFromChunksOfAnySize(text: String, keys: [Key]) {
    let bytes = Array(text.utf8)
    for cut in 0...bytes.count {
      var decoder = KeyDecoder()
      let found = decoder.decode(bytes[..<cut]) + decoder.decode(bytes[cut...])
      #expect(found == keys, "cut at \(cut)")
    }
    var decoder = KeyDecoder()
    #expect(bytes.flatMap { decoder.decode([$0]) } == keys)
  }

  @Test func aSingleEscByteIsAKeyAfterATimeout() {
    var decoder = KeyDecoder()

    #expect(decoder.decode([0x1B]) == [])
    #expect(decoder.isWaiting)
    #expect(decoder.timeOut() == [.escape])

    #expect(!decoder.isWaiting)
    #expect(decoder.timeOut() == [])
    #expect(decoder.decode("[A".utf8) == [.character("["), .character("A")])
  }

  @Test func anIncompleteSequenceIsNotAKey() {
    var decoder = KeyDecoder()

    #expect(decoder.decode("\u{1B}[1;".utf8) == [])
    #expect(decoder.timeOut() == [])
    #expect(decoder.decode("a".utf8) == [.character("a")])
  }

  @Test func anEndlessSequenceIsSkippedWithoutUsingMemory() {
    var decoder = KeyDecoder()

    #expect(
      decoder.decode("\u{1B}[".utf8 + Array(repeating: UInt8(ascii: "1"), count: 5_000)) == [])
    #expect(decoder.decode("~a".utf8) == [.character("a")])
  }

  @Test(arguments: [
    [0xFF, 0x61], [0xC3, 0x61], [0xE2, 0x82, 0x61], [0x80, 0x61], [0xED, 0xA0, 0x80, 0x61],
  ])
  func invalidUTF8IsIgnored(bytes: [UInt8]) {
    var decoder = KeyDecoder()

    #expect(decoder.decode(bytes) == [.character("a")])
  }

  @Test func pastedTextEndsOnlyWithItsEndMark() {
    var decoder = KeyDecoder()

    #expect(decoder.decode("\u{1B}[200~q".utf8) == [])
    #expect(!decoder.isWaiting)
    #expect(decoder.timeOut() == [])
    #expect(decoder.decode("\u{1B}[201~".utf8) == [.paste("q")])
  }
}
