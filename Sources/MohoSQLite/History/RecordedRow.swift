import Foundation
import GRDBSQLite
import MohoRows

/// A recorded change of a row, or the net change of several.
struct RecordedRow {
  /// The number of the last change.
  private(set) var sequence: Int64
  private(set) var time: Int64
  let entity: String
  let row: Int64
  /// The kind of the change, or nil if there is no net change.
  private(set) var kind: HistoryChange.Kind?
  private(set) var keys: Set<String>
  /// The unique key of a deleted row, as it was recorded.
  private(set) var key: StoredValue

  init(_ statement: OpaquePointer) {
    sequence = sqlite3_column_int64(statement, 0)
    time = HistoryDate.milliseconds(sqlite3_column_double(statement, 1))
    entity = SQLiteValue(statement, 2).string ?? ""
    row = sqlite3_column_int64(statement, 3)
    kind =
      switch RecordedChange(rawValue: sqlite3_column_int64(statement, 4)) {
      case .insert: .inserted
      case .update: .updated
      case .delete: .deleted
      case nil: nil
      }
    keys = HistoryKeys.names(SQLiteValue(statement, 5).string ?? "")
    key = StoredValue(statement, 6)
  }

  /// Adds a later change of the row, which has not been deleted.
  mutating func append(_ later: RecordedRow) {
    sequence = later.sequence
    time = later.time
    keys.formUnion(later.keys)
    if later.kind == .deleted {
      kind = kind == .inserted ? nil : .deleted
      key = later.key
    } else if kind == .updated, later.kind == .inserted {
      kind = .inserted
    }
  }
}

extension [RecordedRow] {
  /// The changes of each row from its insertion to its deletion, as one change.
  var netRows: [RecordedRow] {
    var rows: [RecordedRow] = []
    var indices: [RowIdentity: Int] = [:]
    for change in self {
      let row = RowIdentity(entity: change.entity, stored: change.row)
      if let index = indices[row] {
        rows[index].append(change)
      } else {
        indices[row] = rows.count
        rows.append(change)
      }
      if change.kind == .deleted { indices[row] = nil }
    }
    return rows
  }
}
