package import MohoMapping

/// A condition on the rows of a request.
///
/// A filter is a value. You can print it and compare it. The store translates
/// it into SQL, and editing contexts evaluate it in memory with the same result.
///
/// Build filters with Swift operators in ``StoreRequest/filter(_:)``. A filter
/// is true or false, never unknown: nil equals only nil, and any other
/// comparison with nil is false.
///
/// Values are compared in their stored form: text by its UTF-8 bytes, so that
/// composed and decomposed characters differ, enums by their raw values, and
/// keys with a transform by the transformed values. ``TextOperand`` compares text
/// by characters. Numbers are compared by value, regardless of their
/// types. A decimal and a floating-point number are compared as doubles.
///
/// Conditions that are joined by `&&` or `||` form one level, regardless of
/// their number. Conditions and calculations can be nested 24 levels deep, and
/// a request can have 10,000 conditions. Executing a request that exceeds these
/// limits throws a ``StoreError`` with the code
/// ``StoreError/Code/invalidRequest``.
public struct Filter: Sendable, Hashable {
  /// The kinds of conditions.
  package enum Kind: Sendable, Hashable {
    /// A comparison of two values.
    case comparison(Operand, Comparison, Operand)
    /// The value is one of the given values.
    case oneOf(Operand, [FieldContent])
    /// The text matches.
    case text(Operand, TextMatch)
    /// The searchable keys of a row contain all words of a text. An empty list
    /// of keys stands for all searchable keys of the row.
    case search(KeyName, SearchText, [KeyName])
    /// The row, or the row that a to-one relationship refers to, is the
    /// referenced one. An empty key path stands for the row itself.
    case row(KeyName, RowReference)
    /// Some, all or none of the rows of a to-many relationship satisfy a
    /// condition.
    case related(KeyName, Quantifier, Filter)
    /// All conditions are true. True if there are no conditions.
    case and([Filter])
    /// At least one condition is true. False if there are no conditions.
    case or([Filter])
    /// The condition is false.
    case not(Filter)
    /// A condition that could not be created, for the given reason.
    case invalid(String)
  }

  /// A comparison operator.
  package enum Comparison: String, Sendable, Hashable, CaseIterable {
    /// The values are equal, or both are nil.
    case equal = "=="
    /// The values differ, or only one of them is nil.
    case notEqual = "!="
    /// The left value is less than the right one.
    case less = "<"
    /// The left value is less than or equal to the right one.
    case lessOrEqual = "<="
    /// The left value is greater than the right one.
    case greater = ">"
    /// The left value is greater than or equal to the right one.
    case greaterOrEqual = ">="
  }

  /// The number of related rows that must satisfy a condition.
  package enum Quantifier: String, Sendable, Hashable, CaseIterable {
    /// At least one related row.
    case any
    /// All related rows. True if there are no related rows.
    case all
    /// No related row.
    case none
  }

  /// A reference to a single row.
  package enum RowReference: Sendable, Hashable {
    /// The row identity that the store has assigned.
    case identity(Int64)
    /// The value of the unique attribute of the entity.
    case uniqueKey(FieldContent)
  }

  let node: Node

  /// The condition and its parts.
  ///
  /// - Complexity: O(*n*) for *n* joined conditions, O(1) for other conditions.
  package var kind: Kind {
    switch node.content {
    case .kind(let kind): kind
    case .all(let conditions): .and(conditions.elements)
    case .any(let conditions): .or(conditions.elements)
    }
  }

  /// Returns a Boolean value indicating whether two filters have the same parts
  /// in the same order.
  public static func == (one: Filter, other: Filter) -> Bool {
    one.node === other.node || one.kind == other.kind
  }

  /// Hashes the parts of the filter.
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
    case .search(let name, let text, let keys):
      (keys.isEmpty
        ? Operand.key(name).description : keys.map(\.description).joined(separator: ", "))
        + " matches \(text)"
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
