import MohoMapping

/// Links of one relationship to rows that do not exist, by the first of them.
package struct DanglingLink: CustomStringConvertible {
  package let entity: String
  package let key: String
  /// The identities of the first rows with the links, if they are known, and the identities
  /// of the rows that do not exist.
  let rows: [(row: Int64?, value: String)]
  let destination: String
  /// The number of rows with such a link.
  let count: Int

  package var description: String {
    guard count > 1 else { return description(of: rows.first ?? (nil, "")) }
    let examples = rows.prefix(5).compactMap(\.row).map { "\($0)" }
    let example = examples.isEmpty ? "" : ", such as \(examples.joined(separator: ", ")),"
    return "`\(entity).\(key)` of \(count) rows\(example) refers to rows that do not exist,"
      + " such as `\(destination)` \(rows.first?.value ?? "")"
  }

  fileprivate func description(of row: (row: Int64?, value: String)) -> String {
    Self.description("`\(entity).\(key)`", of: row.row, to: destination, row.value)
  }

  /// The message about one row, if its identity is known.
  static func description(
    _ key: String, of row: Int64?, to destination: String, _ value: String
  ) -> String {
    let name = row.map { " of row \($0)" } ?? ""
    return "\(key)\(name) refers to `\(destination)` \(value), which does not exist"
  }
}

extension Schema {
  /// Returns the link in a column of an entity's table or a link table.
  ///
  /// - Parameter rows: The identities of the first rows with such links, and of the rows that
  ///   do not exist.
  package func danglingLink(
    table: String, column: String, rows: [(row: Int64?, value: String)], count: Int = 1
  ) -> DanglingLink {
    if let links = compiled.linkTables.first(where: { $0.name == table }) {
      return DanglingLink(
        entity: links.source, key: links.relationship, rows: rows.map { (nil, $0.value) },
        destination: column == LinkTable.column(.source) ? links.source : links.target,
        count: count)
    }
    let destination = entity(table)?.relationship(column)?.destination
    return DanglingLink(
      entity: table, key: column, rows: rows, destination: destination ?? "", count: count)
  }

  /// Returns the error for links to rows that do not exist, or nil if there are
  /// none.
  package func error(
    for links: [DanglingLink], underlying: (any Error)? = nil
  ) -> StoreError? {
    guard let first = links.first else { return nil }
    let deletion = links.lazy.compactMap { deletionAdvice(for: $0) }.first
    let suggestion =
      "save the rows that are referred to in the same transaction"
      + (deletion.map { "; \($0)" } ?? "")
    let errors = links.flatMap { link in
      link.rows.map { row in
        StoreError(
          .danglingReference, entity: link.entity, keys: [link.key],
          reason: link.description(of: row), suggestion: suggestion, underlying: underlying)
      }
    }
    var error = StoreError(
      .danglingReference, entity: first.entity,
      keys: links.filter { $0.entity == first.entity }.map(\.key).uniqued,
      reason: links.map(\.description).joined(separator: "; "), suggestion: suggestion,
      underlying: underlying)
    error.summarize(Array(errors.prefix(WriteFailures.limit)))
    return error
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
