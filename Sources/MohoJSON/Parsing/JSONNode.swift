import CJansson
import MohoMapping

/// A value inside a parsed document.
///
/// SAFETY: A node borrows: it is valid while its document lives, which keeps
/// all its nodes and changes none. Nodes are only handed out by
/// ``JSONDocument/withRoot(_:)``, whose call none outlives, and by ``ArrayWalk``
/// until it goes on. Jansson's getters check the type themselves and return nothing for another.
struct JSONNode {
  private let json: UnsafeMutablePointer<json_t>

  init(_ json: UnsafeMutablePointer<json_t>) { self.json = json }

  /// Null, which belongs to no document.
  static var null: JSONNode { JSONNode(json_null()) }

  var kind: JSONValue.Kind {
    switch json.pointee.type {
    case JSON_OBJECT: .object
    case JSON_ARRAY: .array
    case JSON_STRING: .string
    case JSON_INTEGER: .integer
    case JSON_REAL: .number
    case JSON_TRUE, JSON_FALSE: .bool
    default: .null
    }
  }

  /// Whether the value is `true`.
  var isTrue: Bool { json.pointee.type == JSON_TRUE }

  /// The integer, or 0 where the value is none.
  var integer: Int64 { Int64(json_integer_value(json)) }

  /// The number, integer or not, or 0 where the value is none.
  var number: Double { json_number_value(json) }

  /// The text, or the empty text where the value is none.
  var string: String { String(decoding: utf8, as: UTF8.self) }

  /// The text's bytes, valid as long as the node.
  var utf8: UnsafeBufferPointer<UInt8> {
    guard let text = json_string_value(json) else {
      return UnsafeBufferPointer(start: nil, count: 0)
    }
    // SAFETY: Bytes are bytes, whether C calls them `char` or not; Jansson
    // keeps as many of them as it says.
    return UnsafeBufferPointer(
      start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self),
      count: json_string_length(json))
  }

  /// The number of elements of an array, 0 where the value is none.
  var elementCount: Int { json_array_size(json) }

  /// The element of an array, if there is one.
  func element(at index: Int) -> JSONNode? {
    // Jansson counts without a sign, so that a negative index is past the end.
    json_array_get(json, index).map(JSONNode.init)
  }

  /// The value under a key of an object, if there is one. Keys are compared
  /// byte by byte.
  func member(_ key: Slice<UnsafeBufferPointer<CChar>>) -> JSONNode? {
    // A literal of no bytes stands for the key that is empty: Jansson takes no
    // null pointer.
    guard let start = key.base.baseAddress, !key.isEmpty else {
      return json_object_getn(json, "", 0).map(JSONNode.init)
    }
    // SAFETY: A slice's indices are offsets in its base, which holds them all.
    return json_object_getn(json, start + key.startIndex, key.count).map(JSONNode.init)
  }

  /// Calls a function with each member of an object, in the document's order.
  func forEachMember(_ body: (String, JSONNode) -> Void) {
    var iterator = json_object_iter(json)
    while let current = iterator {
      if let key = json_object_iter_key(current), let value = json_object_iter_value(current) {
        // SAFETY: As for `utf8`.
        let bytes = UnsafeRawBufferPointer(start: key, count: json_object_iter_key_len(current))
        body(String(decoding: bytes, as: UTF8.self), JSONNode(value))
      }
      iterator = json_object_iter_next(json, current)
    }
  }

  /// Whether a condition holds for the values of all members of an object.
  func allMembers(satisfy condition: (JSONNode) -> Bool) -> Bool {
    var iterator = json_object_iter(json)
    while let current = iterator {
      if let value = json_object_iter_value(current), !condition(JSONNode(value)) { return false }
      iterator = json_object_iter_next(json, current)
    }
    return true
  }

  /// What the value looks like in a message, such as `string "12a"`.
  var summary: String {
    switch kind {
    case .null: "null"
    case .bool: isTrue ? "true" : "false"
    case .integer: "number \(integer)"
    case .number: "number \(number)"
    case .string: "string \(quoted(string))"
    case .array: "array"
    case .object: "object"
    }
  }
}
