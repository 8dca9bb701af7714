import Foundation
package import MohoMapping

/// Evaluates a request in memory, on rows that may or may not be saved.
///
/// Guarantees:
/// - A filter matches a row if and only if the store's SQL would select a row
///   with the same values.
/// - Rows are sorted in the order in which the store's SQL returns them. Rows
///   without an identity follow rows that are otherwise equal, in their
///   original order.
///
/// Not `Sendable`.
package struct RequestEvaluator {
  private let request: ResolvedRequest
  private let condition: (RowStack) -> Bool
  private let sortKeys: [(value: (RowStack) -> FieldContent, order: ValueOrder)]
  /// The values of the keys of ``ResolvedRequest/groupLimit``.
  private let groupKeys: [(RowStack) -> FieldContent]
  private let selection: [(RowStack) -> FieldContent]

  /// Creates an evaluator for a request.
  ///
  /// - Parameter tokenizer: Divides texts into words. Requests that search
  ///   require it.
  /// - Throws: A ``StoreError`` that lists all issues of the request, or that
  ///   says that only a store can order the rows.
  package init(
    _ request: some StoreRequest, in schema: Schema, tokenizer: (any TextTokenizer)? = nil
  ) throws {
    try self.init(ResolvedRequest(request.rows, schema, tokenizer: tokenizer))
  }

  /// Creates an evaluator for a request that was resolved with a tokenizer.
  ///
  /// - Throws: A ``StoreError`` that says that only a store can order the rows.
  package init(_ request: ResolvedRequest) throws {
    self.request = request
    for ordering in request.orderings where ordering.operand.needsIndex {
      throw StoreError(
        .invalidRequest,
        reason: "rows with unsaved changes cannot be ordered by `\(ordering.ordering.value)`",
        suggestion: "save the changes first, or order by another key")
    }
    let keys = zip(request.rows.groupLimit?.keys ?? [], request.groupLimit?.keys ?? [])
    for (key, operand) in keys where operand.needsIndex {
      throw StoreError(
        .invalidRequest,
        reason: "rows with unsaved changes cannot be grouped by `\(key)`",
        suggestion: "save the changes first, or use another key")
    }
    for (value, operand) in zip(request.operands, request.selection) where operand.needsIndex {
      throw StoreError(
        .invalidRequest,
        reason: "`\(value)` cannot be computed from rows with unsaved changes",
        suggestion: "save the changes first, or use another value")
    }
    selection = request.selection.map(\.evaluation)
    groupKeys = keys.map { $1.evaluation }
    condition = request.filter.evaluation
    let identity = request.entity.identityColumn
    sortKeys =
      request.orderings.map { ordering in
        let (value, order) = (ordering.operand.evaluation, ValueOrder(ordering.ordering))
        return ({ order.sortValue(of: value($0)) }, order)
      } + [
        (
          { $0.last?.value(of: identity).stored ?? .null },
          ValueOrder(isDescending: request.isIdentityDescending, nils: .last)
        )
      ]
  }

  /// Returns a Boolean value indicating whether the request's filter matches a
  /// row.
  package func matches(_ subject: any FilterSubject) -> Bool { condition([subject]) }

  /// Returns the rows in the order of the request.
  ///
  /// The value of each ordering is read once per row.
  package func sorted<Subject: FilterSubject>(_ subjects: some Sequence<Subject>) -> [Subject] {
    subjects.map { (subject: $0, values: sortValues(of: $0)) }
      .sorted { order($0.values, $1.values) < 0 }
      .map(\.subject)
  }

  /// Returns the rows that match the filter, in the order of the request: the first ones of
  /// each group, after applying the offset and the limit.
  package func result<Subject: FilterSubject>(of subjects: some Sequence<Subject>) -> [Subject] {
    page(of: sorted(subjects.filter { matches($0) }))
  }

  /// Returns the first rows of each group of sorted rows, after applying the offset and the
  /// limit.
  package func page<Subject: FilterSubject>(of sorted: [Subject]) -> [Subject] {
    let rows = firstRows(of: sorted).dropFirst(request.offset)
    return Array(rows.prefix(request.limit ?? .max))
  }

  private func firstRows<Subject: FilterSubject>(of sorted: [Subject]) -> [Subject] {
    guard let limit = request.groupLimit?.count else { return sorted }
    var counts: [[FieldContent]: Int] = [:]
    return sorted.filter { subject in
      let group = groupKeys.map { $0([subject]).stored }
      let count = counts[group, default: 0]
      counts[group] = count + 1
      return count < limit
    }
  }

  /// Returns the values to sort a row by. The last one is the identity.
  package func sortValues(of subject: any FilterSubject) -> [FieldContent] {
    sortKeys.map { $0.value([subject]) }
  }

  /// Returns the selected values of a row.
  package func selectedValues(of subject: any FilterSubject) -> [FieldContent] {
    selection.map { $0([subject]).stored }
  }

  /// Returns the section of a row: the value of the first ordering, without the
  /// differences that its options ignore.
  ///
  /// - Parameter sortValues: The values to sort the row by.
  package func section(
    of subject: any FilterSubject, _ sortValues: [FieldContent]
  ) -> FieldContent {
    guard let ordering = request.orderings.first, ordering.ordering.transformsText else {
      return sortValues[0]
    }
    let content = ordering.operand.evaluation([subject])
    let options = ordering.ordering.options
    guard !options.isEmpty, case .string(let text) = content else { return content }
    return .string(text.sectionText(options))
  }

  /// Compares the sort values of two rows: negative if the first row precedes
  /// the second one, 0 if both are equal, positive otherwise.
  package func order(_ one: [FieldContent], _ other: [FieldContent]) -> Int {
    for (key, (left, right)) in zip(sortKeys, zip(one, other)) {
      let order = key.order.order(left, right)
      if order != 0 { return order }
    }
    return 0
  }
}
