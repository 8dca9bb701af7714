import Foundation
import GRDBSQLite
import MohoMapping

/// A value of a column, kept beyond the step of its statement.
enum StoredValue: Sendable, Equatable {
  case null
  case integer(Int64)
  case number(Double)
  case text(String)
  /// Text whose bytes are no UTF-8.
  case invalidText
  case blob(Data)
}

extension StoredValue {
  // SAFETY: The statement stands on a row, and the bytes that SQLite points to
  // stay until it moves on; they are copied before.
  init(_ statement: OpaquePointer, _ column: Int32) {
    let value = sqlite3_column_value(statement, column)
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: self = .number(sqlite3_value_double(value))
    case SQLITE_TEXT:
      let start = sqlite3_value_text(value)
      let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
      self = String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .invalidText
    case SQLITE_BLOB:
      let start = sqlite3_value_blob(value)
      let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
      self = .blob(Data(bytes))
    default: self = .null
    }
  }
}

extension StoredValue: CustomStringConvertible {
  /// The value as messages show it.
  var description: String {
    switch self {
    case .null: "null"
    case .integer(let value): "integer \(value)"
    case .number(let value): "number \(value)"
    case .text(let value): "text " + MohoMapping.quoted(value)
    case .invalidText: "text of other bytes than UTF-8"
    case .blob(let value): "\(value.count) bytes"
    }
  }
}

/// A row of a graph that is being read, and what it is linked to.
// A class: rows that are linked to the same row share it.
final class StoredRow {
  let node: ModelNode
  let id: Int64
  /// The values of the columns, by the positions of the mapping's keys.
  let values: [StoredValue]
  /// What the keys that link rows lead to, once it is read.
  var related: [Int: [RelatedItem]] = [:]

  /// Reads the row that a statement stands on, which selects the columns of
  /// ``ModelNode/selection(from:)`` from a position on.
  init(_ node: ModelNode, _ statement: OpaquePointer, from first: Int32) {
    self.node = node
    values = node.keys.indices.map { index in
      if case .transient = node.keys[index] { return .null }
      return StoredValue(statement, first + Int32(index))
    }
    id = sqlite3_column_int64(statement, first + Int32(node.keys.count))
  }

  /// How messages name the row: by its model and unique key.
  var description: String {
    let key: String =
      switch node.unique.map({ values[$0] }) {
      case .integer(let value): "\(value)"
      case .text(let value): MohoMapping.quoted(value)
      default: "\(id)"
      }
    return "`\(node.name)` \(key)"
  }
}

/// What a link leads to.
enum RelatedItem {
  /// The row of a nested model.
  case row(StoredRow)
  /// The unique key of a reference.
  case key(StoredValue)
}

extension ModelNode {
  /// The select list of a row, of a table by its name or alias: the columns by
  /// the positions of the keys, then the identity.
  func selection(from table: String) -> String {
    let columns = zip(keys, self.table.keys).map { key, mapping in
      switch key {
      case .transient: "NULL"
      case .column: "\(table).\(quoted(mapping.name))"
      case .link(let link): link.link == .column ? "\(table).\(link.column)" : "NULL"
      }
    }
    return (columns + ["\(table).\(identity)"]).joined(separator: ", ")
  }
}
