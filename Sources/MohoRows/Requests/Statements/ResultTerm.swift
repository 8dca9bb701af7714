/// A value that orders the rows of a result. The last term is the identity,
/// which is unique.
package struct ResultTerm: Sendable {
  /// The ordering of the request, or nil for the identity.
  package let ordering: ResolvedOrdering?
  /// The column of the result's own table, if the term is a column.
  package let column: String?
  package let isDescending: Bool
  package let isOptional: Bool
  package let nilsComeFirst: Bool

  private init(_ ordering: ResolvedOrdering, column: String?, isOptional: Bool) {
    self.ordering = ordering
    self.column = column
    isDescending = ordering.ordering.direction == .descending
    self.isOptional = isOptional
    nilsComeFirst = ordering.ordering.nils == .first
  }

  private init(identityOf entity: Entity, isDescending: Bool) {
    ordering = nil
    column = entity.identityColumn
    self.isDescending = isDescending
    isOptional = false
    nilsComeFirst = true
  }

  /// Returns the terms of a request. Orderings after the identity have no
  /// effect.
  ///
  /// - Parameter isIndexed: Whether an index on the column of an ordering has the
  ///   order of the values.
  package static func terms(
    of request: ResolvedRequest, isIndexed: (ResolvedOrdering) -> Bool
  ) -> [ResultTerm] {
    var terms: [ResultTerm] = []
    for ordering in request.orderings {
      let isPlain = !ordering.ordering.transformsText && isIndexed(ordering)
      let key = ordering.operand.ownKey
      let isOptional = key.flatMap { request.entity.attribute($0) }?.isOptional ?? true
      let isIdentity = key == request.entity.identityColumn
      terms.append(
        ResultTerm(
          ordering, column: isPlain ? key : nil, isOptional: isOptional && !isIdentity))
      if isIdentity { return terms }
    }
    return terms + [
      ResultTerm(identityOf: request.entity, isDescending: request.isIdentityDescending)
    ]
  }

  /// Returns the SQL of the value in the form that is compared.
  package func value(_ writer: inout SQLWriter, _ identity: String) throws -> String {
    guard let ordering else { return identity }
    return try writer.sortValue(ordering)
  }

  /// Whether the section of a row is not the value that is compared.
  package var hasSeparateSection: Bool { ordering?.ordering.transformsText ?? false }

  /// Returns the SQL of the section that the term creates.
  package func section(_ writer: inout SQLWriter, _ identity: String) throws -> String {
    guard let ordering, hasSeparateSection else { return try value(&writer, identity) }
    return try writer.section(ordering)
  }

  /// Returns the SQL of the value with its sort direction.
  package func sortKey(_ writer: inout SQLWriter, _ identity: String) throws -> String {
    guard let ordering else { return isDescending ? identity + " DESC" : identity }
    return try writer.sortKey(ordering)
  }
}

extension ResolvedRequest {
  /// The columns that the filter requires to equal constants.
  package var constantColumns: Set<String> {
    Set(filter.conjuncts.compactMap(\.constantColumn))
  }

  /// Returns ``constantColumns``, or nil if other conditions must be evaluated for each
  /// row.
  package func fixedColumns(_ terms: [ResultTerm]) -> Set<String>? {
    for condition in filter.conjuncts where condition.constantColumn == nil {
      guard case .comparison(let operand, let comparison, .constant, as: .plain) = condition,
        let name = operand.ownKey, comparison != .notEqual, name == terms[0].column
      else { return nil }
    }
    return constantColumns
  }
}

extension ResolvedFilter {
  /// The column that the condition requires to equal a constant.
  package var constantColumn: String? {
    guard case .comparison(let operand, .equal, .constant, as: .plain) = self else { return nil }
    return operand.ownKey
  }
}
