import MohoMapping
import MohoRows

/// The values that are computed from the rows of each section of a result, and how they
/// are read from the store.
struct SummaryQuery: Sendable {
  /// The rows and values that a commit can change.
  let result: ResultDefinition
  let computation: LiveRows.Computation
  /// The names of the values.
  let names: [String]
  private let request: ResolvedRequest
  private let reader: any ResultReader

  /// - Returns: Nil if there are no values to compute.
  /// - Throws: A ``StoreError`` if a value cannot be computed, such as the sum of texts.
  init?(_ aggregates: RequestAggregates, isSectioned: Bool, _ reader: StoreReader) throws {
    if aggregates.aggregates.isEmpty { return nil }
    // Checks the types of the values.
    _ = try reader.order(of: aggregates)
    result = try ResultDefinition(
      aggregates.request.unpaged, isOrdered: false, selecting: aggregates.operands, of: nil,
      reader.schema)
    request = result.request.unordered
    names = aggregates.names
    computation = LiveRows.Computation(
      keyCount: isSectioned ? 1 : 0, aggregates.aggregates, request.selection)
    self.reader = try reader.session.resultReader(of: request, models: nil, isSectioned: false)
  }

  /// Passes all rows that meet the conditions to a closure, with the values that the
  /// summaries are computed from.
  ///
  /// - Throws: An ``UnreadableValue`` if a value does not have its type.
  func forEachRow(
    _ reader: StoreReader, _ body: (_ rowID: Int64, _ values: [FieldContent]) throws -> Void
  ) throws {
    try reader.session.forEachRow(of: request) { try body($0, Array($1)) }
  }

  /// Passes those of the given rows that meet the conditions to a closure, with the values
  /// that the summaries are computed from.
  ///
  /// - Throws: An ``UnreadableValue`` if a value does not have its type.
  func forEachRow(
    among rowIDs: Set<Int64>, _ reader: StoreReader,
    _ body: (_ rowID: Int64, _ values: [FieldContent]) throws -> Void
  ) throws {
    try self.reader.forEachRow(among: rowIDs, reader, body)
  }
}
