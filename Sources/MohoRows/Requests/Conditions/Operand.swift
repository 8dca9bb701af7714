package import MohoMapping

/// A value in a condition, an ordering or a selection: a key, a constant or a
/// calculation.
///
/// Calculations have the same results in SQL and in memory:
///
/// - An operation on integers returns an integer. Division truncates. If one of them
///   is the value of an unsigned attribute, the result is unsigned.
/// - The result of an operation on decimals, or on a decimal and an integer, is
///   rounded once, to 38 digits and to 128 digits after the point. A result
///   halfway between two others is rounded away from zero.
/// - An operation with a floating-point number is calculated in double
///   precision.
/// - A date plus or minus seconds is a date. A date minus a date is a number of
///   seconds.
/// - An operation with nil is nil. Operations without a result are nil, too:
///   integers that overflow 64 bits, unsigned integers below zero, decimals out of
///   range, division by zero, infinity minus infinity.
public struct Operand: Sendable, Hashable {
  /// The kinds of operands.
  package enum Kind: Sendable, Hashable {
    /// The value of a key.
    case key(KeyName)
    /// A constant.
    case constant(FieldContent)
    /// A calculation.
    case arithmetic(Operand, Arithmetic, Operand)
    /// The letter under which an index lists a text, in a locale or
    /// independently of locales.
    case indexLetter(Operand, locale: String?)
    /// The number of rows of a to-many relationship that satisfy a filter.
    case count(KeyName, Filter)
    /// The value of the rows that satisfy a filter, and nil for all others.
    case filtered(Operand, Filter)
    /// A value that a full-text index provides for a key or a row.
    case search(KeyName, SearchValue)
    /// An operand that could not be created, for the given reason.
    case invalid(String)
  }

  private let node: Node

  /// The operand and its parts.
  package var kind: Kind { node.kind }

  /// The number of nested levels of conditions and operands.
  var depth: Int { node.depth }

  /// Returns a Boolean value indicating whether two operands have the same
  /// parts in the same order.
  public static func == (one: Operand, other: Operand) -> Bool {
    one.node === other.node || one.kind == other.kind
  }

  /// Hashes the parts of the operand.
  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }

  /// The storage of an operand, shared by its copies.
  private final class Node: Sendable {
    let kind: Kind
    let depth: Int

    init(_ kind: Kind, depth: Int) {
      self.kind = kind
      self.depth = depth
    }
  }

  private init(_ kind: Kind, over depth: Int) {
    node =
      depth < Filter.maximumDepth
      ? Node(kind, depth: depth + 1) : Node(.invalid(Filter.depthIssue), depth: 1)
  }
}

extension Operand {
  /// An operand with the value of a key.
  package static func key(_ name: KeyName) -> Operand { Operand(.key(name), over: 0) }

  /// An operand with a constant value.
  package static func constant(_ content: FieldContent) -> Operand {
    Operand(.constant(content), over: 0)
  }

  /// An operand with the result of a calculation.
  package static func arithmetic(
    _ left: Operand, _ operation: Arithmetic, _ right: Operand
  ) -> Operand {
    Operand(.arithmetic(left, operation, right), over: max(left.depth, right.depth))
  }

  /// An operand with the letter under which an index lists a text.
  package static func indexLetter(_ text: Operand, locale: String? = nil) -> Operand {
    Operand(.indexLetter(text, locale: locale), over: text.depth)
  }

  /// An operand that counts the rows of a to-many relationship that satisfy a
  /// filter.
  package static func count(_ name: KeyName, _ filter: Filter) -> Operand {
    Operand(.count(name, filter), over: filter.depth)
  }

  /// An operand with the value of the rows that satisfy a filter, and nil for all others.
  /// Only aggregates use it.
  static func filtered(_ value: Operand, _ filter: Filter) -> Operand {
    Operand(.filtered(value, filter), over: max(value.depth, filter.depth))
  }

  /// An operand with a value that a full-text index provides.
  package static func search(_ name: KeyName, _ value: SearchValue) -> Operand {
    Operand(.search(name, value), over: 0)
  }

  /// An operand that could not be created. A request with it throws an error
  /// with this reason.
  package static func invalid(_ reason: String) -> Operand { Operand(.invalid(reason), over: 0) }
}

/// An arithmetic operator.
package enum Arithmetic: String, Sendable, Hashable, CaseIterable {
  /// Addition.
  case add = "+"
  /// Subtraction.
  case subtract = "-"
  /// Multiplication.
  case multiply = "*"
  /// Division. The division of integers truncates.
  case divide = "/"
}

/// A type that provides a value to conditions, orderings and selections:
/// ``ModelKey`` or ``RowKey``.
public protocol RequestOperand: Sendable {
  /// The value as an operand.
  var operand: Operand { get }
}

extension Operand: CustomStringConvertible {
  /// The value as a formula, such as `(podcast.rank + 1)`.
  public var description: String {
    switch kind {
    case .key(let name): name.path.isEmpty ? "row" : "\(name)"
    case .constant(let value): "\(value)"
    case .arithmetic(let left, let operation, let right):
      "(\(left) \(operation.rawValue) \(right))"
    case .indexLetter(let text, nil): "\(text).indexLetter"
    case .indexLetter(let text, let locale?): "\(text).indexLetter(in: \(locale))"
    case .count(let name, let filter) where filter.isAlways: "\(name).count"
    case .count(let name, let filter): "\(name).count { \(filter) }"
    case .filtered(let value, let filter): "\(value) where \(filter)"
    case .search(_, .relevance): "relevance"
    case .search(let name, .highlight): "\(name).highlighted"
    case .search(let name, .snippet): "\(name).snippet"
    case .invalid(let reason): reason
    }
  }
}
