/// The order of the unknown members of a model in structured text, which does not preserve
/// the order of members.
///
/// The text contains the names of the members in order, if the type of their key preserves
/// the order and they are not sorted.
struct UnknownOrder {
  /// The member with the names.
  static let name = PreservedJSON.reservedPrefix + "order"

  // Names are compared by their bytes. Strings with different bytes can be equal.
  private let positions: [[UInt8]: Int]

  /// Reads the order. Nil if the text does not contain one.
  init?(in members: DecoderValue.Members) {
    let name = AnyCodingKey(Self.name)
    guard members.contains(name), let names = try? members.decode([String].self, forKey: name)
    else { return nil }
    positions = Dictionary(names.enumerated().map { (Array($1.utf8), $0) }) { first, _ in first }
  }

  /// Sorts members. Those without a position are the last ones.
  func sorted<Member>(_ members: [Member], by path: (Member) -> FieldPath) -> [Member] {
    members.enumerated()
      .map { (positions[Array(path($1).description.utf8)] ?? positions.count, $0, $1) }
      .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
      .map(\.2)
  }

  /// Whether the text must contain the order of members, whose paths are their names.
  static func isNeeded(for names: [String]) -> Bool {
    !zip(names, names.dropFirst()).allSatisfy { $0 <= $1 }
  }

  /// Whether the text must contain the order of members.
  static func isNeeded(for paths: [FieldPath]) -> Bool {
    !zip(paths, paths.dropFirst()).allSatisfy { !$1.precedes($0) }
  }
}

extension TextBuffer {
  /// Appends the member with the order of unknown members; see ``UnknownOrder``.
  ///
  /// - Returns: The range of the member.
  mutating func append(orderOf members: [String]) -> Range<Int> {
    let start = count
    append(string: UnknownOrder.name)
    append(":")
    append(strings: members)
    return start..<count
  }

  /// Appends an array of strings.
  mutating func append(strings: [String]) {
    append("[")
    for (index, string) in strings.enumerated() {
      if index > 0 { append(",") }
      append(string: string)
    }
    append("]")
  }
}

extension FieldPath {
  /// Whether a decoder finds the member at this path before that at another path.
  func precedes(_ other: FieldPath) -> Bool {
    for (one, other) in zip(components, other.components) where one != other {
      switch (one, other) {
      case (.key(let one), .key(let other)): return one < other
      case (.index(let one), .index(let other)): return one < other
      default: return false
      }
    }
    return false
  }
}
