import MohoMapping
import Synchronization

/// The values of one row before and after a commit.
package struct RowDelta: Sendable, Equatable {
  package let before: RowWriteSet.RecordedRow
  package let after: RowWriteSet.RecordedRow

  package init(before: RowWriteSet.RecordedRow, after: RowWriteSet.RecordedRow) {
    self.before = before
    self.after = after
  }

  /// Whether the row was inserted or deleted.
  package var isInsertedOrDeleted: Bool { (before == .absent) != (after == .absent) }

  /// Whether the values before and after are available and equal.
  package var isUnchanged: Bool { before == after && before != .unknown }

  /// Returns the names of the columns whose values differ. Returns nil if the
  /// values are not available, or if the row was inserted or deleted.
  package func columns(among names: [String]) -> Set<String>? {
    guard case .row(let old) = before, case .row(let new) = after,
      old.count == names.count, new.count == names.count
    else { return nil }
    return Set(names.indices.filter { old[$0] != new[$0] }.map { names[$0] })
  }
}

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
