public import MohoMapping

extension Filter {
  /// Whether a value stands in a relation to another.
  public static func comparison(
    _ left: Operand, _ comparison: Comparison, _ right: Operand
  ) -> Filter {
    Filter(.comparison(left, comparison, right), over: max(left.depth, right.depth))
  }

  /// Whether a value is one of several.
  public static func oneOf(_ operand: Operand, _ values: [FieldContent]) -> Filter {
    Filter(.oneOf(operand, values), over: operand.depth)
  }

  /// Whether a text matches a text.
  public static func text(_ operand: Operand, _ match: TextMatch) -> Filter {
    Filter(.text(operand, match), over: operand.depth)
  }

  /// Whether a row, or the one that a relationship to one leads to, is a certain
  /// row.
  public static func row(_ name: KeyName, _ reference: RowReference) -> Filter {
    Filter(.row(name, reference), over: 0)
  }

  /// Whether rows of a relationship to many meet a condition.
  public static func related(
    _ name: KeyName, _ quantifier: Quantifier, _ filter: Filter
  ) -> Filter {
    Filter(.related(name, quantifier, filter), over: filter.depth)
  }

  /// Whether all conditions hold; true where there are none.
  ///
  /// Those of them that are made so themselves are replaced by their parts.
  public static func and(_ filters: [Filter]) -> Filter {
    all(filters.reduce(into: Conditions()) { $0.append($1.conjuncts ?? Conditions([$1])) })
  }

  /// Whether at least one condition holds; false where there are none.
  ///
  /// Those of them that are made so themselves are replaced by their parts.
  public static func or(_ filters: [Filter]) -> Filter {
    any(filters.reduce(into: Conditions()) { $0.append($1.disjuncts ?? Conditions([$1])) })
  }

  /// Whether a condition does not hold. That of one that is made so itself is
  /// the condition inside it.
  public static func not(_ filter: Filter) -> Filter {
    if case .kind(.not(let other)) = filter.node.content { return other }
    return Filter(.not(filter), over: filter.depth)
  }

  /// A condition that could not be made, because of an error.
  public static func invalid(_ reason: String) -> Filter { Filter(.invalid(reason), over: 0) }

  /// True of every row.
  public static let always = Filter.and([])
  /// True of no row.
  public static let never = Filter.or([])

  /// Whether both conditions hold.
  ///
  /// - Complexity: Amortized O(1) where conditions are joined one by one.
  public static func && (left: Filter, right: Filter) -> Filter {
    if left.isAlways { return right }
    if right.isAlways { return left }
    var conditions = left.conjuncts ?? Conditions([left])
    conditions.append(right.conjuncts ?? Conditions([right]))
    return all(conditions)
  }

  /// Whether at least one of two conditions holds.
  ///
  /// - Complexity: Amortized O(1) where conditions are joined one by one.
  public static func || (left: Filter, right: Filter) -> Filter {
    if left.isNever { return right }
    if right.isNever { return left }
    var conditions = left.disjuncts ?? Conditions([left])
    conditions.append(right.disjuncts ?? Conditions([right]))
    return any(conditions)
  }

  /// Whether a condition does not hold.
  public static prefix func ! (filter: Filter) -> Filter { .not(filter) }
}

extension Filter {
  /// The parts of a condition, which it shares with its copies.
  final class Node: Sendable {
    enum Content: Sendable {
      /// Any condition but joined ones.
      case kind(Kind)
      case all(Conditions)
      case any(Conditions)
    }

    let content: Content
    let depth: Int

    init(_ content: Content, depth: Int) {
      self.content = content
      self.depth = depth
    }
  }

  /// How deep conditions and values lie in each other at most. Whatever walks
  /// over them, and what frees them, is recursive to this depth.
  ///
  /// The resolver refuses less deep ones; those that lie deeper yet are not even
  /// made.
  static let maximumDepth = 32

  static var depthIssue: String {
    "conditions lie more than \(Resolver.maximumDepth) levels deep in each other"
  }

  /// How many levels of conditions and values lie in each other.
  var depth: Int { node.depth }

  fileprivate init(_ kind: Kind, over depth: Int) {
    self.init(.kind(kind), over: depth)
  }

  private init(_ content: Node.Content, over depth: Int) {
    node =
      depth < Self.maximumDepth
      ? Node(content, depth: depth + 1) : Node(.kind(.invalid(Self.depthIssue)), depth: 1)
  }

  private static func all(_ conditions: Conditions) -> Filter {
    Filter(.all(conditions), over: conditions.depth)
  }

  private static func any(_ conditions: Conditions) -> Filter {
    Filter(.any(conditions), over: conditions.depth)
  }

  var isAlways: Bool { conjuncts?.isEmpty ?? false }
  private var isNever: Bool { disjuncts?.isEmpty ?? false }

  private var conjuncts: Conditions? {
    if case .all(let conditions) = node.content { conditions } else { nil }
  }

  private var disjuncts: Conditions? {
    if case .any(let conditions) = node.content { conditions } else { nil }
  }
}
