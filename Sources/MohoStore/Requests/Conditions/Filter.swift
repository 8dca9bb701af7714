public import MohoMapping

/// A condition on the keys of a model: a value that can be printed, compared
/// and turned into SQL.
///
/// Conditions are made in ``ModelRequest/filter(_:)`` with Swift's operators.
/// They are true or false, never unknown: nil equals nil and nothing else, and
/// any other comparison with nil is false.
///
/// Values are compared as the store holds them: texts by their UTF-8 bytes, so
/// that composed and decomposed forms differ, enums by their raw values, keys
/// with a transform by what it writes. ``text(_:_:)`` compares by characters.
public indirect enum Filter: Sendable, Hashable {
  /// Whether a key's value stands in a relation to a value.
  case comparison(KeyName, Comparison, FieldContent)
  /// Whether a key's value is one of several.
  case oneOf(KeyName, [FieldContent])
  /// Whether a key's text matches a text.
  case text(KeyName, TextMatch)
  /// Whether all conditions hold; true where there are none.
  case and([Filter])
  /// Whether at least one condition holds; false where there are none.
  case or([Filter])
  /// Whether a condition does not hold.
  case not(Filter)
  /// A condition that could not be made, because of the value's error.
  case invalid(String)

  /// How two values compare.
  public enum Comparison: String, Sendable, Hashable {
    /// Both are equal, or both nil.
    case equal = "IS"
    /// They are not equal.
    case notEqual = "IS NOT"
    /// The key's value is smaller.
    case less = "<"
    /// The key's value is smaller or equal.
    case lessOrEqual = "<="
    /// The key's value is greater.
    case greater = ">"
    /// The key's value is greater or equal.
    case greaterOrEqual = ">="
  }

  /// Whether both conditions hold.
  public static func && (left: Filter, right: Filter) -> Filter {
    if case .and(let conditions) = left { return .and(conditions + [right]) }
    return .and([left, right])
  }

  /// Whether at least one of two conditions holds.
  public static func || (left: Filter, right: Filter) -> Filter {
    if case .or(let conditions) = left { return .or(conditions + [right]) }
    return .or([left, right])
  }

  /// Whether a condition does not hold.
  public static prefix func ! (filter: Filter) -> Filter { .not(filter) }
}
