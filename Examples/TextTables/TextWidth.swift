/// The width of text in a terminal.
public enum TextWidth {
  /// The number of columns of a text. A wide character has two columns.
  public static func of(_ text: String) -> Int {
    text.reduce(0) { $0 + columns($1) }
  }

  /// The text, truncated with `…` if it has more columns than `width`.
  public static func cut(_ text: String, to width: Int?) -> String {
    guard let width, of(text) > width else { return text }
    var result = ""
    var rest = width - 1
    for character in text {
      rest -= columns(character)
      if rest < 0 { break }
      result.append(character)
    }
    return width > 0 ? result + "…" : ""
  }

  /// The text, truncated in the middle with `…` if it has more columns than
  /// `width`: ids often differ only at their ends.
  public static func cutMiddle(_ text: String, to width: Int) -> String {
    guard of(text) > width, width > 2 else { return cut(text, to: width) }
    let start = String(cut(text, to: (width - 1) / 3 + 1).dropLast())
    var end: [Character] = []
    var rest = width - 1 - of(start)
    for character in text.reversed() {
      rest -= columns(character)
      if rest < 0 { break }
      end.append(character)
    }
    return start + "…" + String(end.reversed())
  }

  /// The text in lines of at most `width` columns.
  ///
  /// Lines are broken at spaces, and before and after wide characters. Longer
  /// words are broken anywhere. Line breaks of the text are not special.
  public static func wrap(_ text: String, to width: Int) -> [String] {
    guard width > 0 else { return [] }
    var lines: [String] = []
    var line: [(character: Character, width: Int)] = []
    var lineWidth = 0
    /// The number of characters before the last possible break.
    var breakIndex: Int?
    /// Whether the line has other characters than its indentation, which is
    /// not a possible break.
    var hasText = false
    func endLine(at index: Int) {
      var ended = line[..<index]
      while let last = ended.last, last.character == " " { ended.removeLast() }
      lines.append(String(ended.map(\.character)))
      line.removeFirst(index)
      lineWidth = line.reduce(0) { $0 + $1.width }
      breakIndex = nil
      hasText = line.contains { $0.character != " " }
    }
    for character in text {
      // One column cannot show a wide character.
      let (character, columns) =
        columns(character) > width ? ("…", 1) : (character, columns(character))
      if character == " ", lineWidth + 1 > width {
        endLine(at: line.count)
        continue
      }
      while !line.isEmpty, lineWidth + columns > width {
        endLine(at: columns == 2 ? line.count : breakIndex ?? line.count)
      }
      line.append((character, columns))
      lineWidth += columns
      if character != " " { hasText = true }
      if columns == 2 || character == " " && hasText { breakIndex = line.count }
    }
    endLine(at: line.count)
    return lines
  }

  /// The ranges of wide characters are the blocks of emoji and of East Asian
  /// Width `W` and `F` in Unicode Standard Annex #11.
  private static func columns(_ character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    // Variation selector 16 requests the emoji form of a character.
    if scalar.properties.isEmoji, character.unicodeScalars.contains("\u{FE0F}") { return 2 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1FAFF,
      0x20000...0x3FFFD:
      return 2
    default:
      let category = scalar.properties.generalCategory
      let isMark = category == .nonspacingMark || category == .enclosingMark
      return isMark ? 0 : scalar.properties.isEmojiPresentation ? 2 : 1
    }
  }
}
