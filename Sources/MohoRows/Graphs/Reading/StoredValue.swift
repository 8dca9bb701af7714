package import Foundation
package import MohoMapping

/// A value of a row, in the form that rows of all engines have: Boolean values
/// are integers, dates are seconds since 2001-01-01T00:00:00Z, and decimals, UUIDs
/// and structured values are text.
package enum StoredValue: Sendable {
  case null
  case integer(Int64)
  /// An integer greater than `Int64.max`, which SQLite cannot store.
  case unsigned(UInt64)
  case number(Double)
  case text(String)
  /// Text whose bytes are not valid UTF-8.
  case invalidText(Data)
  case blob(Data)

  package var isNull: Bool { if case .null = self { true } else { false } }

  /// The integer, or nil if the value is not an integer.
  package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
}

extension StoredValue: Equatable {
  /// Whether both values are the same: texts by their bytes, zero and negative
  /// zero alike.
  package static func == (one: Self, other: Self) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.integer(let one), .integer(let other)): one == other
    case (.unsigned(let one), .unsigned(let other)): one == other
    case (.number(let one), .number(let other)): one.isSameNumber(as: other)
    case (.text(let one), .text(let other)): one.hasSameBytes(as: other)
    case (.invalidText(let one), .invalidText(let other)): one == other
    case (.blob(let one), .blob(let other)): one == other
    default: false
    }
  }
}

extension StoredValue {
  /// Creates the value that columns store for a content. Dates are seconds
  /// since 2001-01-01T00:00:00Z, and decimals are text.
  ///
  /// - Throws: A `MappingError` if no column can store the content.
  package init(_ content: FieldContent) throws {
    switch content {
    case .null: self = .null
    case .bool(let value): self = .integer(value ? 1 : 0)
    case .int64(let value): self = .integer(value)
    case .uint64(let value): self = .integer(try Self.storable(value))
    case .double(let value): self = .number(try Self.storable(value))
    case .decimal(let value): self = .text(try Self.storable(value))
    case .string(let value): self = .text(value)
    case .data(let value): self = .blob(value)
    case .date(let value): self = .number(try Self.storable(value.timeIntervalSinceReferenceDate))
    case .object, .array, .dictionary:
      throw MappingError(.unsupported, found: content.summary, expected: "flat value")
    }
  }

  package static func storable(_ value: UInt64) throws -> Int64 {
    guard let integer = Int64(exactly: value) else { throw MappingError.tooLarge(value) }
    return integer
  }

  /// Returns the number that columns store: zero for negative zero.
  package static func storable(_ value: Double) throws -> Double {
    // Stores would store null, or a value that differs from itself.
    guard !value.isNaN else { throw MappingError.notANumber(expected: "number") }
    return value + 0
  }

  package static func storable(_ value: Decimal) throws -> String {
    guard !value.isNaN else { throw MappingError.notANumber(expected: "decimal number") }
    return value.description
  }

  /// The content according to the case. Bytes that are not valid UTF-8
  /// are replaced.
  package var content: FieldContent {
    switch self {
    case .null: .null
    case .integer(let value): .int64(value)
    case .unsigned(let value): .uint64(value)
    case .number(let value): .double(value)
    case .text(let value): .string(value)
    case .invalidText(let bytes): .string(String(decoding: bytes, as: UTF8.self))
    case .blob(let value): .data(value)
    }
  }

  /// Returns the content of a column with a declared type, or nil if the value
  /// does not have that type.
  package func content(as type: ValueType) -> FieldContent? {
    switch (type, self) {
    case (_, .null): .null
    case (.integer, .integer(let value)): .int64(value)
    case (.unsigned, .integer(let value)): .int64(value)
    case (.unsigned, .unsigned(let value)): .uint64(value)
    case (.boolean, .integer(0)): .bool(false)
    case (.boolean, .integer(1)): .bool(true)
    case (.double, .number(let value)): .double(value)
    case (.date, .number(let value)): .date(Date(timeIntervalSinceReferenceDate: value))
    case (.string, .text(let text)): .string(text)
    case (.decimal, .text(let text)): DecimalText.decimal(text).map { .decimal($0) }
    case (.data, .blob(let value)): .data(value)
    case (.null, _): content
    default: nil
    }
  }
}

extension MappingError {
  /// The error of an integer that is too large for a column of signed integers.
  package static func tooLarge(_ value: UInt64) -> MappingError {
    MappingError(.invalidValue, found: "number \(value)", expected: "integer up to \(Int64.max)")
  }

  /// The error of NaN, which no column can store.
  package static func notANumber(expected: String) -> MappingError {
    MappingError(.invalidValue, found: "not a number", expected: expected)
  }
}

extension StoredValue: CustomStringConvertible {
  /// The value in messages.
  package var description: String {
    switch self {
    case .null: "null"
    case .integer(let value): "number \(value)"
    case .unsigned(let value): "number \(value)"
    case .number(let value): "number \(value)"
    case .text(let value): "string " + quoted(value)
    case .invalidText: "string of other bytes than UTF-8"
    case .blob(let value): "data of \(value.count) bytes"
    }
  }
}
