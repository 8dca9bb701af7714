import Foundation

/// Numbers `-0` in JSON text that `JSONEncoder` has written.
enum NegativeZeros {
  /// Returns the text with `0` in their place.
  static func removed(from json: Data) -> String {
    json.withUnsafeBytes { json in
      let positions = positions(in: json)
      if positions.isEmpty { return String(decoding: json, as: UTF8.self) }
      var bytes: [UInt8] = []
      var start = 0
      for position in positions {
        bytes += json[start..<position]
        start = position + 1
      }
      return String(decoding: bytes + json[start...], as: UTF8.self)
    }
  }

  /// The positions of the signs.
  private static func positions(in json: UnsafeRawBufferPointer) -> [Int] {
    var positions: [Int] = []
    var (index, isString) = (0, false)
    while index < json.count {
      switch json[index] {
      case UInt8(ascii: "\""): isString.toggle()
      case UInt8(ascii: "\\"): index += 1
      case UInt8(ascii: "-") where !isString && isZero(json[(index + 1)...]):
        positions.append(index)
      default: break
      }
      index += 1
    }
    return positions
  }

  /// Whether a text starts with the number 0. `JSONEncoder` writes no `0.0`.
  private static func isZero(_ rest: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard rest.first == UInt8(ascii: "0") else { return false }
    switch rest.dropFirst().first {
    case nil, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): return true
    default: return false
    }
  }
}
