/// A request for groups of rows, and for values that are computed from the rows of each
/// group.
///
/// ```swift
/// let longest = ModelRequest<Episode>()
///   .filter { $0.isPlayed == false }
///   .grouped(by: { [$0.podcast.title] }) { [.count, .sum($0.minutes)] }
///   .having { .sum($0.minutes) > 60 }
///   .order(.descending) { .sum($0.minutes) }
///   .limit(10)
/// ```
///
/// A group exists as long as it has rows. Without keys, all rows are one group, which may
/// be empty. Groups that the orderings consider equal are sorted by their keys in
/// ascending order, nil first, so that the order is always the same.
///
/// The conditions and orderings of a group can use the aggregates that the request
/// computes. A condition on a key belongs in the `filter` of the rows.
public struct GroupRequest<Rows: StoreRequest>: Sendable, Hashable {
  package private(set) var aggregates: RequestAggregates

  init(_ aggregates: RequestAggregates) { self.aggregates = aggregates }

  /// Returns the request with an additional condition, which all of its groups satisfy.
  ///
  /// ```swift
  /// request.having { .count > 2 && .maximum($0.publishedAt) > lastWeek }
  /// ```
  public func having(_ condition: (Rows.Keys) -> Filter) -> Self {
    setting { $0.filter = $0.filter && .scoped { condition(Rows.keys(of: $0)) } }
  }

  /// Returns the request with an additional ordering by an aggregate. The ordering applies
  /// to groups that the existing orderings consider equal.
  ///
  /// - Parameters:
  ///   - direction: The sort direction.
  ///   - nils: The position of groups without a value. See ``Ordering``.
  ///   - aggregate: Returns one of the aggregates of the request.
  public func order(
    _ direction: Ordering.Direction = .ascending, nils: Ordering.NilPosition? = nil,
    by aggregate: (Rows.Keys) -> Aggregate
  ) -> Self {
    let aggregate = aggregate(Rows.keys(of: KeyName([])))
    return order(by: Ordering(.key(aggregate.groupKey), direction, nils: nils))
  }

  /// Returns the request with an additional ordering by a key of the groups. The ordering
  /// applies to groups that the existing orderings consider equal.
  ///
  /// - Parameters:
  ///   - direction: The sort direction.
  ///   - nils: The position of groups without a value. See ``Ordering``.
  ///   - options: The differences between texts to ignore.
  ///   - collation: The order of texts.
  ///   - key: Returns one of the keys of the request.
  public func order<Value: RequestOperand>(
    _ direction: Ordering.Direction = .ascending, nils: Ordering.NilPosition? = nil,
    options: TextMatch.Options = [], collation: TextCollation? = nil,
    by key: (Rows.Keys) -> Value
  ) -> Self {
    let name = KeyName([key(Rows.keys(of: KeyName([]))).operand.description])
    return order(
      by: Ordering(.key(name), direction, nils: nils, options: options, collation: collation))
  }

  /// Returns the request with a maximum number of groups, or without one if the limit is
  /// nil.
  public func limit(_ limit: Int?) -> Self { setting { $0.limit = limit } }

  /// Returns the request without the given number of groups at the beginning.
  public func offset(_ offset: Int) -> Self { setting { $0.offset = offset } }

  private func order(by ordering: Ordering) -> Self {
    setting { $0.orderings.append(ordering) }
  }

  private func setting(_ change: (inout RowRequest) -> Void) -> Self {
    var request = self
    change(&request.aggregates.groups)
    return request
  }
}

extension StoreRequest {
  /// Returns a request for groups of the rows of this request. The rows of a group have the
  /// same values for some keys.
  ///
  /// - Parameters:
  ///   - keys: Returns the keys, also of related rows.
  ///   - aggregates: Returns the values to compute from the rows of each group.
  public func grouped(
    by keys: (Keys) -> [any RequestOperand], _ aggregates: (Keys) -> [Aggregate]
  ) -> GroupRequest<Self> {
    GroupRequest(self.aggregates(groupedBy: keys, aggregates))
  }
}

extension StoreReader {
  /// Returns the groups of a request with their values, in order. Each result starts with
  /// the values of the keys.
  ///
  /// - Throws: The errors of ``fetchAggregates(_:_:)``, and a ``StoreError`` if a condition
  ///   or an ordering has a value that the request does not compute.
  /// - Complexity: The database computes the values of all groups. Conditions, orderings
  ///   and the limit apply to these values.
  public func fetchGroups<Rows>(_ request: GroupRequest<Rows>) throws -> [ValueRow] {
    let order = try order(of: request.aggregates)
    let groups = try fetch(request.aggregates)
    return try order.evaluator().result(of: groups.map { order.subject($0.values) })
      .map { ValueRow(names: request.aggregates.names, values: $0.values) }
  }
}

extension ModelStore {
  /// Returns the groups of a request with their values, in order.
  ///
  /// - Throws: The errors of ``StoreReader/fetchGroups(_:)``.
  public func fetchGroups<Rows>(_ request: GroupRequest<Rows>) throws -> [ValueRow] {
    try read { try $0.fetchGroups(request) }
  }
}
