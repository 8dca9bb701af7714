public import MohoMapping

/// A value that a condition or an ordering is about: a key's, a constant, or
/// what is made of them.
///
/// Arithmetic has the same results in SQL and in memory: integers stay
/// integers and divisions drop the remainder; decimals are exact as far as
/// `Decimal` is; with one number in double precision both are. A date plus or
/// minus seconds is a date, a date minus a date is seconds. What is nil, or has
/// no value, is nil: an integer beyond 64 bits, a decimal out of range, a
/// division by zero, infinity minus infinity.
public indirect enum Operand: Sendable, Hashable {
  /// The value of a key.
  case key(KeyName)
  /// A value.
  case constant(FieldContent)
  /// A calculation.
  case arithmetic(Operand, Arithmetic, Operand)
  /// The number of those rows of a relationship to many that meet a condition.
  case count(KeyName, Filter)
  /// A value that could not be made, because of an error.
  case invalid(String)
}

/// An operation on numbers.
public enum Arithmetic: String, Sendable, Hashable, CaseIterable {
  /// The sum.
  case add = "+"
  /// The difference.
  case subtract = "-"
  /// The product.
  case multiply = "*"
  /// The quotient, without a remainder of integers.
  case divide = "/"
}

/// What stands for a value in conditions, orderings and selections: a
/// ``ModelKey`` or a ``RowKey``.
public protocol RequestOperand: Sendable {
  /// The value.
  var operand: Operand { get }
}

extension Operand: CustomStringConvertible {
  /// The value as a formula, such as `podcast.rank + 1`.
  public var description: String {
    switch self {
    case .key(let name): name.path.isEmpty ? "row" : "\(name)"
    case .constant(let value): "\(value)"
    case .arithmetic(let left, let operation, let right):
      "(\(left) \(operation.rawValue) \(right))"
    case .count(let name, .and([])): "\(name).count"
    case .count(let name, let filter): "\(name).count { \(filter) }"
    case .invalid(let reason): reason
    }
  }
}
