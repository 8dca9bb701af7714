import MohoMapping

extension JSONValue {
  /// Copies a value out of its document.
  ///
  /// - Parameter place: The value's place in the text, for numbers that doubles
  ///   do not hold: without it, they are the nearest doubles. It is asked for
  ///   where there are doubles.
  init(_ node: JSONNode, at place: @autoclosure () -> ValueSkipper? = nil) {
    var numbers: NumberTokens?
    if node.holdsDoubles, let place = place() {
      numbers = NumberTokens(place.bytes, from: place.position)
    }
    self = Self.value(node, spelledBy: &numbers)
  }

  // Recursive: the parser bounds the depth at 2,048.
  private static func value(
    _ node: JSONNode, spelledBy numbers: inout NumberTokens?
  ) -> JSONValue {
    switch node.kind {
    case .null: return .null
    case .bool: return .bool(node.isTrue)
    case .integer:
      _ = numbers?.next()
      return .integer(node.integer)
    case .number:
      guard let token = numbers?.next() else { return .number(node.number) }
      return number(node.number, spelledBy: token)
    case .string: return .string(node.string)
    case .array:
      var elements: [JSONValue] = []
      elements.reserveCapacity(node.elementCount)
      for index in 0..<node.elementCount {
        guard let element = node.element(at: index) else { continue }
        elements.append(value(element, spelledBy: &numbers))
      }
      return .array(elements)
    case .object:
      var members: [Member] = []
      node.forEachMember { key, member in
        members.append(Member(key, value(member, spelledBy: &numbers)))
      }
      return .object(members)
    }
  }

  /// The nearest double where it is the number that a text spells, else the
  /// number itself.
  private static func number(
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

extension JSONNode {
  /// Whether the value is, or holds, a number that is no integer of 64 bits.
  // Recursive: the parser bounds the depth at 2,048.
  fileprivate var holdsDoubles: Bool {
    switch kind {
    case .number: return true
    case .array:
      return (0..<elementCount).contains { element(at: $0)?.holdsDoubles ?? false }
    case .object: return !allMembers { !$0.holdsDoubles }
    default: return false
    }
  }
}
