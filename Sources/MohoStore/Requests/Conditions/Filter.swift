public import MohoMapping

/// A condition on the rows of a request: a value that can be printed, compared,
/// turned into SQL, and evaluated in memory with the same outcome.
///
/// Conditions are made in ``StoreRequest/filter(_:)`` with Swift's operators.
/// They are true or false, never unknown: nil equals nil and nothing else, and
/// any other comparison with nil is false.
///
/// Values are compared as the store holds them: texts by their UTF-8 bytes, so
/// that composed and decomposed forms differ, enums by their raw values, keys
/// with a transform by what it writes. ``text(_:_:)`` compares by characters.
/// Numbers compare by their values, whatever their types; a decimal and a
/// number in double precision as doubles.
public indirect enum Filter: Sendable, Hashable {
  /// Whether a value stands in a relation to another.
  case comparison(Operand, Comparison, Operand)
  /// Whether a value is one of several.
  case oneOf(Operand, [FieldContent])
  /// Whether a text matches a text.
  case text(Operand, TextMatch)
  /// Whether a row, or the one that a relationship to one leads to, is a
  /// certain row.
  case row(KeyName, RowReference)
  /// Whether rows of a relationship to many meet a condition.
  case related(KeyName, Quantifier, Filter)
  /// Whether all conditions hold; true where there are none.
  case and([Filter])
  /// Whether at least one condition holds; false where there are none.
  case or([Filter])
  /// Whether a condition does not hold.
  case not(Filter)
  /// A condition that could not be made, because of the value's error.
  case invalid(String)

  /// True of every row.
  public static let always = Filter.and([])
  /// True of no row.
  public static let never = Filter.or([])

  /// How two values compare.
  public enum Comparison: String, Sendable, Hashable, CaseIterable {
    /// Both are equal, or both nil.
    case equal = "=="
    /// They are not equal.
    case notEqual = "!="
    /// The first is smaller.
    case less = "<"
    /// The first is smaller or equal.
    case lessOrEqual = "<="
    /// The first is greater.
    case greater = ">"
    /// The first is greater or equal.
    case greaterOrEqual = ">="
  }

  /// How many related rows meet a condition.
  public enum Quantifier: String, Sendable, Hashable, CaseIterable {
    /// At least one.
    case any
    /// Each; so it is where there are none.
    case all
    /// None.
    case none
  }

  /// What tells a row.
  public enum RowReference: Sendable, Hashable {
    /// The identity that the store has given it.
    case identity(Int64)
    /// The value of the entity's unique attribute.
    case uniqueKey(FieldContent)
  }

  /// Whether both conditions hold.
  public static func && (left: Filter, right: Filter) -> Filter {
    if case .and(let conditions) = left {
      return conditions.isEmpty ? right : .and(conditions + [right])
    }
    return .and([left, right])
  }

  /// Whether at least one of two conditions holds.
  public static func || (left: Filter, right: Filter) -> Filter {
    if case .or(let conditions) = left {
      return conditions.isEmpty ? right : .or(conditions + [right])
    }
    return .or([left, right])
  }

  /// Whether a condition does not hold.
  public static prefix func ! (filter: Filter) -> Filter { .not(filter) }
}

extension Filter: CustomStringConvertible {
  /// The condition as a formula, such as `(season > 2 && title contains "x")`.
  public var description: String {
    switch self {
    case .comparison(let left, let comparison, let right):
      "\(left) \(comparison.rawValue) \(right)"
    case .oneOf(let operand, let values): "\(operand) in \(values)"
    case .text(let operand, let match): "\(operand) \(match)"
    case .row(let name, .identity(let identity)): "\(Operand.key(name)) is row \(identity)"
    case .row(let name, .uniqueKey(let key)): "\(Operand.key(name)) is \(key)"
    case .related(let name, let quantifier, let filter):
      "\(name).\(quantifier.rawValue) { \(filter) }"
    case .and([]): "true"
    case .or([]): "false"
    case .and(let filters): "(\(filters.map(\.description).joined(separator: " && ")))"
    case .or(let filters): "(\(filters.map(\.description).joined(separator: " || ")))"
    case .not(let filter): "!(\(filter))"
    case .invalid(let reason): reason
    }
  }
}
