/// A request whose keys are found in a schema.
struct ResolvedRequest {
  let entity: Entity
  let filter: ResolvedFilter
  let orderings: [ResolvedOrdering]
  let limit: Int?
  let offset: Int
  let isDistinct: Bool
  /// The values to fetch.
  let selection: [ResolvedOperand]
  /// The tables that are read beside that of the entity.
  let tables: Set<String>

  /// - Parameter selection: The values to fetch.
  /// - Throws: ``StoreError`` that lists all that is wrong with the request.
  init(_ request: RowRequest, _ schema: Schema, selecting selection: [Operand] = []) throws {
    guard let entity = schema.entity(request.entity) else {
      throw StoreError(
        .invalidRequest,
        reason: "the store has no table for `\(request.entity)`",
        suggestion: "name the model where the store is opened")
    }
    var resolver = Resolver(schema, entity)
    var issues: [String] = []
    if let limit = request.limit, limit < 0 { issues.append("the limit \(limit) is below 0") }
    if request.offset < 0 { issues.append("the offset \(request.offset) is below 0") }
    let filter = resolver.resolve(request.filter)
    let orderings = request.orderings.map { ordering in
      let operand = resolver.resolve(ordering.value)
      if !ordering.options.isEmpty && operand.type != .string && operand.type != .null {
        issues.append(
          "the order by `\(ordering.value)` leaves letter case or accents out of account,"
            + " which \(operand.type.rawValue) does not have")
      }
      return ResolvedOrdering(operand: operand, ordering: ordering)
    }
    let operands = selection.map { resolver.resolve($0) }
    issues = resolver.issues + issues
    guard issues.isEmpty else {
      throw StoreError(.invalidRequest, reason: issues.joined(separator: "; "))
    }
    self.entity = entity
    self.filter = filter
    self.orderings = orderings
    limit = request.limit
    offset = request.offset
    isDistinct = request.isDistinct
    self.selection = operands
    tables = resolver.tables
  }
}

extension ResolvedRequest {
  /// Whether rows that the orderings leave equal have descending identities.
  ///
  /// They have the direction of the last ordering: an index holds the rows of
  /// one value in the order of their identities, so that it serves the order when
  /// it is read from either end.
  var isIdentityDescending: Bool { orderings.last?.ordering.direction == .descending }
}

/// An ordering whose value is found in a schema.
struct ResolvedOrdering: Sendable {
  let operand: ResolvedOperand
  let ordering: Ordering
}
