extension String {
  /// The text for use in a message. Control characters, line separators and
  /// invisible format characters are escaped: quoted data must not control a
  /// terminal, imitate a line of output, or change the direction of the text
  /// that follows.
  ///
  /// Escaping is idempotent.
  package var escapedForMessages: String {
    if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return self }
    var result = ""
    for scalar in unicodeScalars {
      if scalar.isEscapedInMessages {
        result += scalar.escaped(asASCII: true)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension Unicode.Scalar {
  fileprivate var isEscapedInMessages: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    // Emoji and Persian use the joiners. Some format characters are visible,
    // such as the Arabic number signs. The annotation characters (U+FFF9 to
    // U+FFFB) are invisible although Unicode does not define them as ignorable.
    case .format, .unassigned:
      value != 0x200C && value != 0x200D
        && (properties.isDefaultIgnorableCodePoint || 0xFFF9...0xFFFB ~= value)
    default: false
    }
  }
}

/// Returns a text in quotes, cut at 80 scalars, and escaped as by
/// ``Swift/String/escapedForMessages``. A leading combining mark is escaped as
/// well: it would combine with the quote.
package func quoted(_ text: String) -> String {
  let limit = 80
  let scalars = text.unicodeScalars
  let isCut = scalars.count > limit
  var shown = String(scalars.prefix(limit)).escapedForMessages
  if let first = scalars.first, first.isMark {
    shown = first.escaped(asASCII: true) + String(shown.unicodeScalars.dropFirst())
  }
  return "\"\(shown)\(isCut ? "…" : "")\""
}

extension Unicode.Scalar {
  fileprivate var isMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }
}
