import MohoMapping
import Synchronization

/// The rows that a commit has written, by table and row. They are read once for all
/// observers of the commit.
final class RowDeltaCache: Sendable {
  private let tables = Lock<[String: [Int64: RowDelta]]>([:])

  /// Returns the rows of a table. Calls a closure to read them the first time.
  func rows(of table: String, read: () throws -> [Int64: RowDelta]) rethrows -> [Int64: RowDelta] {
    if let known = tables.withLock({ $0[table] }) { return known }
    let rows = try read()
    tables.withLock { $0[table] = rows }
    return rows
  }
}
