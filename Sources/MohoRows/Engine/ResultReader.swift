package import MohoMapping

/// Reads the rows of one result: of all rows that meet the conditions of a
/// request, in its order. Limit and offset are ignored.
///
/// An engine keeps the prepared statements of a result here. Each call reads the
/// state of the transaction of its `reader`.
package protocol ResultReader: AnyObject, Sendable {
  /// Passes the identities of all rows of the result to a closure, in order and
  /// in batches. The rows of a batch have the same section, nil without a section
  /// key.
  ///
  /// - Parameter limit: The maximum number of rows.
  /// - Complexity: O(*n*) in the number of rows, plus the time of sorting them if
  ///   no index has the order.
  func scan(
    _ reader: StoreReader, limit: Int?,
    _ body: (_ rowIDs: [Int64], _ section: FieldContent?) throws -> Void
  ) throws

  /// The rows of a list that are in the result, in order, with their
  /// predecessors; nil if one statement cannot find these.
  ///
  /// - Complexity: O(*k* log *n*) for *k* rows.
  func positions(of rowIDs: Set<Int64>, _ reader: StoreReader) throws -> [PositionedRow]?

  /// The rows of a list that are in the result, in order, with the values that
  /// order them.
  ///
  /// - Complexity: O(*k* log *n*) for *k* rows.
  func evaluate(_ rowIDs: Set<Int64>, _ reader: StoreReader) throws -> any EvaluatedRows

  /// The models of rows, with their identities, in no particular order. Rows that
  /// do not exist are omitted.
  ///
  /// - Throws: `MappingError` if a row is not a model.
  func models<Model: MappedModel>(
    of model: Model.Type, rowIDs: [Int64], _ reader: StoreReader
  ) throws -> (rowIDs: [Int64], models: [Model])
}

/// A row of a result with its position.
package struct PositionedRow: Sendable {
  package let rowID: Int64
  /// The row directly before it, or nil if it is the first.
  package let predecessor: Int64?
  /// The value of the section key, or null.
  package let section: FieldContent

  package init(rowID: Int64, predecessor: Int64?, section: FieldContent) {
    self.rowID = rowID
    self.predecessor = predecessor
    self.section = section
  }
}

/// Rows of a result, in order, with the values that order them. Valid during the
/// transaction in which they were read.
package protocol EvaluatedRows {
  var rowIDs: [Int64] { get }

  /// The value of the section key of a row, or null.
  func section(ofRowAt index: Int) -> FieldContent

  /// Whether an index finds predecessors.
  var hasIndex: Bool { get }

  /// The row directly before a row, by the index; nil if the row is the first.
  func predecessor(ofRowAt index: Int) throws -> Int64?

  /// Whether a stored row comes before a row. False if it does not exist.
  func precedes(_ rowID: Int64, rowAt index: Int) throws -> Bool
}
