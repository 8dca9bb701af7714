import Foundation
import MohoRows

/// The forms in which the history stores the names of changed keys, and unique
/// keys of several values.
enum HistoryKeys {
  /// Returns a name without commas, which separate the names of changed keys.
  static func encoded(_ name: String) -> String {
    name.replacing("%", with: "%25").replacing(",", with: "%2C")
  }

  /// Returns a list of names, separated and surrounded by commas.
  static func list(_ names: [String]) -> String {
    "," + names.map { encoded($0) + "," }.joined()
  }

  /// Returns the names of changed keys, which are separated and surrounded by
  /// commas.
  static func names(_ list: String) -> Set<String> {
    Set(
      list.split(separator: ",").map { name in
        String(name.replacing("%2C", with: ",").replacing("%25", with: "%"))
      })
  }

  /// Returns the values of a unique key, which are separated by spaces: `t` or `b`
  /// followed by the bytes of a text or blob in hexadecimal digits, or an SQL
  /// literal of a number or null.
  static func parts(_ text: String) -> [StoredValue] {
    text.split(separator: " ", omittingEmptySubsequences: false).map { part in
      switch part.first {
      case "t": StoredValue(text: bytes(part.dropFirst()))
      case "b": .blob(bytes(part.dropFirst()))
      default:
        Int64(part).map { .integer($0) } ?? Double(part).map { .number($0) } ?? .null
      }
    }
  }

  private static func bytes(_ digits: Substring) -> Data {
    var bytes = Data()
    var rest = digits.utf8[...]
    while rest.count >= 2 {
      bytes.append(UInt8(Substring(rest.prefix(2)), radix: 16) ?? 0)
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}

extension StoredValue {
  fileprivate init(text bytes: Data) {
    self = String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .invalidText(bytes)
  }
}
