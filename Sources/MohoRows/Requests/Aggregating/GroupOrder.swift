package import MohoMapping

/// The conditions on groups, and their order, limit and offset.
package struct GroupOrder: Sendable {
  /// The request for the groups, as rows with an attribute for each value.
  private let request: ResolvedRequest
  /// The names of the attributes, in the order of the values.
  private let names: [String]

  /// The orderings, and the indexes of the values that they compare.
  private let orderings: [(column: Int, order: ValueOrder)]

  /// The indexes of the aggregates that order the groups.
  package let orderingColumns: [Int]
  /// Whether some groups may not meet the conditions.
  package var hasConditions: Bool { !request.filter.isAlways }
  /// The maximum number of groups, or nil for all groups.
  package var limit: Int? { request.limit }
  /// The number of groups to skip at the beginning.
  package var offset: Int { request.offset }

  /// - Parameters:
  ///   - types: The types of the values.
  ///   - schema: The schema of the store.
  /// - Throws: A ``StoreError`` if a condition or an ordering has a value that is not
  ///   computed, or another type.
  package init(_ aggregates: RequestAggregates, _ types: [ValueType], _ schema: Schema) throws {
    let names = aggregates.keys.map(\.description) + aggregates.aggregates.map(\.groupName)
    let entity = Entity(
      aggregates.groups.entity,
      attributes: zip(names, types).map { Attribute($0, AttributeType($1), isOptional: true) })
    var groups = aggregates.groups
    groups.orderings += names.prefix(aggregates.keys.count).map { Ordering(.key(KeyName([$0]))) }
    request = try ResolvedRequest(groups, schema.ofValues(entity))
    self.names = names
    orderings = groups.orderings.compactMap { ordering in
      let name = ordering.value.keyName?.path.first
      return names.firstIndex { $0 == name }.map { ($0, ValueOrder(ordering)) }
    }
    orderingColumns = Set(orderings.map(\.column)).filter { $0 >= aggregates.keys.count }.sorted()
  }

  /// Returns the values that order a group, in a form that is compared, such as texts without
  /// case.
  package func sortValues(of values: [FieldContent]) -> [FieldContent] {
    orderings.map { $0.order.sortValue(of: values[$0.column]) }
  }

  /// Compares the sort values of two groups: negative if the first group precedes the second
  /// one, 0 if both are equal, positive otherwise.
  package func order(_ one: [FieldContent], _ other: [FieldContent]) -> Int {
    compare(to: other) { index, _ in one[index] }
  }

  /// Compares a group with the sort values of another one. The result is that of
  /// ``order(_:_:)``.
  package func order(ofValues values: [FieldContent], _ sortValues: [FieldContent]) -> Int {
    compare(to: sortValues) { $1.order.sortValue(of: values[$1.column]) }
  }

  /// - Parameter sortValue: Returns the sort value of the first group for an ordering.
  private func compare(
    to other: [FieldContent],
    _ sortValue: (_ index: Int, (column: Int, order: ValueOrder)) -> FieldContent
  ) -> Int {
    for (index, ordering) in orderings.enumerated() {
      let order = ordering.order.order(sortValue(index, ordering), other[index])
      if order != 0 { return order }
    }
    return 0
  }

  /// Returns the evaluator of the conditions and the order. It is not `Sendable`.
  package func evaluator() throws -> RequestEvaluator { try RequestEvaluator(request) }

  /// Returns a group that the evaluator can filter and sort.
  package func subject(_ values: [FieldContent]) -> GroupSubject {
    GroupSubject(names: names, values: values)
  }
}

/// The values of a group for a ``RequestEvaluator``.
package struct GroupSubject: FilterSubject {
  fileprivate let names: [String]
  package let values: [FieldContent]

  package func value(of key: String) -> FieldContent {
    names.firstIndex(of: key).map { values[$0] } ?? .null
  }

  package func related(by key: String) -> [any FilterSubject] { [] }
}

extension StoreReader {
  /// Checks a request for groups, without running a statement, and returns the order of the
  /// groups.
  ///
  /// - Throws: As ``fetchGroups(_:)``.
  package func order(of aggregates: RequestAggregates) throws -> GroupOrder {
    try GroupOrder(aggregates, types(of: aggregates), schema)
  }
}

extension Operand {
  fileprivate var keyName: KeyName? { if case .key(let name) = kind { name } else { nil } }
}

extension AttributeType {
  /// The type of an attribute with the values of an operand.
  fileprivate init(_ type: ValueType) {
    self =
      switch type {
      case .integer: .int64
      case .unsigned: .uint64
      case .double: .double
      case .decimal: .decimal
      case .boolean: .boolean
      case .date: .date
      case .data: .data
      case .string, .null: .string
      }
  }
}
