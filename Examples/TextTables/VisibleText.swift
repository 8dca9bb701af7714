/// Makes untrusted text safe to show.
///
/// Feeds and arguments may contain unsafe characters: control characters, which
/// control a terminal; line separators, which forge lines; and invisible format
/// characters, which reverse or hide text.
public enum VisibleText {
  /// The text with escapes for unsafe characters, such as `\n` and `\u{1B}`.
  ///
  /// Escaping the result again does not change it. A combining mark at the
  /// beginning is escaped too, since it would change the character before the
  /// text, and so are marks after the first 30 of a character, the limit of
  /// Unicode's stream-safe text. The joiners of emoji and of Persian are not
  /// escaped.
  public static func escaped(_ text: String) -> String {
    // Most text is printable ASCII.
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
    var result = ""
    var isFirst = true
    var filter = Filter()
    for scalar in text.unicodeScalars {
      if filter.escapes(scalar) || (isFirst && isMark(scalar)) {
        result += scalar.escaped(asASCII: true)
      } else {
        result.unicodeScalars.append(scalar)
      }
      isFirst = false
    }
    return result
  }

  /// The text in quotes for a message: escaped, and cut at a number of scalars.
  ///
  /// Messages quote data with this function. What is outside the quotes is
  /// text of the program.
  public static func quoted(_ text: String, limit: Int = 80) -> String {
    let excerpt = String(text.unicodeScalars.prefix(limit))
    let isCut = excerpt.utf8.count < text.utf8.count
    return "\"\(escaped(excerpt))\(isCut ? "…" : "")\""
  }

  /// Whether a text has no visible characters: it is empty, or has only white
  /// space, control characters and invisible characters.
  public static func isBlank(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy {
      $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint || isUnsafe($0)
    }
  }

  /// The text without unsafe characters, for text that becomes data, such as
  /// pasted text. Control characters and separators become spaces; format
  /// characters are removed.
  public static func plain(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if !isUnsafe(scalar) {
        result.unicodeScalars.append(scalar)
      } else if scalar.properties.generalCategory != .format {
        result += " "
      }
    }
    return result
  }

  /// JSON text with JSON escapes for unsafe characters, except for line feeds
  /// between values. The result has the same values.
  public static func escapedJSON(_ json: String) -> String {
    var result = ""
    var filter = Filter()
    for scalar in json.unicodeScalars {
      guard filter.escapes(scalar), scalar != "\n" else {
        result.unicodeScalars.append(scalar)
        continue
      }
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return result
  }

  /// Selects the scalars of a text to escape, in order.
  private struct Filter {
    private static let markLimit = 30
    /// The number of marks and joiners since the last other character.
    private var markCount = 0

    mutating func escapes(_ scalar: Unicode.Scalar) -> Bool {
      let isMark = VisibleText.isMark(scalar) || VisibleText.isJoiner(scalar)
      markCount = isMark ? markCount + 1 : 0
      return VisibleText.isUnsafe(scalar) || markCount > Self.markLimit
    }
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    // Some format characters are visible, such as the Arabic number signs. The
    // annotation characters (U+FFF9 to U+FFFB) are invisible, although they do
    // not have the Unicode property.
    case .format, .unassigned:
      !isJoiner(scalar)
        && (scalar.properties.isDefaultIgnorableCodePoint
          || ("\u{FFF9}"..."\u{FFFB}").contains(scalar))
    default: false
    }
  }

  private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\u{200C}" || scalar == "\u{200D}"
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }
}
