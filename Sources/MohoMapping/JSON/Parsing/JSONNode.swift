import Foundation

/// A value of a tree, with the text that it was scanned from.
// SAFETY: A node borrows the memory of its tree and the bytes. They stay alive and unchanged
// during a call of `JSONDocument.withRoot(_:)`, and until the next step of an element
// walker. Offsets in a tree are those of bytes that a cursor scanned in the same
// text.
package struct JSONNode {
  private let nodes: UnsafePointer<NodeTree.Node>
  private let children: UnsafePointer<Int>
  private let bytes: UnsafeRawBufferPointer
  private let position: Int

  package init(_ tree: NodeTree, _ bytes: UnsafeRawBufferPointer, _ position: Int = 0) {
    nodes = UnsafePointer(tree.nodes.start)
    children = UnsafePointer(tree.children.start)
    self.bytes = bytes
    self.position = position
  }

  private init(_ other: JSONNode, at position: Int) {
    nodes = other.nodes
    children = other.children
    bytes = other.bytes
    self.position = position
  }

  /// A null value without text.
  package static var null: JSONNode {
    JSONNode(.null, UnsafeRawBufferPointer(start: nil, count: 0))
  }

  @inline(__always)
  private var node: NodeTree.Node { nodes[position] }

  package var kind: JSONValue.Kind {
    switch node.kind {
    case .null: .null
    case .false, .true: .bool
    case .integer: .integer
    case .double: .number
    case .string, .escapedString: .string
    case .array: .array
    case .object: .object
    }
  }

  /// The offset of the value's first byte.
  package var offset: Int { node.start }

  /// A string or a number as the text spells it. Empty for arrays and objects.
  package var text: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[node.start..<node.end])
  }

  package var isTrue: Bool { node.kind == .true }

  /// The integer, or 0 if the value is not an integer of 64 bits.
  package var integer: Int64 { node.kind == .integer ? Int64(bitPattern: node.payload) : 0 }

  /// The number rounded to a double, or 0 if the value is not a number.
  package var double: Double {
    node.kind == .double ? Double(bitPattern: node.payload) : Double(integer)
  }

  /// The text of a number.
  package var numberText: NumberText? { NumberText(String(decoding: text, as: UTF8.self)) }

  /// The string, or an empty one if the value is not a string.
  package var string: String { Self.string(node, bytes) }

  private static func string(_ node: NodeTree.Node, _ bytes: UnsafeRawBufferPointer) -> String {
    guard node.kind == .string || node.kind == .escapedString else { return "" }
    return bytes.string(
      (node.start + 1)..<(node.end - 1), hasEscapes: node.kind == .escapedString)
  }

  /// The number of elements of an array or members of an object.
  package var count: Int { node.count }

  /// The element of an array, or the value of a member.
  package func child(at index: Int) -> JSONNode {
    JSONNode(self, at: children[Int(node.payload) + index])
  }

  /// The element of an array; nil past its end, and for other values.
  package func element(at index: Int) -> JSONNode? {
    node.kind == .array && 0..<node.count ~= index ? child(at: index) : nil
  }

  /// The value of an object's member. Keys are compared byte by byte.
  ///
  /// - Complexity: Linear in the number of members.
  package func member(_ key: UnsafeRawBufferPointer) -> JSONNode? {
    guard node.kind == .object else { return nil }
    let first = Int(node.payload)
    for index in first..<(first + node.count) {
      let child = JSONNode(self, at: children[index])
      if child.hasKey(key) { return child }
    }
    return nil
  }

  /// Calls a function with each member of an object, in the order of the text.
  package func forEachMember(_ body: (String, JSONNode) -> Void) {
    guard node.kind == .object else { return }
    for index in 0..<node.count {
      let child = child(at: index)
      body(child.key, child)
    }
  }

  /// The key of an object's member.
  package var key: String { Self.string(nodes[position - 1], bytes) }

  /// Whether the value is that of a member with a key.
  package func hasKey(_ key: UnsafeRawBufferPointer) -> Bool {
    let own = nodes[position - 1]
    guard own.kind == .string else { return key.elementsEqual(self.key.utf8) }
    guard own.end - own.start - 2 == key.count else { return false }
    guard let start = bytes.baseAddress, let other = key.baseAddress else { return key.isEmpty }
    // SAFETY: Both have `key.count` bytes.
    return memcmp(start + own.start + 1, other, key.count) == 0
  }

  /// The nodes of the value and everything in it, in the order of the text. A
  /// member's key is a string before its value.
  package var subtree: some BidirectionalCollection<JSONNode> {
    var last = self
    while last.count > 0 { last = last.child(at: last.count - 1) }
    return (position...last.position).lazy.map { JSONNode(self, at: $0) }
  }

  /// The value in a message, such as `string "12a"`.
  package var summary: String {
    switch kind {
    case .null: return "null"
    case .bool: return isTrue ? "true" : "false"
    case .integer, .number:
      let text = String(decoding: text, as: UTF8.self)
      return "number \(text.prefix(80))\(text.count > 80 ? "…" : "")"
    case .string: return "string \(quoted(string))"
    case .array: return "array"
    case .object: return "object"
    }
  }
}
