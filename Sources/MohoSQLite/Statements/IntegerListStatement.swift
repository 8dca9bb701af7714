import GRDB
import MohoMapping
import MohoRows
import Synchronization

/// The cached statements of a query with a list of integers, for lists of any
/// length.
final class IntegerListStatement: Sendable {
  private let query: SQLListQuery

  /// The statements for lists of up to 1, 2, 4 … integers, followed by a
  /// statement for longer lists.
  private let statements: Lock<[CachedStatement?]>

  /// The binary logarithm of the maximum length for which each integer has its
  /// own parameter.
  private static let parameterBits = 6

  init(_ query: SQLListQuery) {
    self.query = query
    statements = Lock(Array(repeating: nil, count: Self.parameterBits + 2))
  }

  /// Returns the statement for a list, after binding all values.
  func prepared(
    for values: some Collection<Int64>, on database: Database
  ) throws -> PreparedStatement {
    let count = max(1, values.count)
    let bits = min(Int.bitWidth - (count - 1).leadingZeroBitCount, Self.parameterBits + 1)
    let prepared = try statement(bits: bits).prepared(on: database)
    guard bits <= Self.parameterBits else {
      try prepared.bind(SQLListQuery.json(values), at: 1)
      return prepared
    }
    // Repeat the last integer up to a power of two, because each length has its
    // own statement.
    var (parameter, last): (Int32, Int64) = (1, 0)
    for value in values {
      try prepared.bind(value, at: parameter)
      (parameter, last) = (parameter + 1, value)
    }
    while parameter <= 1 << bits {
      try prepared.bind(last, at: parameter)
      parameter += 1
    }
    return prepared
  }

  private func statement(bits: Int) -> CachedStatement {
    statements.withLock { statements in
      if let statement = statements[bits] { return statement }
      let first = query.arguments.count + 1
      let list =
        bits > Self.parameterBits
        ? "SELECT value FROM json_each(?\(first))"
        : (0..<1 << bits).map { "?\(first + $0)" }.joined(separator: ", ")
      let sql = "\(query.head) IN (\(list))\(query.tail)"
      let statement = CachedStatement(SQLQuery(sql, query.arguments))
      statements[bits] = statement
      return statement
    }
  }
}

extension SQLListQuery {
  /// Returns the argument of `json_each` for a list of integers. A single
  /// parameter works for lists of any length.
  static func json(_ values: some Collection<Int64>) -> String {
    var text = "["
    text.reserveCapacity(values.count * 8)
    for value in values {
      if text.utf8.count > 1 { text += "," }
      text += String(value)
    }
    return text + "]"
  }
}
