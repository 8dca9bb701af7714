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

  /// The values of the rows in the store.
  func storedValues(_ reader: StoreReader) -> StoredValues {
    StoredValues(query: self, reader: reader)
  }

  /// Reads the values from the store.
  struct StoredValues: SummaryValues {
    fileprivate let query: SummaryQuery
    fileprivate let reader: StoreReader

    func forEachRow(_ body: Body) throws {
      try reader.session.forEachRow(of: query.request) { try body($0, Array($1)) }
    }

    func forEachRow(among rows: Set<Int64>, _ body: Body) throws {
      try query.reader.forEachRow(among: rows, reader, body)
    }
  }
}

/// The values of rows that summaries are computed from.
protocol SummaryValues {
  typealias Body = (_ row: Int64, _ values: [FieldContent]) throws -> Void

  /// Passes all rows that meet the conditions to a closure, with their values.
  ///
  /// - Throws: An ``UnreadableValue`` if a value does not have its type.
  func forEachRow(_ body: Body) throws

  /// Passes those of the given rows that meet the conditions to a closure, with their
  /// values.
  ///
  /// - Throws: An ``UnreadableValue`` if a value does not have its type.
  func forEachRow(among rows: Set<Int64>, _ body: Body) throws
}
