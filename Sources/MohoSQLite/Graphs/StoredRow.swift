import GRDBSQLite
import MohoMapping
import MohoRows

/// A row of a graph that is being read, with its related rows.
// A class, because all rows that are linked to the row share it.
final class StoredRow {
  let node: ModelBinding
  /// The identity, or 0 if it was not read.
  let id: Int64
  /// Whether the row has the values of its table. A row of an SQL query may have
  /// others, and may lack keys.
  let isFromTable: Bool
  /// The values of the columns, by the indexes of the keys.
  let values: [SQLiteValueCopy]
  /// The indexes of the stored keys that were not read.
  let unreadKeys: Set<Int>
  /// The related rows, by the indexes of the keys. Empty until they are read.
  var related: [Int: [RelatedItem]] = [:]

  /// Reads the current row of a statement that selects the columns of
  /// `ModelBinding.selection(in:)`, starting at a column.
  init(_ node: ModelBinding, _ statement: OpaquePointer, from first: Int32) {
    self.node = node
    values = node.keys.indices.map { index in
      if case .unstored = node.keys[index] { return .null }
      return SQLiteValueCopy(statement, first + Int32(index))
    }
    id = sqlite3_column_int64(statement, first + Int32(node.keys.count))
    isFromTable = true
    unreadKeys = []
  }

  /// Reads the current row of a statement from columns in any order.
  init(_ node: ModelBinding, _ statement: OpaquePointer, _ columns: NamedColumns) {
    self.node = node
    values = columns.keys.map { $0.map { SQLiteValueCopy(statement, $0) } ?? .null }
    id = columns.identity.map { sqlite3_column_int64(statement, $0) } ?? 0
    isFromTable = false
    unreadKeys = columns.unreadKeys
  }

  /// Whether the value of a key was not read, or is not stored.
  func lacks(_ index: Int) -> Bool {
    if case .unstored = node.keys[index] { return true }
    return unreadKeys.contains(index)
  }

  /// The description of the row in messages: its model and unique key.
  var description: String {
    let key: String =
      switch node.unique.count == 1 ? values[node.unique[0]] : nil {
      case .integer(let value): "\(value)"
      case .text(let value): quoted(value)
      default: "\(id)"
      }
    return "`\(node.name)` \(key)"
  }
}

/// The target of a link.
enum RelatedItem {
  /// The row of a nested model.
  case row(StoredRow)
  /// The unique key of a reference.
  case key(SQLiteValueCopy)
  /// The values of several identifying keys of a reference.
  indirect case keys([RelatedItem])
}
