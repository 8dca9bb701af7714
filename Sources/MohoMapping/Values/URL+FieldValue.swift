public import Foundation

extension URL: FieldValue {
  /// A string.
  public static var fieldType: FieldType { .string }

  /// A string of format `uri-reference`: a URL can be relative.
  public static var fieldSchema: FieldSchema { .string(format: "uri-reference") }

  /// Reads a URL or a relative reference. Its string is preserved byte for
  /// byte.
  ///
  /// The string must be a valid URL by RFC 3986. It is not percent-encoded,
  /// trimmed or converted: a space, `%zz`, `|` or a non-ASCII character is an
  /// error that names the character and its percent-encoded form. The source
  /// must therefore encode internationalized URLs (RFC 3987). An `xn--` host is
  /// valid. An empty string is an error.
  ///
  /// To accept strings that `URL(string:)` repairs, use a transform:
  ///
  /// ```swift
  /// Transform<String>.standard.map(
  ///   expected: "URL", to: { URL(string: $0) }, from: { $0.absoluteString })
  /// ```
  public static func decode(from decoder: any FieldDecoder, at index: Int) throws -> URL {
    let text = try decoder.string(at: index)
    guard let url = URL(string: text, encodingInvalidCharacters: false) else {
      throw decoder.error(.invalidValue, at: index, expected: URLText(text).expectation)
    }
    return url
  }

  /// Writes the absolute string of the URL. A URL with a base URL is therefore
  /// read back without it, as an absolute URL.
  public func encode(to encoder: any FieldEncoder, at index: Int) throws {
    try encoder.encode(absoluteString, at: index)
  }

  /// A URL at example.com.
  public static func sample(_ sample: FieldSample) -> URL? {
    URL(string: "https://example.com/\(sample.number)")
  }
}

/// A string that is not a URL, and how to correct it.
private struct URLText {
  private let scalars: [Unicode.Scalar]

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// The expectation for the error message.
  var expectation: String {
    let authority = authority
    for (position, scalar) in scalars.enumerated() where !isAllowed(position, authority) {
      if !scalar.isASCII, authority.contains(position), !scalars[position...].contains("@") {
        return "URL: write the host in ASCII, as `xn--` labels, instead of `\(scalar)`"
      }
      let shown = scalar.escaped(asASCII: scalar.properties.generalCategory == .control)
      let encoding = "URL: percent-encode `\(shown)` as `\(scalar.percentEncoded)`"
      return scalar == "%" ? "\(encoding), or add two hexadecimal digits" : encoding
    }
    return "URL"
  }

  /// The positions between `//` and the path, query or fragment.
  private var authority: Range<Int> {
    guard let slash = scalars.firstIndex(where: { "/?#".unicodeScalars.contains($0) }),
      scalars[slash...].starts(with: "//".unicodeScalars),
      slash == 0 || scalars[slash - 1] == ":"
    else { return 0..<0 }
    let start = slash + 2
    let end = scalars[start...].firstIndex { "/?#".unicodeScalars.contains($0) }
    return start..<(end ?? scalars.count)
  }

  /// Whether RFC 3986 allows the character at a position.
  private func isAllowed(_ position: Int, _ authority: Range<Int>) -> Bool {
    switch scalars[position] {
    case "%":
      let digits = scalars[(position + 1)...].prefix(2)
      return digits.count == 2 && digits.allSatisfy { $0.isASCII && $0.properties.isASCIIHexDigit }
    case "[", "]": return authority.contains(position)
    case "#": return scalars.firstIndex(of: "#") == position
    case "a"..."z", "A"..."Z", "0"..."9": return true
    case let scalar: return "-._~:/?@!$&'()*+,;=".unicodeScalars.contains(scalar)
    }
  }
}

extension Unicode.Scalar {
  /// The UTF-8 bytes of the character, each as `%` and two hexadecimal digits.
  fileprivate var percentEncoded: String {
    String(self).utf8.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count == 1 ? "%0\(digits)" : "%\(digits)"
    }.joined()
  }
}
