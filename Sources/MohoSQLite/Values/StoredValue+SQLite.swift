import Foundation
import GRDBSQLite
import MohoMapping
import MohoRows

extension StoredValue {
  init(_ value: SQLiteValue) {
    switch value.type {
    case SQLITE_INTEGER: self = .integer(value.int64)
    case SQLITE_FLOAT: self = .number(value.double)
    case SQLITE_TEXT:
      self = value.string.map { .text($0) } ?? .invalidText(Data(value.bytes))
    case SQLITE_BLOB: self = .blob(Data(value.bytes))
    default: self = .null
    }
  }

  /// Copies the value of a column of the current row of a statement.
  init(_ statement: OpaquePointer, _ column: Int32) { self.init(SQLiteValue(statement, column)) }
}

extension StoredRow {
  /// Reads the current row of a statement that selects the columns of
  /// `ModelNode.selection(in:)`.
  convenience init(_ node: ModelNode, _ statement: OpaquePointer) {
    self.init(node, StoredValue.row(of: statement, from: 0, count: node.keys.count + 1))
  }

  /// Reads the current row of a statement from columns in any order.
  convenience init(_ node: ModelNode, _ statement: OpaquePointer, _ columns: NamedColumns) {
    self.init(
      node,
      values: columns.keys.enumerated().map { index, column in
        column.map { columns.affinities[index].converting(StoredValue(statement, Int32($0))) }
          ?? .null
      },
      identity: columns.identity.map { StoredValue(statement, Int32($0)) } ?? .null,
      unreadKeys: columns.unreadKeys)
  }
}

extension StoredValue {
  /// Copies the values of the current row of a statement, starting at a column.
  static func row(of statement: OpaquePointer, from first: Int32, count: Int) -> [StoredValue] {
    (0..<Int32(count)).map { StoredValue(statement, first + $0) }
  }
}
