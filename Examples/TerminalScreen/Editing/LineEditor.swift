import TextTables

/// An editable line of text with a cursor.
public struct LineEditor: Hashable, Sendable {
  /// The text.
  public private(set) var text: String
  /// The number of characters before the cursor.
  public private(set) var cursor: Int

  /// Creates an editor with the cursor at the end of the text.
  public init(_ text: String = "") {
    self.text = text
    cursor = text.count
  }

  /// Handles an editing key.
  ///
  /// - Returns: Whether the key is an editing key.
  public mutating func handle(_ key: Key) -> Bool {
    switch key {
    case .character(let character): insert(String(character))
    // Pasted text may have line breaks, which a line cannot contain.
    case .paste(let text): insert(VisibleText.plain(text))
    case .left, .control("b"): cursor = max(0, cursor - 1)
    case .right, .control("f"): cursor = min(text.count, cursor + 1)
    case .home, .control("a"): cursor = 0
    case .end, .control("e"): cursor = text.count
    case .backspace, .control("h"): remove(cursor - 1..<cursor)
    case .delete, .control("d"): remove(cursor..<cursor + 1)
    case .control("k"): remove(cursor..<text.count)
    case .control("u"): remove(0..<cursor)
    case .control("w"): remove(wordStart..<cursor)
    default: return false
    }
    return true
  }

  /// The part of the text around the cursor that fits into a width, and the
  /// column of the cursor in that part.
  public func window(width: Int) -> (text: String, cursor: Int) {
    guard width > 0 else { return ("", 0) }
    let shown = text.map { VisibleText.escaped(String($0)) }
    var start = cursor
    var column = 0
    // Reserve one column for a cursor at the end.
    while start > 0, column + TextWidth.of(shown[start - 1]) < width {
      start -= 1
      column += TextWidth.of(shown[start])
    }
    var window = ""
    var rest = width
    for character in shown[start...] {
      rest -= TextWidth.of(character)
      if rest < 0 { break }
      window += character
    }
    return (window, column)
  }

  private mutating func insert(_ new: String) {
    let before = String(text.prefix(cursor)) + new
    text = before + text.dropFirst(cursor)
    // A combining mark joins the character before it.
    cursor = min(text.count, before.count)
  }

  private mutating func remove(_ range: Range<Int>) {
    let range = range.clamped(to: 0..<text.count)
    text = String(text.prefix(range.lowerBound) + text.dropFirst(range.upperBound))
    cursor = min(range.lowerBound, text.count)
  }

  private var wordStart: Int {
    let before = Array(text.prefix(cursor))
    let end = before.lastIndex { !$0.isWhitespace } ?? 0
    return before[..<end].lastIndex { $0.isWhitespace }.map { $0 + 1 } ?? 0
  }
}
