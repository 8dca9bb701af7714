import CJansson
import MohoMapping

extension JSONValue {
  /// Copies a value out of its document.
  ///
  /// - Parameter place: The value's place in the text, for numbers that doubles
  ///   do not hold: without it, they are the nearest doubles. It is asked for
  ///   where there are doubles.
  init(_ node: JSONNode, at place: @autoclosure () -> ValueSkipper? = nil) {
    var copy = TreeCopy()
    if node.holdsDoubles, let place = place() {
      copy.numbers = NumberTokens(place.bytes, from: place.position)
    }
    self = copy.value(node)
  }

  /// The nearest double where it is the number that a text spells, else the
  /// number itself.
  fileprivate static func number(
    _ double: Double, spelledBy token: UnsafeRawBufferPointer
  ) -> JSONValue {
    // Doubles tell all numbers of 15 digits apart that are not tiny.
    let isShort = token.count <= 16 && !token.contains { $0 | 0x20 == UInt8(ascii: "e") }
    if isShort { return .number(double) }
    let text = String(decoding: token, as: UTF8.self)
    guard let number = NumberText(text), let nearest = NumberText(double.description),
      !number.isEqual(to: nearest), let exact = JSONNumber(text)
    else { return .number(double) }
    return .exact(exact)
  }
}

/// Copies a tree of nodes.
// Not recursive: a tree may have 2,048 levels.
private struct TreeCopy {
  /// The numbers of the text, where the tree has doubles.
  var numbers: NumberTokens?
  private var open: [OpenContainer] = []

  private struct OpenContainer {
    let isObject: Bool
    var children: NodeChildren
    var elements: [JSONValue] = []
    var members: [JSONValue.Member] = []

    mutating func append(_ value: JSONValue) {
      if isObject {
        members.append(JSONValue.Member(children.key, value))
      } else {
        elements.append(value)
      }
    }

    var value: JSONValue { isObject ? .object(members) : .array(elements) }
  }

  mutating func value(_ root: JSONNode) -> JSONValue {
    var completed = begin(root)
    while let last = open.indices.last {
      if let value = completed {
        open[last].append(value)
        completed = nil
      }
      if let child = open[last].children.next() {
        completed = begin(JSONNode(child))
      } else {
        completed = open.removeLast().value
      }
    }
    return completed ?? .null
  }

  /// Copies a scalar, or opens an array or object and returns nil.
  private mutating func begin(_ node: JSONNode) -> JSONValue? {
    switch node.kind {
    case .null: return .null
    case .bool: return .bool(node.isTrue)
    case .integer:
      _ = numbers?.next()
      return .integer(node.integer)
    case .number:
      guard let token = numbers?.next() else { return .number(node.number) }
      return .number(node.number, spelledBy: token)
    case .string: return .string(node.string)
    case .array, .object:
      open.append(OpenContainer(isObject: node.kind == .object, children: node.children))
      return nil
    }
  }
}
