import Foundation

/// Structured values, which are `jsonb` columns.
enum StructuredValue {
  /// Whether a JSON text contains an escaped U+0000, which `jsonb` cannot store.
  static func hasNullCharacter(_ json: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while index + 5 < json.count {
      guard json[index] == UInt8(ascii: "\\") else {
        index += 1
        continue
      }
      if json[index + 1] == UInt8(ascii: "u"),
        json[(index + 2)...(index + 5)].allSatisfy({ $0 == UInt8(ascii: "0") })
      {
        return true
      }
      index += 2
    }
    return false
  }

  /// Returns the text that stores exchange for a structured value, or nil if the
  /// text is not JSON: compact, with members that are sorted by the bytes of
  /// their names, with numbers as decimals without an exponent and without
  /// trailing zeros, and with characters that are escaped only if they must be.
  /// Values that `jsonb` considers equal have equal texts.
  ///
  /// `PostgresFunctions.json` returns the same text in SQL.
  static func canonical(_ json: some Collection<UInt8>) -> String? {
    guard let value = CanonicalJSON.text(of: Array(json)) else { return nil }
    return String(decoding: value, as: UTF8.self)
  }
}
