import CJansson

/// A text whose keys contain no U+0000, in place of one whose keys do.
///
/// Jansson reads U+0000 in strings, but not in keys, although its objects hold
/// such keys. So the escape `\u0000` of a key becomes U+0001 and the letter a,
/// and U+0001 itself becomes U+0001 and the letter b. Different keys stay
/// different, so that Jansson finds the duplicates. The keys of the parsed tree
/// are then changed back.
struct NULKeyText {
  private(set) var bytes: [UInt8] = []
  /// The offsets of the letters, which the original text does not have.
  private var insertions: [Int] = []

  /// - Parameters:
  ///   - text: The original text. It need not be valid JSON.
  ///   - isValue: Whether only the first object or array of the text counts.
  init(_ text: UnsafeRawBufferPointer, isValue: Bool) {
    bytes.reserveCapacity(text.count + 16)
    var depth = 0
    var position = 0
    while position < text.count {
      let byte = text[position]
      switch byte {
      case UInt8(ascii: "\""):
        let end = Self.endOfString(at: position, in: text)
        if Self.isKey(before: end, in: text) {
          append(key: UnsafeRawBufferPointer(rebasing: text[position..<end]))
        } else {
          bytes += text[position..<end]
        }
        position = end
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      bytes.append(byte)
      position += 1
      let isEnd = byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
      if isValue, isEnd, depth <= 0 { return }
    }
  }

  /// The offset in the original text of an offset in this one.
  func originalOffset(_ offset: Int) -> Int {
    offset - insertions.count { $0 < offset }
  }

  private mutating func append(key: UnsafeRawBufferPointer) {
    var position = 0
    while position < key.count {
      guard key[position] == UInt8(ascii: "\\") else {
        bytes.append(key[position])
        position += 1
        continue
      }
      let escape = key[position..<min(position + 6, key.count)]
      let isNUL = escape.elementsEqual(#"\u0000"#.utf8)
      if isNUL || escape.elementsEqual(#"\u0001"#.utf8) {
        bytes += #"\u0001"#.utf8
        insertions.append(bytes.count)
        bytes.append(UInt8(ascii: isNUL ? "a" : "b"))
        position += 6
      } else {
        bytes += escape.prefix(2)
        position += 2
      }
    }
  }

  private static func endOfString(at start: Int, in text: UnsafeRawBufferPointer) -> Int {
    var position = start + 1
    while position < text.count, text[position] != UInt8(ascii: "\"") {
      position += text[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(position + 1, text.count)
  }

  /// Whether the string that ends at an offset is a key.
  private static func isKey(before end: Int, in text: UnsafeRawBufferPointer) -> Bool {
    text[end...].first { ![0x20, 0x0A, 0x0D, 0x09].contains($0) } == UInt8(ascii: ":")
  }
}

extension NULKeyText {
  /// Changes the keys of a parsed tree back to those of the original text.
  ///
  /// - Returns: The tree; nil where there is not enough memory.
  // SAFETY: The tree is not yet shared. Each member is retained while its object
  // is cleared and filled again, and released with the object.
  static func restoreKeys(
    in root: UnsafeMutablePointer<json_t>, _ error: inout json_error_t
  ) -> UnsafeMutablePointer<json_t>? {
    // Not recursive: the tree may have 2,048 levels.
    var pending = [root]
    while let json = pending.popLast() {
      if json.pointee.type == JSON_OBJECT {
        guard restoreKeys(of: json) else {
          json_decref(root)
          // Jansson keeps the code in the last byte of the text.
          withUnsafeMutableBytes(of: &error.text) { text in
            text[text.count - 1] = UInt8(json_error_out_of_memory.rawValue)
          }
          return nil
        }
      }
      var children = NodeChildren(json)
      while let child = children.next() {
        if JSONNode(child).isContainer { pending.append(child) }
      }
    }
    return root
  }

  /// - Returns: Whether there is enough memory.
  private static func restoreKeys(of object: UnsafeMutablePointer<json_t>) -> Bool {
    var members: [(key: [UInt8], value: UnsafeMutablePointer<json_t>)] = []
    var isChanged = false
    var iterator = json_object_iter(object)
    while let current = iterator {
      if let key = json_object_iter_key(current), let value = json_object_iter_value(current) {
        let bytes = UnsafeRawBufferPointer(start: key, count: json_object_iter_key_len(current))
        let original = originalKey(bytes)
        isChanged = isChanged || original.count < bytes.count
        members.append((original, value))
      }
      iterator = json_object_iter_next(object, current)
    }
    guard isChanged else { return true }
    for member in members { _ = json_incref(member.value) }
    json_object_clear(object)
    var isComplete = true
    for (key, value) in members {
      // It releases the value where it fails.
      let result = (key + [0]).withUnsafeBytes { bytes in
        json_object_setn_new_nocheck(
          object, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), key.count, value)
      }
      if result != 0 { isComplete = false }
    }
    return isComplete
  }

  private static func originalKey(_ key: UnsafeRawBufferPointer) -> [UInt8] {
    guard key.contains(1) else { return Array(key) }
    var original: [UInt8] = []
    var isEscaped = false
    for byte in key {
      if isEscaped {
        original.append(byte == UInt8(ascii: "a") ? 0 : 1)
        isEscaped = false
      } else if byte == 1 {
        isEscaped = true
      } else {
        original.append(byte)
      }
    }
    return original
  }
}
