public import MohoMapping
public import MohoRows

/// A value that is read from a store and can be observed: a model, a count, an
/// aggregate, or a list of values.
///
/// ```swift
/// let unplayed = ModelRequest<Episode>().filter { $0.isPlayed == false }
/// for try await count in store.observe(.count(unplayed)) {
///   badge.text = "\(count)"
/// }
/// ```
///
/// See ``ValueUpdates`` for what is delivered, and for its cost.
public struct ValueQuery<Value: Sendable>: Sendable {
  /// How the value is computed.
  enum Computation: Sendable {
    /// From the number of rows that meet the conditions.
    case counting(@Sendable (Int) -> Value)
    /// From groups of the rows that meet the conditions. A value that does not follow
    /// from these rows is read.
    case aggregating(RequestAggregates, @Sendable (GroupsSnapshot) -> Value)
    /// By reading the store.
    case reading(@Sendable (StoreReader) throws -> Value)
  }

  /// The rows that the value is computed from.
  let request: RowRequest
  /// The values that are read from the rows and their related rows.
  let operands: [Operand]
  /// The models that are read from the rows.
  let model: (any MappedModel.Type)?
  /// Whether the value depends on the order of the rows.
  let isOrdered: Bool
  let computation: Computation
  let areEqual: @Sendable (Value, Value) -> Bool

  private init(
    _ request: RowRequest, operands: [Operand] = [], model: (any MappedModel.Type)? = nil,
    isOrdered: Bool, _ computation: Computation,
    areEqual: @escaping @Sendable (Value, Value) -> Bool
  ) {
    self.request = request
    self.isOrdered = isOrdered
    self.operands = operands
    self.model = model
    self.computation = computation
    self.areEqual = areEqual
  }

  /// The number of rows of a request.
  ///
  /// The rows are counted when the observation starts. After that, the number is
  /// updated from the changed rows of each commit. If the request selects the first
  /// rows of each group, the numbers of rows of all groups are added up.
  public static func count(_ request: some StoreRequest) -> ValueQuery<Int> where Value == Int {
    let rows = request.rows
    if let groups = rows.groupCounts {
      return ValueQuery(groups, areEqual: { $0 == $1 }) { rows.count(of: $0) }
    }
    return ValueQuery(
      rows, isOrdered: false, .counting { rows.count(of: $0) }, areEqual: { $0 == $1 })
  }

  /// Whether a request has any rows.
  public static func exists(_ request: some StoreRequest) -> ValueQuery<Bool>
  where Value == Bool {
    let rows = request.rows
    if let groups = rows.groupCounts {
      return ValueQuery(groups, areEqual: { $0 == $1 }) { rows.count(of: $0) > 0 }
    }
    return ValueQuery(
      rows, isOrdered: false, .counting { rows.count(of: $0) > 0 }, areEqual: { $0 == $1 })
  }

  /// The model with a unique key, or nil while it is not stored.
  ///
  /// ```swift
  /// let reference = try ModelReference<Episode>(key: 113)
  /// for try await episode in store.observe(.model(reference)) { show(episode) }
  /// ```
  ///
  /// Changes of nested models are changes of the model.
  public static func model<Model: MappedModel>(
    _ reference: ModelReference<Model>
  ) -> ValueQuery<Model?> where Value == Model? {
    .first(ModelRequest<Model>().filter { $0.isRow(reference) })
  }

  /// The first model of a request, or nil while the request has no models.
  public static func first<Model: MappedModel>(
    _ request: ModelRequest<Model>
  ) -> ValueQuery<Model?> where Value == Model? {
    ValueQuery(
      request.rows, model: Model.self, isOrdered: true,
      .reading { try $0.fetchFirst(request) },
      areEqual: { one, other in
        guard let one, let other else { return one == nil && other == nil }
        return Model.mapping.areEqual(one, other)
      })
  }

  /// The models of a request. A ``ResultsController`` also reports which of them
  /// have changed, and reads only those that are shown.
  public static func models<Model: MappedModel>(
    _ request: ModelRequest<Model>
  ) -> ValueQuery<[Model]> where Value == [Model] {
    ValueQuery(
      request.rows, model: Model.self, isOrdered: true, .reading { try $0.fetch(request) },
      areEqual: {
        $0.count == $1.count && zip($0, $1).allSatisfy { Model.mapping.areEqual($0, $1) }
      })
  }

