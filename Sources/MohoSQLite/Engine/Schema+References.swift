import GRDB
import MohoMapping
import MohoRows

extension Schema {
  /// Returns an error that names the links to rows that do not exist, or nil if
  /// all links are valid.
  func danglingReferences(in database: Database) throws -> StoreError? {
    var links: [DanglingLink] = []
    let tables = compiled.tables.map(\.name)
    for table in tables where links.count < DanglingLink.limit {
      let violations = try Row.fetchAll(
        database,
        sql: """
          SELECT violation.rowid, violation.fkid, reference."from"
          FROM pragma_foreign_key_check(?1) violation
          JOIN pragma_foreign_key_list(?1) reference ON reference.id = violation.fkid
          LIMIT \(DanglingLink.limit - links.count)
          """, arguments: [table])
      for violation in violations {
        guard let row = Int64.fromDatabaseValue(violation[0]),
          let column = String.fromDatabaseValue(violation[2])
        else { continue }
        let value = try DatabaseValue.fetchOne(
          database,
          sql: """
            SELECT \(quotedName(column)) FROM \(quotedName(table))
            WHERE \(quotedName(entity(table)?.identityColumn ?? "rowid")) = ?
            """, arguments: [row])
        links.append(link(table: table, column: column, row: row, value: value ?? .null))
      }
    }
    guard let first = links.first else { return nil }
    return StoreError(
      .danglingReference, entity: first.entity,
      keys: links.filter { $0.entity == first.entity }.map(\.key).uniqued,
      reason: links.map(\.description).joined(separator: "; "),
      suggestion: "save the rows that are referred to in the same transaction")
  }

  private func link(
    table: String, column: String, row: Int64, value: DatabaseValue
  ) -> DanglingLink {
    if let links = compiled.linkTables.first(where: { $0.name == table }) {
      return DanglingLink(
        entity: links.source, key: links.relationship, row: nil,
        destination: column == LinkTable.column(.source) ? links.source : links.target,
        value: "\(value)")
    }
    let destination = entity(table)?.relationship(column)?.destination
    return DanglingLink(
      entity: table, key: column, row: row, destination: destination ?? "", value: "\(value)")
  }
}

/// A link to a row that does not exist.
private struct DanglingLink: CustomStringConvertible {
  /// The maximum number of links listed in an error.
  static let limit = 10

  let entity: String
  let key: String
  let row: Int64?
  let destination: String
  let value: String

  var description: String {
    let row = row.map { " of row \($0)" } ?? ""
    return "`\(entity).\(key)`\(row) refers to `\(destination)` \(value), which does not exist"
  }
}

extension [String] {
  fileprivate var uniqued: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
