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
          link(table: table, column: column, row: row, value: value ?? .null, count: count))
      }
    }
    guard let first = links.first else { return nil }
    let deletion = links.lazy.compactMap { deletionAdvice(for: $0) }.first
    return StoreError(
      .danglingReference, entity: first.entity,
      keys: links.filter { $0.entity == first.entity }.map(\.key).uniqued,
      reason: links.map(\.description).joined(separator: "; "),
      suggestion: "save the rows that are referred to in the same transaction"
        + (deletion.map { "; \($0)" } ?? ""))
  }

  /// How to delete the row that a link refers to. Nil if deleting it would clear
  /// the link.
  private func deletionAdvice(for link: DanglingLink) -> String? {
    guard
      let relationship = compiled.entity(link.entity)?.relationships
        .first(where: { $0.name == link.key }),
      !relationship.relationship.isToMany
    else { return nil }
    let rule = relationship.inverseRelationship?.deleteRule
    guard !relationship.isOptional || rule == .deny || rule == .noAction else { return nil }
    return "to delete a `\(link.destination)`, declare its relation to `\(link.entity)` with"
      + " `inverse: \"\(link.key)\", onDelete: .cascade`, or delete those rows as well"
  }

  private func link(
    table: String, column: String, row: Int64, value: DatabaseValue, count: Int
  ) -> DanglingLink {
    if let links = compiled.linkTables.first(where: { $0.name == table }) {
      return DanglingLink(
        entity: links.source, key: links.relationship, row: nil,
        destination: column == LinkTable.column(.source) ? links.source : links.target,
        value: "\(value)", count: count)
    }
    let destination = entity(table)?.relationship(column)?.destination
    return DanglingLink(
      entity: table, key: column, row: row, destination: destination ?? "", value: "\(value)",
      count: count)
  }
}

/// Links of one relationship to rows that do not exist, by one of them.
private struct DanglingLink: CustomStringConvertible {
  let entity: String
  let key: String
  let row: Int64?
  let destination: String
  let value: String
  /// The number of rows with such a link.
  let count: Int

  var description: String {
    if count > 1 {
      let example = row.map { ", such as \($0)," } ?? ""
      return "`\(entity).\(key)` of \(count) rows\(example) refers to rows that do not exist,"
        + " such as `\(destination)` \(value)"
    }
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
