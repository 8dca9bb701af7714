import GRDBSQLite

/// The indexes of the columns of a statement, by name.
///
/// As in SQL, the case of ASCII letters does not matter. If several columns have
/// the same name, the first one is used.
struct ColumnIndexes {
  private var indexes: [[UInt8]: Int32] = [:]

  init(of statement: OpaquePointer) {
    for column in (0..<sqlite3_column_count(statement)).reversed() {
      guard let name = sqlite3_column_name(statement, column) else { continue }
      indexes[Self.key(String(cString: name))] = column
    }
  }

  subscript(name: String) -> Int32? { indexes[Self.key(name)] }

  private static func key(_ name: String) -> [UInt8] {
    name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }
}
