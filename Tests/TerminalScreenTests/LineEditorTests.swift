import TerminalScreen
import Testing

@Suite struct LineEditorTests {
  private func edited(_ text: String, _ keys: Key...) -> LineEditor {
    var editor = LineEditor(text)
    for key in keys { #expect(editor.handle(key) == true) }
    return editor
  }

  @Test func charactersAreInsertedAtTheCursor() {
    let editor = edited("ac", .left, .character("b"))

    #expect(editor.text == "abc")
    #expect(editor.cursor == 2)
  }

  @Test(arguments: [
    (Key.backspace, "abc d", 2), (.delete, "ab  d", 3), (.control("u"), "c d", 0),
    (.control("k"), "ab ", 3), (.control("w"), "c d", 0), (.home, "ab c d", 0),
    (.control("e"), "ab c d", 6), (.control("b"), "ab c d", 2), (.right, "ab c d", 4),
  ])
  func keysChangeTextAndCursor(key: Key, text: String, cursor: Int) {
    var editor = edited("ab c d", .left, .left, .left)

    #expect(editor.handle(key) == true)

    #expect(editor.text == text)
    #expect(editor.cursor == cursor)
  }

  @Test(arguments: [Key.backspace, .delete, .left, .right, .control("w"), .control("u")])
  func editingKeysDoNotChangeEmptyText(key: Key) {
    let editor = edited("", key)

    #expect(editor == LineEditor())
  }

  @Test func aCombiningMarkJoinsTheCharacterBeforeIt() {
    let editor = edited("ab", .left, .character("\u{301}"), .character("c"))

    #expect(editor.text == "a\u{301}cb")
    #expect(editor.cursor == 2)
  }

  @Test func pastedTextBecomesOneLine() {
    #expect(edited("x", .paste("a\r\n\u{1B}[31mb")).text == "xa   [31mb")
  }

  @Test func nonEditingKeysAreIgnored() {
    var editor = LineEditor("a")

    for key in [Key.enter, .escape, .up, .tab, .alternate("x"), .control("c")] {
      #expect(editor.handle(key) == false)
    }
    #expect(editor == LineEditor("a"))
  }

  @Test func theWindowAlwaysContainsTheCursor() {
    let text = "a日本e\u{301}🎙xyz\u{1B}é"
    for width in 1...14 {
      var editor = LineEditor(text)
      for position in (0...text.count).reversed() {
        let (window, cursor) = editor.window(width: width)
        #expect(editor.cursor == position)
        #expect((0..<width).contains(cursor), "width \(width), at \(position)")
        #expect(!window.contains("\u{1B}"))
        #expect(StyledLine(window).width <= width, "width \(width), at \(position)")
        _ = editor.handle(.left)
      }
    }
    #expect(LineEditor("abcdef").window(width: 4) == ("def", 3))
    #expect(LineEditor("日本").window(width: 4) == ("本", 2))
  }
}
