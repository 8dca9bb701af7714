import GRDBSQLite
import MohoMapping
import MohoRows

/// The columns of a query that have the names of a model's keys.
///
/// As in SQL, the case of ASCII letters does not matter. If several columns have
/// the same name, the first one is used.
struct NamedColumns {
  /// The columns of the keys, by the indexes of the keys.
  let keys: [Int32?]
  /// The column with the identities of rows.
  let identity: Int32?
  /// The indexes of the stored keys without a column. To-many relations have
  /// none: they are read with the identity.
  let unreadKeys: Set<Int>

  init(of statement: OpaquePointer, for node: ModelBinding) {
    var columns: [[UInt8]: Int32] = [:]
    for column in (0..<sqlite3_column_count(statement)).reversed() {
      guard let name = sqlite3_column_name(statement, column) else { continue }
      columns[String(cString: name).lowercasedASCII] = column
    }
    let identity = columns[node.entity.identityColumn.lowercasedASCII]
    self.identity = identity
    let keys = node.table.keys.indices.map { index in
      node.keys[index].isColumn ? columns[node.table.keys[index].name.lowercasedASCII] : nil
    }
    self.keys = keys
    unreadKeys = Set(
      keys.indices.filter { index in
        switch node.keys[index] {
        case .unstored: false
        case .link where !node.keys[index].isColumn: identity == nil
        case .link, .column: keys[index] == nil
        }
      })
  }

  /// Checks that a whole model can be read.
  ///
  /// - Throws: A `StoreError` that lists the missing columns.
  func check(for node: ModelBinding) throws {
    var missing = unreadKeys.sorted().filter { node.keys[$0].isColumn }
      .map { node.table.keys[$0].name }
    if identity == nil, !node.links.isEmpty { missing.append(node.entity.identityColumn) }
    if missing.isEmpty { return }
    let names = missing.map { "`\($0)`" }.joined(separator: ", ")
    throw StoreError(
      .invalidRequest, subject: "`\(node.name)`", reason: "the SQL returns no column \(names)",
      suggestion: "select all columns of the table, or fetch partial models")
  }
}

extension String {
  fileprivate var lowercasedASCII: [UInt8] {
    utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }
}
