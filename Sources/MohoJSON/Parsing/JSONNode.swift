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
    guard json.pointee.type == JSON_OBJECT else { return }
    var children = children
    while let child = children.next() { body(children.key, JSONNode(child)) }
  }

  /// The elements of an array, or the members of an object.
  var children: NodeChildren { NodeChildren(json) }

  /// Whether the value is an array or an object.
  var isContainer: Bool { json.pointee.type == JSON_ARRAY || json.pointee.type == JSON_OBJECT }

  /// Whether the value has at most so many levels. Values without children are a
  /// level too, as the parser counts.
  // Not recursive: a tree may have 2,048 levels.
  func fits(levels: Int) -> Bool {
    var level = [self]
    for _ in 0..<max(levels, 0) {
      var next: [JSONNode] = []
      var isLast = true
      for node in level {
        var children = node.children
        while let child = children.next() {
          isLast = false
          if JSONNode(child).isContainer { next.append(JSONNode(child)) }
        }
      }
      if isLast { return true }
      level = next
    }
    return false
  }

  /// Whether the value is or contains a number that is not an integer of 64 bits.
  var holdsDoubles: Bool {
    var pending = [self]
    while let node = pending.popLast() {
      if node.kind == .number { return true }
      guard node.isContainer else { continue }
      var children = node.children
      while let child = children.next() {
        let child = JSONNode(child)
        if child.kind == .number { return true }
        if child.isContainer { pending.append(child) }
      }
    }
    return false
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
