package import MohoMapping

extension Filter {
  /// A filter that compares two values.
  package static func comparison(
    _ left: Operand, _ comparison: Comparison, _ right: Operand
  ) -> Filter {
    Filter(.comparison(left, comparison, right), over: max(left.depth, right.depth))
  }

  /// A filter that matches rows whose value is one of the given values.
  package static func oneOf(_ operand: Operand, _ values: [FieldContent]) -> Filter {
    Filter(.oneOf(operand, values), over: operand.depth)
  }

  /// A filter that matches rows whose text matches `match`.
  package static func text(_ operand: Operand, _ match: TextMatch) -> Filter {
    Filter(.text(operand, match), over: operand.depth)
  }

  /// A filter that matches rows whose searchable keys contain all words of a
  /// text.
  package static func search(_ name: KeyName, _ text: SearchText, in keys: [KeyName]) -> Filter {
    Filter(.search(name, text, keys), over: 0)
  }

  /// A filter that matches one row, or the rows whose to-one relationship
  /// refers to that row.
  package static func row(_ name: KeyName, _ reference: RowReference) -> Filter {
    Filter(.row(name, reference), over: 0)
  }

  /// A filter on the rows of a to-many relationship.
  package static func related(
    _ name: KeyName, _ quantifier: Quantifier, _ filter: Filter
  ) -> Filter {
    Filter(.related(name, quantifier, filter), over: filter.depth)
  }

  /// A filter that matches rows that satisfy all conditions. It matches every
  /// row if there are no conditions.
  ///
  /// Conditions that are conjunctions themselves are flattened.
  public static func and(_ filters: [Filter]) -> Filter {
    all(filters.reduce(into: Conditions()) { $0.append($1.conjuncts ?? Conditions([$1])) })
  }

  /// A filter that matches rows that satisfy at least one condition. It matches
  /// no row if there are no conditions.
  ///
  /// Conditions that are disjunctions themselves are flattened.
  public static func or(_ filters: [Filter]) -> Filter {
    any(filters.reduce(into: Conditions()) { $0.append($1.disjuncts ?? Conditions([$1])) })
  }

  /// A filter that matches the rows that `filter` does not match. The negation
  /// of a negation is the original filter.
  public static func not(_ filter: Filter) -> Filter {
    if case .kind(.not(let other)) = filter.node.content { return other }
    return Filter(.not(filter), over: filter.depth)
  }

  /// A filter that could not be created. A request with it throws an error with
  /// this reason.
  package static func invalid(_ reason: String) -> Filter { Filter(.invalid(reason), over: 0) }

  /// A filter that matches every row.
  public static let always = Filter.and([])
  /// A filter that matches no row.
  public static let never = Filter.or([])

  /// A filter that matches rows that satisfy both conditions.
  ///
  /// - Complexity: Amortized O(1) when conditions are added one by one.
  public static func && (left: Filter, right: Filter) -> Filter {
    if left.isAlways { return right }
    if right.isAlways { return left }
    var conditions = left.conjuncts ?? Conditions([left])
    conditions.append(right.conjuncts ?? Conditions([right]))
    return all(conditions)
  }

  /// A filter that matches rows that satisfy at least one of two conditions.
  ///
  /// - Complexity: Amortized O(1) when conditions are added one by one.
  public static func || (left: Filter, right: Filter) -> Filter {
    if left.isNever { return right }
    if right.isNever { return left }
    var conditions = left.disjuncts ?? Conditions([left])
    conditions.append(right.disjuncts ?? Conditions([right]))
    return any(conditions)
  }

  /// A filter that matches the rows that `filter` does not match.
  public static prefix func ! (filter: Filter) -> Filter { .not(filter) }
}

extension Filter {
  /// The storage of a filter, shared by its copies.
  final class Node: Sendable {
    enum Content: Sendable {
      /// Any condition except conjunctions and disjunctions.
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

  /// The maximum depth of nested conditions and operands. It bounds the
  /// recursion of the code that traverses them, and of their deallocation.
  ///
  /// The resolver has a lower limit, ``Resolver/maximumDepth``. A filter beyond
  /// this one is replaced by an invalid filter at creation.
  static let maximumDepth = 32

  static var depthIssue: String {
    "conditions are nested more than \(Resolver.maximumDepth) levels deep"
  }

  /// The number of nested levels of conditions and operands.
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
