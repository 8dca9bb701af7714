package import MohoMapping

/// Reads the rows of a result, in order. The result contains all rows that
/// satisfy the conditions of a request. Limit and offset are ignored.
///
/// An engine caches the prepared statements of a result in its reader. Each
/// call reads the state of the transaction of the `reader` argument. Transactions on
/// different threads may use a reader at the same time.
package protocol ResultReader: AnyObject, Sendable {
  /// Calls a closure with the identities of all rows of the result, in order
  /// and in batches. The rows of a batch have the same section, which is nil
  /// without a section key. A section may have several batches.
  ///
  /// - Parameter limit: The maximum number of rows, or nil for all rows.
  /// - Throws: The errors of the closure.
  /// - Complexity: O(*n*), where *n* is the number of rows. If no index has the
  ///   order, the rows are also sorted.
  func scan(
    _ reader: StoreReader, limit: Int?,
    _ body: (_ rowIDs: [Int64], _ section: FieldContent?) throws -> Void
  ) throws

  /// Returns those of the given rows that are in the result, in order, with
  /// their predecessors.
  ///
  /// The predecessor of a row is the row directly before it in the result. If several of
  /// the given rows are consecutive, the row before the first of them may be the
  /// predecessor of all.
  ///
  /// - Parameter search: Finds the predecessors by comparing rows, if no index of the
  ///   database finds them.
  /// - Throws: The errors of `search`, unchanged.
  /// - Complexity: O(*k* log *n*) for *k* rows in a result of *n* rows.
  func place(
    _ rowIDs: Set<Int64>, _ reader: StoreReader, searching search: PredecessorSearch
  ) throws -> [PositionedRow]

  /// Passes those of the given rows that are in the result to a closure, in no
  /// particular order, with the values that the request of the result selects.
  ///
  /// - Throws: An ``UnreadableValue`` if a value does not have its type. The errors of
  ///   the closure.
  /// - Complexity: O(*k* log *n*) for *k* rows in a result of *n* rows.
  func forEachRow(
    among rowIDs: Set<Int64>, _ reader: StoreReader,
    _ body: (_ rowID: Int64, _ values: [FieldContent]) throws -> Void
  ) throws

  /// Returns the models of rows, with their identities, in no particular order. The rows
  /// need not be in the result. Rows that do not exist are omitted.
  ///
  /// - Parameter model: The type with which the reader was created.
  /// - Throws: A `MappingError` if a row cannot be read as a model, or a ``StoreError``
  ///   with the code ``StoreError/Code/cycle`` if it contains itself.
  func models<Model: MappedModel>(
    of model: Model.Type, rowIDs: [Int64], _ reader: StoreReader
  ) throws -> (rowIDs: [Int64], models: [Model])
}

extension ResultReader {
  /// Returns those of the given rows that are in the result.
  ///
  /// - Complexity: As ``forEachRow(among:_:_:)``.
  package func members(among rowIDs: Set<Int64>, _ reader: StoreReader) throws -> Set<Int64> {
    var members: Set<Int64> = []
    try forEachRow(among: rowIDs, reader) { rowID, _ in members.insert(rowID) }
    return members
  }
}

/// A row of a result with its position.
package struct PositionedRow: Sendable {
  package let rowID: Int64
  /// The identity of the preceding row, or nil if the row is the first one. See
  /// ``ResultReader/place(_:_:searching:)``.
  package let predecessor: Int64?
  /// The value of the section key, or null without a section key.
  package let section: FieldContent

  package init(rowID: Int64, predecessor: Int64?, section: FieldContent) {
    self.rowID = rowID
    self.predecessor = predecessor
    self.section = section
  }
}

/// Returns, for each of several rows, the last of the other rows of the result that
/// precedes it. Nil if a row is the first one.
///
/// - Parameters:
///   - count: The number of rows to place, in the order of the result.
///   - comparisons: The number of comparisons that cost about as much as a single one.
///   - precede: Returns, for each comparison, whether a stored row precedes the row to
///     place at a position, from 0 to `count` - 1. False if the stored row does not
///     exist.
package typealias PredecessorSearch = (
  _ count: Int, _ comparisons: Int,
  _ precede: ([(rowID: Int64, position: Int)]) throws -> [Bool]
) throws -> [Int64?]
