/// A request whose keys have been found in a schema.
package struct ResolvedRequest: Sendable {
  /// The request.
  package private(set) var rows: RowRequest
  package let entity: Entity
  package let filter: ResolvedFilter
  package private(set) var orderings: [ResolvedOrdering]
  let limit: Int?
  let offset: Int
  package let groupLimit: ResolvedGroupLimit?
  package let isDistinct: Bool
  package private(set) var selection: [ResolvedOperand]
  /// The operands of the values to fetch, before they were found in the schema.
  package private(set) var operands: [Operand]
  /// The tables that the request reads, apart from the table of the entity.
  package let tables: Set<String>

  /// - Parameters:
  ///   - selection: The values to fetch.
  ///   - tokenizer: Divides texts into words, if the request is evaluated in
  ///     memory.
  /// - Throws: A ``StoreError`` that lists all issues of the request.
  package init(
    _ request: RowRequest, _ schema: Schema, selecting selection: [Operand] = [],
    tokenizer: (any TextTokenizer)? = nil
  ) throws {
    guard let entity = schema.entity(request.entity) else {
      throw StoreError(
        .invalidRequest,
        reason: "the store has no table for `\(request.entity)`",
        suggestion: "add the model to the models that the store is opened with")
    }
    var resolver = Resolver(schema, entity, tokenizer)
    var issues: [String] = []
    if let limit = request.limit, limit < 0 { issues.append("the limit \(limit) is negative") }
    if request.offset < 0 { issues.append("the offset \(request.offset) is negative") }
    let filter = resolver.resolve(request.filter)
    resolver.searches = filter.requiredSearches
    let orderings = request.orderings.map { ordering in
      let operand = resolver.resolve(ordering.value)
      if ordering.transformsText && operand.type != .string && operand.type != .null {
        let property =
          ordering.options.isEmpty ? "has a collation" : "ignores letter case or accents"
        issues.append(
          "the ordering by `\(ordering.value)` \(property), but the value is"
            + " \(operand.type.rawValue)")
      }
      return ResolvedOrdering(operand: operand, ordering: ordering)
    }
    let groupLimit = request.groupLimit.map { groupLimit in
      ResolvedGroupLimit(
        count: groupLimit.count, keys: groupLimit.keys.map { resolver.resolve($0) })
    }
    let resolved = selection.map { resolver.resolve($0) }
    issues = resolver.issues + issues
    guard issues.isEmpty else {
      throw StoreError(.invalidRequest, reason: issues.joined(separator: "; "))
    }
    rows = request
    self.entity = entity
    self.filter = filter
    self.orderings = orderings
    limit = request.limit
    offset = request.offset
    self.groupLimit = groupLimit
    isDistinct = request.isDistinct
    self.selection = resolved
    operands = selection
    tables = resolver.tables
  }
}

extension ResolvedRequest {
  /// The request without an order.
  package var unordered: ResolvedRequest {
    var request = self
    request.rows = rows.unordered
    request.orderings = []
    return request
  }

  /// The request without values to fetch.
  package var withoutSelection: ResolvedRequest {
    var request = self
    request.selection = []
    request.operands = []
    return request
  }

  /// Whether rows that the orderings consider equal are sorted by descending
  /// identity.
  ///
  /// Identities are sorted in the direction of the last ordering. An index
  /// sorts the rows of equal values by identity, so SQLite can scan it forward
  /// or backward to produce this order.
  package var isIdentityDescending: Bool { orderings.last?.ordering.direction == .descending }
}

/// An ordering whose value has been found in a schema.
package struct ResolvedOrdering: Sendable {
  package let operand: ResolvedOperand
  package let ordering: Ordering
}

/// A limit for the rows of each group, whose keys have been found in a schema.
package struct ResolvedGroupLimit: Sendable {
  /// The maximum number of rows of a group. Nil for all rows.
  package let count: Int?
  package let keys: [ResolvedOperand]
}
