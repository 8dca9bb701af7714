import MohoMapping

/// Resolves the keys of a request against a schema and collects all issues of
/// the request.
struct Resolver {
  /// The maximum depth of nested conditions. SQLite's parser has a limit.
  static let maximumDepth = 24

  /// The maximum number of conditions in a request. The time that SQLite needs
  /// to plan a statement is quadratic in this number.
  static let maximumCount = 10_000

  let schema: Schema
  /// The entities of the current condition and the conditions around it,
  /// innermost last.
  var entities: [Entity]
  private var depth = 0
  private var count = 0
  var issues: [String] = []
  /// The names of the other entities and link tables that the request reads.
  var tables: Set<String> = []

  /// The searches that all rows of the request satisfy. Known after the filter
  /// has been resolved.
  var searches: [ResolvedSearch] = []
  /// Divides texts into words in memory. Nil if SQL evaluates the request.
  let tokenizer: (any TextTokenizer)?

  init(_ schema: Schema, _ entity: Entity, _ tokenizer: (any TextTokenizer)? = nil) {
    self.schema = schema
    self.tokenizer = tokenizer
    entities = [entity]
  }

  mutating func resolve(_ filter: Filter) -> ResolvedFilter {
    count += 1
    guard count <= Self.maximumCount else {
      if count == Self.maximumCount + 1 {
        issues.append("the request has more than \(Self.maximumCount) conditions")
      }
      return .never
    }
    return nested { resolver in resolver.resolved(filter) } ?? .never
  }

  mutating func resolve(_ operand: Operand) -> ResolvedOperand {
    nested { resolver in resolver.resolved(operand) } ?? .constant(.null)
  }

  private mutating func nested<Result>(_ body: (inout Resolver) -> Result) -> Result? {
    guard depth < Self.maximumDepth else {
      addDepthIssue()
      return nil
    }
    depth += 1
    defer { depth -= 1 }
    return body(&self)
  }

  private mutating func addDepthIssue() {
    if !issues.contains(Filter.depthIssue) { issues.append(Filter.depthIssue) }
  }

  private mutating func resolved(_ filter: Filter) -> ResolvedFilter {
    switch filter.kind {
    case .comparison(let left, let comparison, let right):
      return compare(left, comparison, right)
    case .oneOf(let operand, let values): return oneOf(operand, values)
    case .text(let operand, let match): return text(operand, match)
    case .search(let name, let text, let keys): return search(name, text, in: keys)
    case .row(let name, let reference): return isRow(name, reference)
    case .related(let name, let quantifier, let filter):
      guard let rows = related(name) else { return .never }
      return .related(rows, quantifier, inner(filter, of: rows))
    case .and(let filters): return .and(resolve(filters))
    case .or(let filters): return .or(resolve(filters))
    case .not(let filter): return .not(resolve(filter))
    case .invalid(Filter.depthIssue):
      addDepthIssue()
      return .never
    case .invalid(let reason):
      issues.append(reason)
      return .never
    }
  }

  private mutating func resolve(_ filters: [Filter]) -> [ResolvedFilter] {
    var resolved: [ResolvedFilter] = []
    for filter in filters { resolved.append(resolve(filter)) }
    return resolved
  }

  mutating func inner(_ filter: Filter, of rows: RelatedRows) -> ResolvedFilter {
    entities.append(rows.entity)
    defer { entities.removeLast() }
    return resolve(filter)
  }
}
