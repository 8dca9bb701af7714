import MohoMapping

/// A value computed from a group of rows.
///
/// Nil is ignored. The sum of integers is an integer. Sums and averages of
/// decimals are rounded once, to 38 digits. A sum that exceeds 64 bits or the
/// range of `Decimal` throws a ``StoreError`` with the code
/// ``StoreError/Code/limitExceeded``. The average of integers is a
/// double-precision number. Sums of double-precision numbers are exact and rounded
/// once, whatever the order of the rows.
public struct Aggregate: Sendable, Hashable {
  /// A computation on the values of a group. All computations except counts are
  /// nil for an empty group.
  public enum Function: String, Sendable, Hashable {
    /// The number of values.
    case count
    /// The number of different values.
    case distinctCount
    /// The sum of the values.
    case sum
    /// The sum of the values divided by their number.
    case average
    /// The first value in ascending order.
    case minimum
    /// The last value in ascending order.
    case maximum
  }

  /// The computation.
  public let function: Function

  /// The value of each row, or nil to count the rows themselves.
  public private(set) var value: Operand?

  init(_ function: Function, _ value: (any RequestOperand)?) {
    self.function = function
    self.value = value?.operand
  }

  /// Returns the number of rows.
  public static let count = Aggregate(.count, nil)

  /// The number of values that are not nil.
  public static func count(_ value: some RequestOperand) -> Aggregate {
    Aggregate(.count, value)
  }

  /// The number of different values that are not nil. Values are equal as in the condition
  /// `==`: texts with the same bytes, and numbers of the same size.
  public static func distinctCount(_ value: some RequestOperand) -> Aggregate {
    Aggregate(.distinctCount, value)
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

  /// Returns the aggregate of those rows of a group that satisfy a condition.
  ///
  /// ```swift
  /// store.fetchAggregates(episodes, groupedBy: { [$0.podcast.title] }) {
  ///   [.count, .count.filter($0.isPlayed == false), .sum($0.length).filter($0.isPlayed == false)]
  /// }
  /// ```
  ///
  /// The condition applies in addition to those of the request and to earlier ones. A group
  /// without such rows exists, and has the count 0.
  public func filter(_ condition: Filter) -> Aggregate {
    var aggregate = self
    aggregate.value =
      switch value?.kind {
      case .filtered(let value, let other): .filtered(value, other && condition)
      default: .filtered(value ?? Self.row, condition)
      }
    return aggregate
  }

  /// A value of each row that is not nil, to count rows that satisfy a condition.
  private static let row = Operand.constant(.int64(1))

  /// The name of the value in a ``ValueRow``, such as `sum(length)` or
  /// `count where isPlayed == false`.
  public var name: String {
    guard let value else { return function.rawValue }
    guard case .filtered(let filtered, let filter) = value.kind else {
      return "\(function.rawValue)(\(value))"
    }
    return filtered == Self.row
      ? "\(function.rawValue) where \(filter)" : "\(function.rawValue)(\(filtered)) where \(filter)"
  }

  /// Returns the aggregate with its keys bound to the row of a closure.
  func closing(_ scope: OpenScope) -> Aggregate {
    var aggregate = self
    aggregate.value = value?.closing(scope, at: 0)
    return aggregate
  }
}
