import Foundation

/// A value in JSON text that a store contains.
///
/// Requests read single keys of nested models in many rows. A member is found without
/// decoding the others and without copying. The text is not checked: in text that is not
/// JSON, some values may be found.
struct StoredJSON {
  /// The bytes of the value, without white space around it.
  private let bytes: UnsafeBufferPointer<UInt8>

  /// The value of a whole text. Nil if the text starts with no value.
  ///
  /// The value is valid as long as the bytes of the text are.
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    var scanner = Scanner(bytes: text)
    guard let value = scanner.value() else { return nil }
    self = value
  }

  fileprivate init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// The value at a path that does not collect. Nil if the path does not exist.
  ///
  /// - Complexity: O(*n*) for the bytes before the end of the value.
  func value(at path: FieldPath) -> StoredJSON? {
    var value = self
    for component in path.components {
      let next: StoredJSON? =
        switch component {
        case .key(let name): value.member(name)
        case .index(let index): value.element(index)
        case .each: nil
        }
      guard let next else { return nil }
      value = next
    }
    return value
  }

  private func member(_ name: String) -> StoredJSON? {
    var scanner = Scanner(bytes: bytes)
    guard scanner.skip("{") else { return nil }
    while let key = scanner.value(), scanner.skip(":"), let value = scanner.value() {
      if key.isString(name) { return value }
      guard scanner.skip(",") else { return nil }
    }
    return nil
  }

  private func element(_ index: Int) -> StoredJSON? {
    var scanner = Scanner(bytes: bytes)
    guard scanner.skip("[") else { return nil }
    var rest = index
    while let value = scanner.value() {
      if rest == 0 { return value }
      rest -= 1
      guard scanner.skip(",") else { return nil }
    }
    return nil
  }
}

extension StoredJSON {
  var isNull: Bool { bytes.first == UInt8(ascii: "n") }
  var isObject: Bool { bytes.first == UInt8(ascii: "{") }

  var bool: Bool? {
    switch bytes.first {
    case UInt8(ascii: "t"): true
    case UInt8(ascii: "f"): false
    default: nil
    }
  }

  var integer: Int64? { number.flatMap { Int64($0) ?? NumberText($0)?.integer() } }
  var unsigned: UInt64? { number.flatMap { UInt64($0) ?? NumberText($0)?.integer() } }
  var decimal: Decimal? { number.flatMap { NumberText($0)?.decimal } }

  var double: Double? {
    number.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
  }

  private var number: String? {
    guard let first = bytes.first,
      first == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= first
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  var string: String? {
    guard let inside else { return nil }
    if !inside.contains(UInt8(ascii: "\\")) { return String(decoding: inside, as: UTF8.self) }
    return try? JSONDecoder().decode(String.self, from: Data(bytes))
  }

  /// The bytes between the quotation marks of a string.
  private var inside: Slice<UnsafeBufferPointer<UInt8>>? {
    guard bytes.count >= 2, bytes.first == UInt8(ascii: "\"") else { return nil }
    return bytes[1..<(bytes.count - 1)]
  }

  /// Whether the value is a string with the bytes of a text.
  private func isString(_ text: String) -> Bool {
    guard let inside else { return false }
    if inside.contains(UInt8(ascii: "\\")) { return string?.hasSameBytes(as: text) ?? false }
    return inside.count == text.utf8.count && inside.elementsEqual(text.utf8)
  }
}

/// Finds the values of an object or an array one after the other.
private struct Scanner {
  let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// The byte at the position, or nil at the end.
  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte.isSpace { position += 1 }
  }

  /// Skips white space and a character. Returns false if another one follows.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Returns the next value and skips it. Nil if no value follows.
  mutating func value() -> StoredJSON? {
    skipSpace()
    let start = position
    let isSkipped: Bool =
      switch next {
      case UInt8(ascii: "\""): skipString()
      case UInt8(ascii: "{"), UInt8(ascii: "["): skipContainer()
      default: skipWord()
      }
    guard isSkipped else { return nil }
    return StoredJSON(bytes: UnsafeBufferPointer(rebasing: bytes[start..<position]))
  }

  /// Skips a string that begins at the position. Returns false if it does not end.
  private mutating func skipString() -> Bool {
    position += 1
    while let byte = next {
      position += 1
      if byte == UInt8(ascii: "\"") { return true }
      if byte == UInt8(ascii: "\\"), position < bytes.count { position += 1 }
    }
    return false
  }

  /// Skips an object or an array that begins at the position. Returns false if it does
  /// not end.
  private mutating func skipContainer() -> Bool {
    var depth = 0
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        guard skipString() else { return false }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      position += 1
      if depth == 0 { return true }
    }
    return false
  }

  /// Skips a number or a word such as `null`. Returns false if neither follows.
  private mutating func skipWord() -> Bool {
    let start = position
    while let byte = next, !byte.isSpace, !byte.endsWord { position += 1 }
    return position > start
  }
}

extension UInt8 {
  fileprivate var isSpace: Bool {
    switch self {
    case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): true
    default: false
    }
  }

  fileprivate var endsWord: Bool {
    switch self {
    case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "\""), UInt8(ascii: "{"),
      UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"):
      true
    default: false
    }
  }
}
