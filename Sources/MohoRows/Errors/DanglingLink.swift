import MohoMapping

/// Links of one relationship to rows that do not exist, by one of them.
package struct DanglingLink: CustomStringConvertible {
  package let entity: String
  package let key: String
  /// The identity of the row with the link, if it is known.
  let row: Int64?
  let destination: String
  let value: String
  /// The number of rows with such a link.
  let count: Int

  package var description: String {
    if count > 1 {
      let example = row.map { ", such as \($0)," } ?? ""
      return "`\(entity).\(key)` of \(count) rows\(example) refers to rows that do not exist,"
        + " such as `\(destination)` \(value)"
    }
    let row = row.map { " of row \($0)" } ?? ""
    return "`\(entity).\(key)`\(row) refers to `\(destination)` \(value), which does not exist"
  }
}

extension Schema {
  /// Returns the link in a column of an entity's table or a link table.
  ///
  /// - Parameter value: The identity of the row that does not exist.
  package func danglingLink(
    table: String, column: String, row: Int64?, value: String, count: Int = 1
  ) -> DanglingLink {
    if let links = compiled.linkTables.first(where: { $0.name == table }) {
      return DanglingLink(
        entity: links.source, key: links.relationship, row: nil,
        destination: column == LinkTable.column(.source) ? links.source : links.target,
        value: value, count: count)
    }
    let destination = entity(table)?.relationship(column)?.destination
    return DanglingLink(
      entity: table, key: column, row: row, destination: destination ?? "", value: value,
      count: count)
  }

  /// Returns the error for links to rows that do not exist, or nil if there are
  /// none.
  package func error(
    for links: [DanglingLink], underlying: (any Error)? = nil
  ) -> StoreError? {
    guard let first = links.first else { return nil }
    let deletion = links.lazy.compactMap { deletionAdvice(for: $0) }.first
    return StoreError(
      .danglingReference, entity: first.entity,
      keys: links.filter { $0.entity == first.entity }.map(\.key).uniqued,
      reason: links.map(\.description).joined(separator: "; "),
      suggestion: "save the rows that are referred to in the same transaction"
        + (deletion.map { "; \($0)" } ?? ""),
      underlying: underlying)
  }

  /// How to delete the row that a link refers to. Nil if deleting it would clear
  /// the link.
  private func deletionAdvice(for link: DanglingLink) -> String? {
    guard
      let relationship = compiled.entity(link.entity)?.relationships
        .first(where: { $0.name == link.key }),
      !relationship.relationship.isToMany
    else { return nil }
    let rule = relationship.targetDeleteRule
    guard !relationship.isOptional || rule == .deny || rule == .noAction else { return nil }
    return "to delete a `\(link.destination)`, declare `\(link.entity).\(link.key)` with"
      + " `whenTargetIsDeleted: .cascade`, or delete those rows as well"
  }
}

extension [String] {
  fileprivate var uniqued: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
