public import MohoMapping

/// A condition: a ``Filter``, or a Boolean key, which is a condition itself.
///
/// `$0.isUnread` means `$0.isUnread == true`, and `!$0.isUnread` means `$0.isUnread == false`.
/// Nil is neither true nor false.
public protocol FilterConvertible: Sendable {
  /// The condition.
  var filter: Filter { get }
}

extension Filter: FilterConvertible {
  /// The filter itself.
  public var filter: Filter { self }
}

/// The types of keys that are conditions: `Bool` and `Bool?`.
public protocol BooleanValue: FieldValue {}
extension Bool: BooleanValue {}
extension Bool?: BooleanValue {}

extension ModelKey: FilterConvertible where Value: BooleanValue {
  /// A filter that matches rows where the key is true.
  public var filter: Filter { .comparison(operand, .equal, constant(true)) }

  /// A filter that matches rows where the key is false.
  public static prefix func ! (key: Self) -> Filter {
    .comparison(key.operand, .equal, key.constant(false))
  }
}

extension RowKey: FilterConvertible {
  /// A filter that matches rows where the key is true. Executing the request
  /// checks that the key is Boolean.
  public var filter: Filter { self == true }
}

// One generic operator for all kinds of conditions: each overload makes the compiler
// check long conditions more slowly.
extension FilterConvertible {
  /// A filter that matches rows that satisfy both conditions.
  public static func && (one: Self, other: some FilterConvertible) -> Filter {
    one.filter && other.filter
  }

  /// A filter that matches rows that satisfy at least one of two conditions.
  public static func || (one: Self, other: some FilterConvertible) -> Filter {
    one.filter || other.filter
  }
}

extension StoreRequest {
  /// Returns the request with an additional condition: a Boolean key that is true.
  ///
  /// ```swift
  /// request.filter { $0.isUnread }.filter { !$0.podcast.isHidden }
  /// ```
  public func filter(_ condition: (Keys) -> some FilterConvertible) -> Self {
    filter { condition($0).filter }
  }
}
