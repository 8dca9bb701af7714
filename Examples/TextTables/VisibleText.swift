/// Text from data in a form that is safe to show.
///
/// Feeds and arguments come from strangers. Their control characters steer a
/// terminal, their line separators forge lines, and their invisible format
/// characters turn the direction of what follows or hide text.
public enum VisibleText {
  /// The text with such characters as escapes, such as `\n` and `\u{1B}`.
  ///
  /// Escaping the result again changes nothing. A combining mark at the
  /// beginning is an escape too: it would change the character before the text.
  /// The joiners of emoji and of Persian remain.
  public static func escaped(_ text: String) -> String {
    // Most texts have nothing to escape.
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
    var result = ""
    var isFirst = true
    for scalar in text.unicodeScalars {
      if isUnsafe(scalar) || (isFirst && isMark(scalar)) {
        result += scalar.escaped(asASCII: true)
      } else {
        result.unicodeScalars.append(scalar)
      }
      isFirst = false
    }
    return result
  }

  /// The text without such characters: control characters and separators are
  /// spaces, the others are left out. For text that becomes data, such as a paste.
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

  /// JSON text with such characters as its own escapes, except line feeds
  /// between values. It is read as the same values.
  public static func escapedJSON(_ json: String) -> String {
    var result = ""
    for scalar in json.unicodeScalars {
      guard isUnsafe(scalar), scalar != "\n" else {
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

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    // Some format characters are visible, such as the Arabic number signs. Those
    // of annotations (U+FFF9 to U+FFFB) are not, though Unicode does not say so.
    case .format, .unassigned:
      scalar != "\u{200C}" && scalar != "\u{200D}"
        && (scalar.properties.isDefaultIgnorableCodePoint
          || ("\u{FFF9}"..."\u{FFFB}").contains(scalar))
    default: false
    }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }
}
