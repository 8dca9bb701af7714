import Foundation

extension FieldContent {
  /// Whether the content comes before another in an order of all contents:
  /// numbers by value, texts by their UTF-8 bytes, those of different kinds by
  /// their kind.
  package func precedes(_ other: FieldContent) -> Bool { order(other) == .orderedAscending }

  private func order(_ other: FieldContent) -> ComparisonResult {
    switch (self, other) {
    case (.bool(let one), .bool(let other)): Self.order(one ? 1 : 0, other ? 1 : 0)
    case (.int64(let one), .int64(let other)): Self.order(one, other)
    case (.uint64(let one), .uint64(let other)): Self.order(one, other)
    case (.double(let one), .double(let other)): Self.order(one, other)
    case (.decimal(let one), .decimal(let other)): Self.order(one, other)
    case (.date(let one), .date(let other)): Self.order(one, other)
    case (.string(let one), .string(let other)): Self.order(one.utf8, other.utf8)
    case (.data(let one), .data(let other)): Self.order(one, other)
    case (.object(let one), .object(let other)): Self.order(one, other)
    case (.array(let one), .array(let other)): Self.order(one, other)
    case (.dictionary(let one), .dictionary(let other)):
      Self.order(Self.sorted(one), Self.sorted(other))
    default: Self.order(rank, other.rank)
    }
  }

  private static func order<Value: Comparable>(
    _ one: Value, _ other: Value
  ) -> ComparisonResult {
    one < other ? .orderedAscending : one == other ? .orderedSame : .orderedDescending
  }

  private static func order(
    _ one: some Sequence<UInt8>, _ other: some Sequence<UInt8>
  ) -> ComparisonResult {
    if one.elementsEqual(other) { return .orderedSame }
    return one.lexicographicallyPrecedes(other) ? .orderedAscending : .orderedDescending
  }

  private static func order(_ one: [FieldContent], _ other: [FieldContent]) -> ComparisonResult {
    for (one, other) in zip(one, other) {
      let order = one.order(other)
      if order != .orderedSame { return order }
    }
    return order(one.count, other.count)
  }

  private static func sorted(_ members: [String: FieldContent]) -> [FieldContent] {
    members.sorted { $0.key < $1.key }.map { .array([.string($0.key), $0.value]) }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .bool: 1
    case .int64: 2
    case .uint64: 3
    case .double: 4
    case .decimal: 5
    case .date: 6
    case .string: 7
    case .data: 8
    case .object: 9
    case .array: 10
    case .dictionary: 11
    }
  }
}
