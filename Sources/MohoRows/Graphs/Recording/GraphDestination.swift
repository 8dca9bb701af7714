import MohoMapping

/// What a ``GraphRecording`` records for: the batch of a database, or an editing context.
protocol GraphDestination: AnyObject {
  /// Adds the row of a recorded model. Nested rows have been added before, except those that
  /// the row identifies.
  ///
  /// - Returns: The row that is written for the model.
  func add(_ row: GraphRow) -> GraphRow

  /// Whether a row is merged with stored ones after all models have been recorded.
  func isMerged(_ row: GraphRow) -> Bool

  /// Whether rows have ``GraphRow/incoming`` contents, because each one is merged when it is
  /// written.
  var mergesWrittenRows: Bool { get }

  /// Removes links of a nested model to the model that contains it, because the containing model
  /// decides about them.
  ///
  /// - Parameters:
  ///   - inverse: The link of the nested model.
  ///   - link: The link of the containing model.
  func remove(_ inverse: NodeLink, of row: GraphRow, against link: NodeLink)

  /// Returns the form in which a column stores a content.
  ///
  /// - Parameter isUnsigned: Whether integers may be greater than `Int64.max`.
  /// - Throws: A `MappingError` without a path if no column can store the content.
  func stored(_ content: FieldContent, isUnsigned: () -> Bool) throws -> FieldContent

  /// Checks the number of links of a model.
  ///
  /// - Throws: A `MappingError` without a path.
  func checkCount(_ count: Int, of link: NodeLink) throws
}

extension GraphBatch: GraphDestination {
  var mergesWrittenRows: Bool { false }

  func remove(_ inverse: NodeLink, of row: GraphRow, against link: NodeLink) {
    row.members[inverse.index] = nil
  }

  func stored(_ content: FieldContent, isUnsigned: () -> Bool) throws -> FieldContent {
    try schema.storable(content, isUnsigned: isUnsigned)
  }

  func checkCount(_ count: Int, of link: NodeLink) throws {
    guard case .replace = link.relation.linkPolicy, let range = link.relation.count,
      !range.contains(count)
    else { return }
    throw MappingError(
      .invalidValue, found: "\(count)",
      expected: "\(range.lowerBound) to \(range.upperBound) models")
  }
}

/// The rows of models that an editing context writes. It merges and validates them then.
final class ContextRows: GraphDestination {
  private(set) var rows: [GraphRow] = []

  init() {}

  deinit { for row in rows { row.unlink() } }

  @discardableResult
  func add(_ row: GraphRow) -> GraphRow {
    rows.append(row)
    return row
  }

  func isMerged(_ row: GraphRow) -> Bool { false }

  var mergesWrittenRows: Bool { true }

  func remove(_ inverse: NodeLink, of row: GraphRow, against link: NodeLink) {
    // The context writes other links of both models.
    guard link.relationship.identifiesDestination || row.targets(of: inverse)?.isEmpty == true
    else { return }
    row.toOneTargets[inverse.index] = nil
    row.members[inverse.index] = nil
  }

  func stored(_ content: FieldContent, isUnsigned: () -> Bool) -> FieldContent { content }

  func checkCount(_ count: Int, of link: NodeLink) {}
}
