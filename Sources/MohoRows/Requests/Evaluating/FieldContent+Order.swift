import Foundation
package import MohoMapping

extension FieldContent {
  /// Compares two values: negative if the value precedes `other`, 0 if both are
  /// equal, positive if the value follows `other`. Returns nil if one value is
  /// null or if the types cannot be compared.
  ///
  /// The order is the same as in SQLite: strings and data by their bytes,
  /// integers and doubles by their exact values.
  package func order(_ other: FieldContent) -> Int? {
    switch (self, other) {
    case (.bool(let one), .bool(let other)): compare(one ? 1 : 0, other ? 1 : 0)
    case (.int64(let one), .int64(let other)): compare(one, other)
    case (.double(let one), .double(let other)): compare(one, other)
    case (.int64(let one), .double(let other)): compareExactly(one, other)
    case (.double(let one), .int64(let other)): -compareExactly(other, one)
    case (.uint64(let one), .uint64(let other)): compare(one, other)
    case (.uint64(let one), .int64(let other)): compare(Int128(one), Int128(other))
    case (.int64(let one), .uint64(let other)): compare(Int128(one), Int128(other))
    case (.uint64(let one), .double(let other)): compareExactly(one, other)
    case (.double(let one), .uint64(let other)): -compareExactly(other, one)
    case (.decimal(let one), .uint64(let other)): compare(one, Decimal(other))
    case (.uint64(let one), .decimal(let other)): compare(Decimal(one), other)
    case (.decimal(let one), .decimal(let other)): compare(one, other)
    case (.decimal(let one), .int64(let other)): compare(one, Decimal(other))
    case (.int64(let one), .decimal(let other)): compare(Decimal(one), other)
    case (.decimal(let one), .double(let other)): compare(one.nearestDouble, other)
    case (.double(let one), .decimal(let other)): compare(one, other.nearestDouble)
    case (.date(let one), .date(let other)):
      compare(one.timeIntervalSinceReferenceDate, other.timeIntervalSinceReferenceDate)
    case (.string(let one), .string(let other)): compareBytes(one.utf8, other.utf8)
    case (.data(let one), .data(let other)): compareBytes(one, other)
    default: nil
    }
  }

  /// The value in the form that a store returns: integers are `int64` if they are
  /// in its range, and NaN is null.
  var stored: FieldContent {
    switch self {
    case .uint64(let value): Int64(exactly: value).map { .int64($0) } ?? self
    case .double(let value): value.isNaN ? .null : self
    case .decimal(let value): value.isNaN ? .null : self
    case .date(let value): value.timeIntervalSinceReferenceDate.isNaN ? .null : self
    default: self
    }
  }

  package var isNull: Bool { if case .null = self { true } else { false } }
}

extension Decimal {
  /// The double nearest to the decimal.
  package var nearestDouble: Double { Double(description) ?? .nan }
}

private func compare<Value: Comparable>(_ one: Value, _ other: Value) -> Int {
  one < other ? -1 : one == other ? 0 : 1
}

func compareBytes(
  _ one: some Sequence<UInt8>, _ other: some Sequence<UInt8>
) -> Int {
  if one.lexicographicallyPrecedes(other) { return -1 }
  return one.elementsEqual(other) ? 0 : 1
}

/// Compares an integer and a double exactly. Converting either to the type of
/// the other could change its value.
private func compareExactly<Integer: FixedWidthInteger>(_ integer: Integer, _ double: Double) -> Int
{
  let whole = double.rounded(.down)
  guard let other = Integer(exactly: whole) else { return double < Double(integer) ? 1 : -1 }
  if integer != other { return integer < other ? -1 : 1 }
  return whole < double ? -1 : 0
}
