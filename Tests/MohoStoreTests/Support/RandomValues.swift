import Foundation
import MohoMapping
import MohoTesting

@testable import MohoRows

/// Generates attribute values that are easily confused with each other.
struct RandomValues {
  var generator: SeededGenerator
  var limits = Limits()

  /// The values that a database can store.
  struct Limits {
    var hasNullCharacters = true
    /// Whether dates can be millions of years ago.
    var hasAllDates = true
    /// Whether the texts of structured values must be JSON.
    var hasOnlyJSON = false

    static let postgres = Limits(
      hasNullCharacters: false, hasAllDates: false, hasOnlyJSON: true)
  }

  private static let pieces = [
    "", "a", "A", "b", "ä", "a\u{308}", "Ä", "é", "e", "e\u{301}", "E", "ß", "ss", "\0", "\r\n",
    "\n", " ", "İ", "ı", "i", "\u{212A}", "k", "👩‍👩‍👧", "👩", "ﬁ", "%", "_", "*", "?", "\\", "'",
    "\"", "Å", "\u{212B}", "\u{FFFD}", "\u{10FFFF}", "ａ", "K", ";", "\u{37E}", "`", "\u{1FEF}",
  ]

  private static let integers: [Int64] = [
    0, 1, -1, 2, 3, 7, .max, .min, .max - 1, .min + 1, 1 << 53, (1 << 53) + 1, -(1 << 53) - 1,
    1 << 62, 32_767, -32_768,
  ]

  private static let unsignedIntegers: [UInt64] = [
    0, 1, 2, 3, 1 << 53, (1 << 53) + 1, 1 << 62, UInt64(Int64.max), 1 << 63, (1 << 63) + 1,
    (1 << 63) + 2048, 18_446_744_073_709_549_568, .max - 1, .max,
  ]

  private static let doubles: [Double] = [
    0, -0.0, 1, -1, 0.1, 0.5, 2.5, 3, 1e300, -1e300, .leastNonzeroMagnitude, .infinity, -.infinity,
    0x1p53,
    0x1p53 + 2, 0x1p63, 5e-7, 1.5e-6, 1e-6, 0.4e-6, -2.5e-6, -0x1p63, 9_223_372_036_854_774_784,
    .greatestFiniteMagnitude, 1e-300, 0x1p63 + 2048, 18_446_744_073_709_549_568, 0x1p64,
  ]

  private static let decimals: [Decimal] = [
    0, 1, -1, 3, Decimal(string: "0.1"), Decimal(string: "0.10"), Decimal(string: "2.5"),
    Decimal(string: "-2.5"), Decimal(string: "99999999999999999999999999999999999999"),
    Decimal(string: "0.00000000000000000000000000000000001"),
    Decimal(string: "9223372036854775807"), Decimal(string: "9223372036854775808"),
    Decimal(string: "18446744073709551615"), Decimal(string: "18446744073709551616"),
    Decimal(string: "1e120"), Decimal(string: "-1e-100"),
    Decimal(string: "12345678901234567890123456789012345678"),
    Decimal(string: "-0.66666666666666666666666666666666666667"),
  ].compactMap { $0 }

  mutating func pick<Value>(_ values: [Value]) -> Value { values[generator.below(values.count)] }

  mutating func text() -> String {
    let text = (0..<generator.below(4)).map { _ in pick(Self.pieces) }.joined()
    return limits.hasNullCharacters ? text : text.replacing("\0", with: "")
  }

  mutating func integer() -> Int64 {
    generator.oneIn(3) ? pick(Self.integers) : Int64(generator.below(7)) - 3
  }

  mutating func unsignedInteger() -> UInt64 {
    generator.oneIn(2) ? pick(Self.unsignedIntegers) : UInt64(generator.below(7))
  }

  mutating func double() -> Double {
    generator.oneIn(2) ? pick(Self.doubles) : Double(generator.below(13) - 6) / 2
  }

  mutating func decimal() -> Decimal {
    generator.oneIn(2) ? pick(Self.decimals) : Decimal(generator.below(7) - 3) / 2
  }

  private mutating func seconds() -> Double {
    let seconds = double()
    guard !limits.hasAllDates, seconds.isFinite else { return seconds }
    return abs(seconds) < 1e11 ? seconds : seconds < 0 ? -1e10 : 1e11
  }

  /// Generates a value that a column of the type can store.
  mutating func value(_ type: AttributeType) -> FieldContent {
    switch type {
    case .int16: .int64(Int64(Int16(truncatingIfNeeded: integer())))
    case .int32: .int64(Int64(Int32(truncatingIfNeeded: integer())))
    case .int64: .int64(integer())
    case .uint64: .uint64(unsignedInteger())
    case .decimal: .decimal(decimal())
    case .double: .double(double())
    case .float: .double(Double(Float(double())))
    case .structured where limits.hasOnlyJSON:
      .string(
        pick([
          #"{"a":[1,2.5],"b":"A"}"#, #"["a","b"]"#, "[]", "{}", #"{"":null}"#, "100", "1e2",
          "100.0",
          #"{"b": "A", "a": [1.0, 25e-1]}"#, #"["\u00e9","/"]"#, #"["é","\/"]"#,
        ]))
    case .string, .structured, .url: .string(text())
    case .boolean: .bool(generator.oneIn(2))
    case .date: .date(Date(timeIntervalSinceReferenceDate: seconds()))
    case .data: .data(Data(text().utf8))
    case .uuid:
      .string(
        pick(["00000000-0000-0000-0000-00000000000A", "FFFFFFFF-0000-0000-0000-000000000000"]))
    }
  }

  /// Generates a constant to compare with values of a type. Its type can be
  /// different.
  mutating func constant(_ type: ValueType) -> FieldContent {
    if generator.oneIn(12) { return .null }
    return switch type {
    case .null: .null
    case .boolean: value(.boolean)
    case .integer, .unsigned, .double, .decimal:
      if generator.oneIn(8) {
        .uint64(UInt64(generator.below(9)))
      } else {
        value(pick([.int64, .double, .decimal]))
      }
    case .date: value(.date)
    case .string: value(pick([.string, .string, .string, .uuid, .structured]))
    case .data: value(.data)
    }
  }
}
