import GRDB
import MohoMapping
import MohoRows

extension Schema {
  /// Returns an error that names the links to rows that do not exist, or nil if
  /// all links are valid.
  func danglingReferences(in database: Database) throws -> StoreError? {
    var links: [DanglingLink] = []
    for table in compiled.tables.map(\.name) {
      // One link for each foreign key: a deleted row can leave any number.
      let violations = try Row.fetchAll(
        database,
        sql: """
          SELECT min(violation.rowid), reference."from", count(*)
          FROM pragma_foreign_key_check(?1) violation
          JOIN pragma_foreign_key_list(?1) reference ON reference.id = violation.fkid
          GROUP BY violation.fkid
          """, arguments: [table])
      for violation in violations {
        guard let row = Int64.fromDatabaseValue(violation[0]),
          let column = String.fromDatabaseValue(violation[1]),
          let count = Int.fromDatabaseValue(violation[2])
        else { continue }
        let value = try DatabaseValue.fetchOne(
          database,
          sql: """
            SELECT \(quotedName(column)) FROM \(quotedName(table))
            WHERE \(quotedName(entity(table)?.identityColumn ?? "rowid")) = ?
            """, arguments: [row])
        links.append(
          danglingLink(
            table: table, column: column, row: row, value: "\(value ?? .null)", count: count))
      }
    }
    return error(for: links)
  }
}
