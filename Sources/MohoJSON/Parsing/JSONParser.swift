import CJansson

/// Parses texts whose integers may be larger than those of the parser.
enum JSONParser {
  /// The tree of a text, which the caller owns, or nil with the error.
  ///
  /// Integers beyond 64 bits with sign are doubles in it, the nearest ones:
  /// what they are exactly, the text says. All other values are as the parser
  /// makes them. Texts without such integers are parsed once.
  static func parse(
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
    var containers = [Container(root)]
    while let last = containers.indices.last {
      guard let child = containers[last].next() else {
        containers.removeLast()
        continue
      }
      switch child.pointee.type {
      case JSON_ARRAY, JSON_OBJECT: containers.append(Container(child))
      case JSON_REAL:
        if let integer = numbers.nextInteger() { containers[last].replace(by: integer) }
      default: break
      }
    }
    return root
  }
}

/// Goes through the children of an array or an object, in their order.
private struct Container {
  private let json: UnsafeMutablePointer<json_t>
  private var index = -1
  private var member: UnsafeMutableRawPointer?

  init(_ json: UnsafeMutablePointer<json_t>) { self.json = json }

  mutating func next() -> UnsafeMutablePointer<json_t>? {
    index += 1
    guard json.pointee.type == JSON_OBJECT else { return json_array_get(json, index) }
    member = index == 0 ? json_object_iter(json) : json_object_iter_next(json, member)
    return member.flatMap { json_object_iter_value($0) }
  }

  /// Puts another value, which it owns from then on, at the place of the child.
  func replace(by value: UnsafeMutablePointer<json_t>) {
    if json.pointee.type == JSON_OBJECT {
      json_object_iter_set_new(json, member, value)
    } else {
      json_array_set_new(json, index, value)
    }
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
