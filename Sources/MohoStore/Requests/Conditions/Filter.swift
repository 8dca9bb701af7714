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
///
/// Conditions joined by `&&` or `||` lie beside each other, however many they
/// are. Conditions and calculations lie at most 24 levels deep in each other,
/// and a request has at most 10,000 conditions: one beyond these limits throws
/// ``StoreError`` of code ``StoreError/Code/invalidRequest`` when it is carried
/// out.
public struct Filter: Sendable, Hashable {
  /// What a condition is made of.
  public enum Kind: Sendable, Hashable {
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
    /// A condition that could not be made, because of the error.
    case invalid(String)
  }

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

  let node: Node

  /// What the condition is made of.
  ///
  /// - Complexity: O(*n*) for *n* joined conditions, else O(1).
  public var kind: Kind {
    switch node.content {
    case .kind(let kind): kind
    case .all(let conditions): .and(conditions.elements)
    case .any(let conditions): .or(conditions.elements)
    }
  }

  /// Whether both are made of the same parts, in the same order.
  public static func == (one: Filter, other: Filter) -> Bool {
    one.node === other.node || one.kind == other.kind
  }

  /// Hashes what equality compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}

extension Filter: CustomStringConvertible {
  /// The condition as a formula, such as `(season > 2 && title contains "x")`.
  public var description: String {
    switch kind {
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
