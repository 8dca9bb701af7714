/// The texts from a text to another one, excluding it, in the order of their
/// bytes.
// Not a `Range`: Swift orders texts by their composed forms.
package struct TextRange: Sendable {
  package let lowerBound: String
  package let upperBound: String
}

extension TextMatch {
  /// A range of byte-ordered texts that contains all matching texts, or nil if
  /// no such range can be determined. An index can search this range.
  ///
  /// The bounds have no null character, because GRDB binds texts up to it.
  package var range: TextRange? {
    guard options.isEmpty else { return nil }
    let text =
      switch kind {
      case .hasPrefix, .equals: text[...]
      case .like: text.prefix { !["*", "?", "\\"].contains($0) }
      case .contains, .hasSuffix, .matches: text.prefix(0)
      }
    var prefix = Array(text.unicodeScalars.prefix { $0.value > 0 })
    let lower = String(prefix)
    // The last scalar without a successor is dropped: the range is wider.
    while let last = prefix.popLast() {
      guard let next = last.successor else { continue }
      return TextRange(lowerBound: lower, upperBound: String(prefix + [next]))
    }
    return nil
  }
}

extension String {
  fileprivate init(_ scalars: [Unicode.Scalar]) {
    self.init(UnicodeScalarView(scalars))
  }
}

extension Unicode.Scalar {
  /// The next scalar, or nil for the last one.
  fileprivate var successor: Unicode.Scalar? {
    Unicode.Scalar(value + 1) ?? (value == 0xD7FF ? Unicode.Scalar(0xE000 as UInt32) : nil)
  }
}
