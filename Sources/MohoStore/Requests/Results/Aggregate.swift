/// A value that is made of a group of rows.
///
/// Nil is left out of account. The sum of integers is an integer, and an error
/// beyond 64 bits; those of decimals are exact as far as `Decimal` is. The
/// average of integers is a number in double precision.
public struct Aggregate: Sendable, Hashable {
  /// What is made of the values.
  public enum Function: String, Sendable, Hashable {
    /// How many there are.
    case count
    /// Their sum; nil of none.
    case sum
    /// Their sum divided by their number; nil of none.
    case average
    /// The first in ascending order; nil of none.
    case minimum
    /// The last in ascending order; nil of none.
    case maximum
  }

  /// What is made of the values.
  public let function: Function

  /// The value of each row; nil for the row itself, of which there is only a
  /// count.
  public private(set) var value: Operand?

  init(_ function: Function, _ value: (any RequestOperand)?) {
    self.function = function
    self.value = value?.operand
  }

  /// The number of rows.
  public static let count = Aggregate(.count, nil)

  /// The number of values that are not nil.
  public static func count(_ value: some RequestOperand) -> Aggregate {
    Aggregate(.count, value)
  }

  /// The sum of numbers.
  public static func sum(_ value: some RequestOperand) -> Aggregate { Aggregate(.sum, value) }

  /// The average of numbers.
  public static func average(_ value: some RequestOperand) -> Aggregate {
    Aggregate(.average, value)
  }

  /// The smallest value.
  public static func minimum(_ value: some RequestOperand) -> Aggregate {
    Aggregate(.minimum, value)
  }

  /// The greatest value.
  public static func maximum(_ value: some RequestOperand) -> Aggregate {
    Aggregate(.maximum, value)
  }

  /// The name under which a ``RequestRow`` has the value, such as `sum(length)`.
  public var name: String { value.map { "\(function.rawValue)(\($0))" } ?? function.rawValue }

  /// The aggregate whose keys are those of the row of a closure.
  func closing(_ scope: OpenScope) -> Aggregate {
    var aggregate = self
    aggregate.value = value?.closing(scope, at: 0)
    return aggregate
  }
}
