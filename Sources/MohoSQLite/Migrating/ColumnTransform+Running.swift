import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows

private let batchSize = 1_000

// Strict tables accept only values of the old type, so the new values are
// written to an additional column that accepts any type. The final rebuild of
// the table copies them from there.
extension ColumnTransform {
  func run(
    _ database: Database, _ stored: StoredSchema, progress: (Int) throws -> Void
  ) throws {
    guard let table = stored.table(entity), stored.isOwned(entity) else {
      throw StoreError.missingEntity(entity)
    }
    let interim = ReservedName.interimColumn(newKey)
    guard let column = table.valueColumn(of: key) else {
      throw missingColumnError
    }
    guard !column.isIdentity, table.column(newKey)?.isIdentity != true else {
      throw identityError
    }
    let name = quotedName(table.name)
    if table.column(interim) == nil {
      try database.execute(sql: "ALTER TABLE \(name) ADD COLUMN \(quotedName(interim)) ANY")
    }
    let identity = quotedName(table.identityColumn)
    let select = try PreparedStatement(
      database,
      """
      SELECT \(identity), \(quotedName(column.name)) FROM \(name)
      WHERE \(identity) >= ? ORDER BY \(identity) LIMIT \(batchSize)
      """)
    let update = try PreparedStatement(
      database, "UPDATE \(name) SET \(quotedName(interim)) = ? WHERE \(identity) = ?")
    var (next, count): (Int64?, Int) = (.min, 0)
    while let first = next {
      next = nil
      try select.bind(first, at: 1)
      var rows: [(id: Int64, value: StoredValue)] = []
      try select.forEachRow { rows.append((sqlite3_column_int64($0, 0), StoredValue($0, 1))) }
      for (id, value) in rows {
        try update.bind([transform(value.content), .int64(id)])
        try update.execute()
        count += 1
        next = id == .max ? nil : id + 1
      }
      try progress(count)
    }
  }
}
