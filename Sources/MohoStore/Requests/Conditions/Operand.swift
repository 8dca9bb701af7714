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
public struct Operand: Sendable, Hashable {
  /// What a value is made of.
  public enum Kind: Sendable, Hashable {
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

  private let node: Node

  /// What the value is made of.
  public var kind: Kind { node.kind }

  /// How many levels of conditions and values lie in each other.
  var depth: Int { node.depth }

  /// Whether both are made of the same parts, in the same order.
  public static func == (one: Operand, other: Operand) -> Bool {
    one.node === other.node || one.kind == other.kind
  }

  /// Hashes what equality compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }

  /// The parts of a value, which it shares with its copies.
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
  /// The value of a key.
  public static func key(_ name: KeyName) -> Operand { Operand(.key(name), over: 0) }

  /// A value.
  public static func constant(_ content: FieldContent) -> Operand {
    Operand(.constant(content), over: 0)
  }

  /// A calculation.
  public static func arithmetic(
    _ left: Operand, _ operation: Arithmetic, _ right: Operand
  ) -> Operand {
    Operand(.arithmetic(left, operation, right), over: max(left.depth, right.depth))
  }

  /// The number of those rows of a relationship to many that meet a condition.
  public static func count(_ name: KeyName, _ filter: Filter) -> Operand {
    Operand(.count(name, filter), over: filter.depth)
  }

  /// A value that could not be made, because of an error.
  public static func invalid(_ reason: String) -> Operand { Operand(.invalid(reason), over: 0) }
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
    switch kind {
    case .key(let name): name.path.isEmpty ? "row" : "\(name)"
    case .constant(let value): "\(value)"
    case .arithmetic(let left, let operation, let right):
      "(\(left) \(operation.rawValue) \(right))"
    case .count(let name, let filter) where filter.isAlways: "\(name).count"
    case .count(let name, let filter): "\(name).count { \(filter) }"
    case .invalid(let reason): reason
    }
  }
}
