public import Foundation
public import MohoMapping

/// The types of keys that one can calculate with: numbers and optionals of
/// them.
public protocol NumberValue: FieldValue {
  /// The number without the optional.
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
  /// That of the wrapped type.
  public typealias Number = Wrapped.Number
}

/// `Date` and `Date?`, the types of keys that hold dates.
public protocol DateValue {}
extension Date: DateValue {}
extension Date?: DateValue {}

/// Calculations; see ``Operand`` for their rules.
extension ModelKey where Value: NumberValue {
  /// The sum of two keys, or nil.
  public static func + <Other: NumberValue>(
    left: Self, right: ModelKey<Other>
  ) -> ModelKey<Value.Number?> where Other.Number == Value.Number {
    .init(.arithmetic(left.operand, .add, right.operand))
  }

  /// The difference of two keys, or nil.
  public static func - <Other: NumberValue>(
    left: Self, right: ModelKey<Other>
  ) -> ModelKey<Value.Number?> where Other.Number == Value.Number {
    .init(.arithmetic(left.operand, .subtract, right.operand))
  }

  /// The product of two keys, or nil.
  public static func * <Other: NumberValue>(
    left: Self, right: ModelKey<Other>
  ) -> ModelKey<Value.Number?> where Other.Number == Value.Number {
    .init(.arithmetic(left.operand, .multiply, right.operand))
  }

  /// The quotient of two keys, or nil.
  public static func / <Other: NumberValue>(
    left: Self, right: ModelKey<Other>
  ) -> ModelKey<Value.Number?> where Other.Number == Value.Number {
    .init(.arithmetic(left.operand, .divide, right.operand))
  }

  /// The sum of a key and a number, or nil.
  public static func + (left: Self, right: Value.Number) -> ModelKey<Value.Number?> {
    .init(.arithmetic(left.operand, .add, number(right)))
  }

  /// The difference of a key and a number, or nil.
  public static func - (left: Self, right: Value.Number) -> ModelKey<Value.Number?> {
    .init(.arithmetic(left.operand, .subtract, number(right)))
  }

  /// The product of a key and a number, or nil.
  public static func * (left: Self, right: Value.Number) -> ModelKey<Value.Number?> {
    .init(.arithmetic(left.operand, .multiply, number(right)))
  }

  /// The quotient of a key and a number, or nil.
  public static func / (left: Self, right: Value.Number) -> ModelKey<Value.Number?> {
    .init(.arithmetic(left.operand, .divide, number(right)))
  }

  /// The difference of a number and a key, or nil.
  public static func - (left: Value.Number, right: Self) -> ModelKey<Value.Number?> {
    .init(.arithmetic(number(left), .subtract, right.operand))
  }

  /// The quotient of a number and a key, or nil.
  public static func / (left: Value.Number, right: Self) -> ModelKey<Value.Number?> {
    .init(.arithmetic(number(left), .divide, right.operand))
  }

  private static func number(_ value: Value.Number) -> Operand { .value(value) }
}

extension ModelKey where Value: DateValue {
  /// The date some seconds later, or nil.
  public static func + (date: Self, seconds: TimeInterval) -> ModelKey<Date?> {
    .init(.arithmetic(date.operand, .add, .value(seconds)))
  }

  /// The date some seconds before, or nil.
  public static func - (date: Self, seconds: TimeInterval) -> ModelKey<Date?> {
    .init(.arithmetic(date.operand, .subtract, .value(seconds)))
  }

  /// The seconds from the second of two dates to the first, or nil.
  public static func - <Other: DateValue>(
    date: Self, other: ModelKey<Other>
  ) -> ModelKey<TimeInterval?> {
    .init(.arithmetic(date.operand, .subtract, other.operand))
  }
}

extension Operand {
  /// A constant in its type's own form.
  static func value(_ value: some FieldValue) -> Operand {
    do {
      return .constant(try FieldRecorder.content(of: value))
    } catch {
      return .invalid("\(error)")
    }
  }
}
