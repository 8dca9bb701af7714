import MohoMapping
import MohoRows

/// Rows of a result, in order.
struct PostgresEvaluatedRows: EvaluatedRows {
  let rowIDs: [Int64]
  private let sections: [FieldContent]
  private let precede: (_ pairs: [(one: Int64, other: Int64)]) throws -> [Bool]

  /// - Parameter precede: A closure that returns, for each pair of rows, whether the
  ///   first one precedes the second one.
  init(
    _ rows: [(rowID: Int64, section: FieldContent)],
    precede: @escaping (_ pairs: [(one: Int64, other: Int64)]) throws -> [Bool]
  ) {
    rowIDs = rows.map(\.rowID)
    sections = rows.map(\.section)
    self.precede = precede
  }

  /// False: `PostgresResultReader/positions(of:_:)` finds predecessors in an index.
  var hasIndex: Bool { false }

  /// A round trip to the server takes about as long as these comparisons.
  var comparisonsPerStatement: Int { 64 }

  func section(ofRowAt index: Int) -> FieldContent { sections[index] }

  func predecessor(ofRowAt index: Int) throws -> Int64? { nil }

  func compare(_ comparisons: [(stored: Int64, index: Int)]) throws -> [Bool] {
    try precede(comparisons.map { ($0.stored, rowIDs[$0.index]) })
  }
}
