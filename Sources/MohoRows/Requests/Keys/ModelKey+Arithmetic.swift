public import Foundation
public import MohoMapping

/// The numeric types of keys that support arithmetic, and optionals of them.
public protocol NumberValue: FieldValue {
  /// The type of the number without the optional.
  associatedtype Number: FieldValue = Self
}

extension Int: NumberValue {}
extension Int8: NumberValue {}
extension Int16: NumberValue {}
extension Int32: NumberValue {}
extension Int64: NumberValue {}
extension UInt: NumberValue {}
extension UInt8: NumberValue {}
extension UInt16: NumberValue {}
extension UInt32: NumberValue {}
extension UInt64: NumberValue {}
extension Double: NumberValue {}
extension Float: NumberValue {}
extension Decimal: NumberValue {}
extension Optional: NumberValue where Wrapped: NumberValue {
  /// The number type of the wrapped type.
  public typealias Number = Wrapped.Number
}

/// The types of keys with dates: `Date` and `Date?`.
public protocol DateValue {}
extension Date: DateValue {}
extension Date?: DateValue {}

/// Arithmetic operators. ``Operand`` describes their rules.
extension ModelKey where Value: NumberValue {
  /// The sum of two keys. Nil if a key is nil, or if the sum is out of range.
  public static func + <Other: NumberValue>(
    left: Self, right: ModelKey<Other>
  ) -> ModelKey<Value.Number?> where Other.Number == Value.Number {
    .init(.arithmetic(left.operand, .add, right.operand))
  }

  /// The difference of two keys. Nil if a key is nil, or if the difference is
  /// out of range.
  public static func - <Other: NumberValue>(
    left: Self, right: ModelKey<Other>
  ) -> ModelKey<Value.Number?> where Other.Number == Value.Number {
    .init(.arithmetic(left.operand, .subtract, right.operand))
  }

  /// The product of two keys. Nil if a key is nil, or if the product is out of
  /// range.
  public static func * <Other: NumberValue>(
    left: Self, right: ModelKey<Other>
  ) -> ModelKey<Value.Number?> where Other.Number == Value.Number {
    .init(.arithmetic(left.operand, .multiply, right.operand))
  }

  /// The quotient of two keys. Nil if a key is nil, or if the divisor is zero.
  public static func / <Other: NumberValue>(
    left: Self, right: ModelKey<Other>
  ) -> ModelKey<Value.Number?> where Other.Number == Value.Number {
    .init(.arithmetic(left.operand, .divide, right.operand))
  }

  /// The sum of a key and a number.
  public static func + (left: Self, right: Value.Number) -> ModelKey<Value.Number?> {
    .init(.arithmetic(left.operand, .add, number(right)))
  }

  /// The difference of a key and a number.
  public static func - (left: Self, right: Value.Number) -> ModelKey<Value.Number?> {
    .init(.arithmetic(left.operand, .subtract, number(right)))
  }

  /// The product of a key and a number.
  public static func * (left: Self, right: Value.Number) -> ModelKey<Value.Number?> {
    .init(.arithmetic(left.operand, .multiply, number(right)))
  }

  /// The quotient of a key and a number. Nil if the number is zero.
  public static func / (left: Self, right: Value.Number) -> ModelKey<Value.Number?> {
    .init(.arithmetic(left.operand, .divide, number(right)))
  }

  /// The difference of a number and a key.
  public static func - (left: Value.Number, right: Self) -> ModelKey<Value.Number?> {
    .init(.arithmetic(number(left), .subtract, right.operand))
  }

  /// The quotient of a number and a key. Nil if the key is zero.
  public static func / (left: Value.Number, right: Self) -> ModelKey<Value.Number?> {
    .init(.arithmetic(number(left), .divide, right.operand))
  }

  private static func number(_ value: Value.Number) -> Operand { .value(value) }
}

extension ModelKey where Value: DateValue {
  /// The date plus a number of seconds.
  public static func + (date: Self, seconds: TimeInterval) -> ModelKey<Date?> {
    .init(.arithmetic(date.operand, .add, .value(seconds)))
  }

  /// The date minus a number of seconds.
  public static func - (date: Self, seconds: TimeInterval) -> ModelKey<Date?> {
    .init(.arithmetic(date.operand, .subtract, .value(seconds)))
  }

  /// The number of seconds from `other` to `date`.
  public static func - <Other: DateValue>(
    date: Self, other: ModelKey<Other>
  ) -> ModelKey<TimeInterval?> {
    .init(.arithmetic(date.operand, .subtract, other.operand))
  }
}

extension Operand {
  /// A constant in the default form of its type, without the transform of a
  /// key.
  static func value(_ value: some FieldValue) -> Operand {
    do {
      return .constant(try FieldRecorder.content(of: value))
    } catch {
      return .invalid("\(error)")
    }
  }
}
