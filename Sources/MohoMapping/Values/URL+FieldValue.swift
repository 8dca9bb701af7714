public import Foundation

extension URL: FieldValue {
  /// Text.
  public static var fieldType: FieldType { .string }

  /// Reads a URL or a relative reference and keeps its text byte for byte.
  ///
  /// The text must be a URL by RFC 3986 as it stands. Nothing is
  /// percent-encoded, trimmed or converted: a space, `%zz`, `|` or a character
  /// outside ASCII is an error that names the character and its percent-encoded
  /// form. Internationalized URLs (RFC 3987) must therefore be encoded by their
  /// source; an `xn--` host is accepted. The empty text is an error.
  ///
  /// To accept what `URL(string:)` repairs, map text yourself:
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

  /// Writes the URL's text, which is absolute where the URL has a base.
  public func encode(to encoder: any FieldEncoder, at index: Int) throws {
    try encoder.encode(absoluteString, at: index)
  }

  /// A URL at example.com.
  public static func sample(_ sample: FieldSample) -> URL? {
    URL(string: "https://example.com/\(sample.number)")
  }
}
