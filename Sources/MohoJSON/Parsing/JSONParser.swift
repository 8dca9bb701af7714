import CJansson

/// Parses texts with what Jansson does not take by itself: integers beyond 64
/// bits, and keys that contain U+0000.
enum JSONParser {
  /// The tree of a text, which the caller owns, or nil with the error.
  ///
  /// Integers beyond 64 bits with sign are doubles in it, the nearest ones:
  /// what they are exactly, the text says. All other values are as the parser
  /// makes them. Texts without such integers and keys are parsed once.
  static func parse(
    _ text: UnsafeRawBufferPointer, _ flags: Int32, _ error: inout json_error_t
  ) -> UnsafeMutablePointer<json_t>? {
    let flags = flags | JSON_ALLOW_NUL
    if let root = load(text, flags, &error) { return root }
    guard json_error_code(&error) == json_error_null_byte_in_key else { return nil }
    let escaped = NULKeyText(text, isValue: flags & JSON_DISABLE_EOF_CHECK != 0)
    let root = escaped.bytes.withUnsafeBytes { load($0, flags, &error) }
    error.position = CInt(escaped.originalOffset(Int(error.position)))
    return root.flatMap { NULKeyText.restoreKeys(in: $0, &error) }
  }

  private static func load(
    _ text: UnsafeRawBufferPointer, _ flags: Int32, _ error: inout json_error_t
  ) -> UnsafeMutablePointer<json_t>? {
    if let root = json_loadb(text.baseAddress, text.count, Int(flags), &error) { return root }
    guard json_error_code(&error) == json_error_numeric_overflow,
      let root = json_loadb(
        text.baseAddress, text.count, Int(flags | JSON_DECODE_INT_AS_REAL), &error)
    else { return nil }
    return restoringIntegers(in: root, spelledBy: text)
  }

  /// A tree all of whose numbers are doubles, with those that are integers of 64
  /// bits made integers.
  ///
  /// SAFETY: The tree is not yet handed out: nobody else reads it, or holds a
  /// part of it. What is replaced is the child that was just looked at.
  private static func restoringIntegers(
    in root: UnsafeMutablePointer<json_t>, spelledBy text: UnsafeRawBufferPointer
  ) -> UnsafeMutablePointer<json_t> {
    var numbers = NumberTokens(text)
    if root.pointee.type == JSON_REAL {
      guard let integer = numbers.nextInteger() else { return root }
      json_decref(root)
      return integer
    }
    // Not recursive: the tree may be 2,048 levels deep.
    var containers = [NodeChildren(root)]
    while let last = containers.indices.last {
      guard let child = containers[last].next() else {
        containers.removeLast()
        continue
      }
      switch child.pointee.type {
      case JSON_ARRAY, JSON_OBJECT: containers.append(NodeChildren(child))
      case JSON_REAL:
        if let integer = numbers.nextInteger() { containers[last].replace(by: integer) }
      default: break
      }
    }
    return root
  }
}

extension NumberTokens {
  /// The next number where it is an integer of 64 bits.
  fileprivate mutating func nextInteger() -> UnsafeMutablePointer<json_t>? {
    // A sign and 19 digits.
    guard let token = next(), token.count <= 20,
      let integer = Int64(String(decoding: token, as: UTF8.self))
    else { return nil }
    return json_integer(json_int_t(integer))
  }
}
