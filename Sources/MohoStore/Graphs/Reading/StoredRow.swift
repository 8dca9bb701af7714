import GRDBSQLite
import MohoMapping

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
      if case .unstored = node.keys[index] { return .null }
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
      case .unstored: "NULL"
      case .column: "\(table).\(quoted(mapping.name))"
      case .link(let link): link.link == .column ? "\(table).\(link.column)" : "NULL"
      }
    }
    return (columns + ["\(table).\(identity)"]).joined(separator: ", ")
  }
}
