/// A table of a schema, as commits tell of its rows.
struct RecordedTable: Sendable, Hashable {
  let name: String

  /// The column with the identities of the rows.
  let identity: String

  /// The columns whose fingerprints are kept of a row as it was.
  let columns: [String]

  /// Which of them hold the identity of a row that is linked to.
  let links: [Int]

  /// Further columns of the store's own: positions among rows that are linked
  /// to one.
  let positions: [String]
}

extension Schema {
  /// The tables that the store keeps rows and links in.
  var recordedTables: [RecordedTable] {
    entities.map { entity in
      let columns = columnNames(of: entity)
      return RecordedTable(
        name: entity.name, identity: entity.identityColumn, columns: columns,
        links: Array(entity.attributes.count..<columns.count),
        positions: entity.relationships.compactMap { relationship in
          guard link(relationship, of: entity) == .column else { return nil }
          return position(of: relationship, in: entity)
        })
    }
      + linkTables.map { table in
        RecordedTable(
          name: table.name, identity: "rowid",
          columns: [LinkTable.column(.source), LinkTable.column(.target)], links: [0, 1],
          positions: [table.position(seenFrom: .source), table.position(seenFrom: .target)]
            .compactMap { $0 })
      }
  }
}
