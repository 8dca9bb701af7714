import TerminalScreen
import Testing

@Suite struct FrameWriterTests {
  private func frame(_ lines: String...) -> Frame { Frame(lines: lines.map { StyledLine($0) }) }

  @Test func theFirstFrameIsDrawnOnAnEmptyScreen() {
    var writer = FrameWriter(TerminalTraits())

    #expect(
      writer.sequence(for: frame("ab", "", "cde"), width: 3)
        == "\u{1B}[?25l\u{1B}[0m\u{1B}[2J\u{1B}[1;1Hab\u{1B}[K\u{1B}[3;1Hcde")
  }

  @Test func onlyLinesThatDifferAreWritten() {
    var writer = FrameWriter(TerminalTraits())
    _ = writer.sequence(for: frame("a", "b", "c"), width: 9)

    #expect(writer.sequence(for: frame("a", "x", "c"), width: 9) == "\u{1B}[2;1Hx\u{1B}[K")
    #expect(writer.sequence(for: frame("a", "x", "c"), width: 9) == "")
  }

  @Test func aFrameWithAnotherHeightIsRedrawnCompletely() {
    var writer = FrameWriter(TerminalTraits())
    _ = writer.sequence(for: frame("a", "b"), width: 9)

    #expect(writer.sequence(for: frame("a"), width: 9).hasPrefix("\u{1B}[0m\u{1B}[2J\u{1B}[1;1Ha"))
  }

  @Test func anInvalidatedFrameIsRedrawnCompletely() {
    var writer = FrameWriter(TerminalTraits())
    let first = writer.sequence(for: frame("a", "b"), width: 9)
    writer.invalidate()

    #expect(writer.sequence(for: frame("a", "b"), width: 9) == first)
  }

  @Test func theCursorIsHiddenWhileLinesAreWritten() {
    var writer = FrameWriter(TerminalTraits())
    var frame = frame("ab")
    frame.cursor = Frame.Position(line: 0, column: 1)
    #expect(writer.sequence(for: frame, width: 9).hasSuffix("\u{1B}[1;2H\u{1B}[?25h"))

    frame.cursor?.column = 2
    #expect(writer.sequence(for: frame, width: 9) == "\u{1B}[?25l\u{1B}[1;3H\u{1B}[?25h")
    frame.cursor = nil
    #expect(writer.sequence(for: frame, width: 9) == "\u{1B}[?25l")
  }

  @Test func stylesEndWithTheirText() {
    var line = StyledLine("a", Style(.red, isBold: true))
    line.append("b")
    var color = FrameWriter(TerminalTraits())
    var plain = FrameWriter(TerminalTraits(hasColor: false))

    #expect(
      color.sequence(for: Frame(lines: [line]), width: 9)
        .hasSuffix("\u{1B}[0;1;31ma\u{1B}[0mb\u{1B}[K"))
    #expect(
      plain.sequence(for: Frame(lines: [line]), width: 9).hasSuffix(
        "\u{1B}[0;1ma\u{1B}[0mb\u{1B}[K")
    )
  }

  @Test func anASCIITerminalReceivesSubstitutesOfTheSameWidth() {
    var writer = FrameWriter(TerminalTraits(isUTF8: false))

    let sequence = writer.sequence(for: frame("↑~ 日é e\u{301}🎙…"), width: 20)

    #expect(sequence.hasSuffix("H^~ ??? ???.\u{1B}[K"))
  }

  @Test func aWideCharacterAtTheEdgeIsTruncated() {
    var writer = FrameWriter(TerminalTraits())
    _ = writer.sequence(for: frame("abcd"), width: 4)

    #expect(writer.sequence(for: frame("日本語"), width: 4) == "\u{1B}[1;1H日…\u{1B}[K")
  }
}
