extension String {
  /// The text as a line of a message: control characters, line separators and
  /// invisible format characters are escapes, so that data that a message quotes
  /// cannot steer a terminal, forge a line or turn the direction of the rest.
  ///
  /// Escaping the result again changes nothing.
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
    // The joiners belong to emoji and to Persian. Some format characters are
    // visible, such as the Arabic number signs; those of annotations (U+FFF9 to
    // U+FFFB) are not, though Unicode does not call them ignorable.
    case .format, .unassigned:
      value != 0x200C && value != 0x200D
        && (properties.isDefaultIgnorableCodePoint || 0xFFF9...0xFFFB ~= value)
    default: false
    }
  }
}

/// A text as messages show it: in quotes, cut at 80 scalars, with the escapes of
/// ``Swift/String/escapedForMessages``. A combining mark at its beginning is an
/// escape too, for it would change the quote.
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
