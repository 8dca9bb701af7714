import Foundation
import MohoMapping

/// A request that is carried out in memory, on rows that are saved or not.
///
/// Guarantees:
/// - A filter holds of a row exactly where the store's SQL selects the row that
///   holds the same values.
/// - Rows are in the order in which the store's SQL returns them; rows without
///   an identity come behind those that are equal otherwise, in the order in
///   which they were given.
///
/// Not `Sendable`.
public struct RequestEvaluator {
  private let request: ResolvedRequest
  private let condition: (SubjectRows) -> Bool
  private let sortKeys: [SortKey]

  /// Prepares a request.
  ///
  /// - Throws: ``StoreError`` that lists all that is wrong with the request.
  public init(_ request: some StoreRequest, in schema: Schema) throws {
    self.request = try ResolvedRequest(request.rows, schema)
    condition = self.request.filter.evaluation
    let identity = self.request.entity.identityColumn
    sortKeys =
      self.request.orderings.map(SortKey.init)
      + [
        SortKey(
          value: { $0.last?.value(of: identity).stored ?? .null },
          isDescending: self.request.isIdentityDescending, nils: .last)
      ]
  }

  /// Whether the filter holds of a row.
  public func matches(_ subject: any FilterSubject) -> Bool { condition([subject]) }

  /// Whether a row stands before another by the orderings, or by their
  /// identities where those leave them equal.
  public func areInIncreasingOrder(
    _ one: any FilterSubject, _ other: any FilterSubject
  ) -> Bool {
    order(sortValues(of: one), sortValues(of: other)) < 0
  }

  /// Rows in the order of the request.
  ///
  /// Each ordering's value is asked for once a row.
  public func sorted<Subject: FilterSubject>(_ subjects: some Sequence<Subject>) -> [Subject] {
    subjects.map { (subject: $0, values: sortValues(of: $0)) }
      .sorted { order($0.values, $1.values) < 0 }
      .map(\.subject)
  }

  /// The rows of the request: those of which the filter holds, in order, cut by
  /// the limit and the offset.
  public func result<Subject: FilterSubject>(of subjects: some Sequence<Subject>) -> [Subject] {
    let rows = sorted(subjects.filter { matches($0) }).dropFirst(request.offset)
    return Array(rows.prefix(request.limit ?? .max))
  }

  /// The values by which a row is ordered, the identity last.
  func sortValues(of subject: any FilterSubject) -> [FieldContent] {
    sortKeys.map { $0.value([subject]) }
  }

  /// Whether a row stands before another, equals it or stands behind it, by
  /// their values: below 0, 0 or above.
  func order(_ one: [FieldContent], _ other: [FieldContent]) -> Int {
    for (key, (left, right)) in zip(sortKeys, zip(one, other)) {
      let order = key.order(left, right)
      if order != 0 { return order }
    }
    return 0
  }
}

/// A value by which rows are ordered.
private struct SortKey {
  let value: (SubjectRows) -> FieldContent
  let isDescending: Bool
  let nils: Ordering.NilPlace

  init(
    value: @escaping (SubjectRows) -> FieldContent, isDescending: Bool, nils: Ordering.NilPlace
  ) {
    self.value = value
    self.isDescending = isDescending
    self.nils = nils
  }

  init(_ resolved: ResolvedOrdering) {
    let operand = resolved.operand.evaluation
    let options = resolved.ordering.options
    value = { rows in
      let content = operand(rows)
      guard !options.isEmpty, case .string(let text) = content else { return content }
      return .data(Data(text.sortBytes(options)))
    }
    isDescending = resolved.ordering.direction == .descending
    nils = resolved.ordering.nils
  }

  func order(_ one: FieldContent, _ other: FieldContent) -> Int {
    switch (one.isNull, other.isNull) {
    case (true, true): return 0
    case (true, false): return nils == .first ? -1 : 1
    case (false, true): return nils == .first ? 1 : -1
    case (false, false):
      let order = one.order(other) ?? 0
      return isDescending ? -order : order
    }
  }
}