  /// Values of the rows of a request, in order; see `StoreReader.fetchValues`.
  ///
  /// ```swift
  /// store.observe(.values(newest.limit(3)) { [$0.title, $0.podcast.title] })
  /// ```
  public static func values<Request: StoreRequest>(
    _ request: Request, _ selection: (Request.Keys) -> [any RequestOperand]
  ) -> ValueQuery<[ValueRow]> where Value == [ValueRow] {
    let values = request.values(selection)
    return ValueQuery(
      values.request, operands: values.operands, isOrdered: true,
      .reading { try $0.fetch(values) }, areEqual: { $0 == $1 })
  }

  /// Values computed from all rows of a request; see
  /// `StoreReader.fetchAggregates`.
  ///
  /// ```swift
  /// store.observe(.aggregates(unplayed) { [.count, .sum($0.length)] })
  /// ```
  public static func aggregates<Request: StoreRequest>(
    _ request: Request, _ aggregates: (Request.Keys) -> [Aggregate]
  ) -> ValueQuery<ValueRow> where Value == ValueRow {
    let aggregates = request.aggregates(groupedBy: { _ in [] }, aggregates)
    return ValueQuery(aggregates, areEqual: { $0 == $1 }) { groups in
      groups.first?.values ?? ValueRow(names: [], values: [])
    }
  }

  /// Values computed from groups of the rows of a request; see
  /// `StoreReader.fetchAggregates`. Each value contains all groups. For many groups,
  /// observe ``groups(_:)`` instead.
  public static func aggregates<Request: StoreRequest>(
    _ request: Request, groupedBy keys: (Request.Keys) -> [any RequestOperand],
    _ aggregates: (Request.Keys) -> [Aggregate]
  ) -> ValueQuery<[ValueRow]> where Value == [ValueRow] {
    let aggregates = request.aggregates(groupedBy: keys, aggregates)
    return ValueQuery(aggregates, areEqual: { $0 == $1 }) { $0.rows }
  }

  /// Groups of rows in order, with the exact changes between their states.
  ///
  /// ```swift
  /// let longest = unplayed.grouped(by: { [$0.podcast.title] }) { [.count, .sum($0.length)] }
  ///   .having { .count > 1 }
  ///   .order(.descending) { .sum($0.length) }
  ///   .limit(10)
  /// for try await groups in store.observe(.groups(longest)) { show(groups) }
  /// ```
  ///
  /// A group is inserted with its first row and deleted with its last one, and also if it
  /// starts or ceases to meet the conditions or to be within the limit. The cost of a
  /// commit depends on the groups that it changes, and not on their number; see
  /// ``GroupsSnapshot/changes(since:)``.
  public static func groups<Rows>(
    _ request: GroupRequest<Rows>
  ) -> ValueQuery<GroupsSnapshot> where Value == GroupsSnapshot {
    ValueQuery(request.aggregates, areEqual: { $0.isEqual(to: $1) }) { $0 }
  }

  private init(
    _ aggregates: RequestAggregates, areEqual: @escaping @Sendable (Value, Value) -> Bool,
    _ value: @escaping @Sendable (GroupsSnapshot) -> Value
  ) {
    self.init(
      aggregates.request, operands: aggregates.operands, isOrdered: aggregates.request.isPaged,
      .aggregating(aggregates, value), areEqual: areEqual)
  }
}

extension RowRequest {
  /// The number of rows within the limit and the offset.
  fileprivate func count(of matching: Int) -> Int {
    max(0, min(limit ?? .max, matching - min(offset, matching)))
  }

  /// The number of rows within all limits and the offset.
  ///
  /// - Parameter groups: The groups of ``groupCounts``.
  fileprivate func count(of groups: GroupsSnapshot) -> Int {
    let limit = max(0, groupLimit?.count ?? .max)
    return count(
      of: groups.reduce(0) { sum, group in
        sum + min(limit, Int(group.values.values.last?.integer ?? 0))
      })
  }
}
