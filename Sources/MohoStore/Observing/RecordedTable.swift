/// A table of a schema, as commits tell of its rows.
struct RecordedTable: Sendable, Hashable {
  let name: String

  /// The column with the identities of the rows.
  let identity: String

  /// The columns whose fingerprints are kept of a row as it was.
  let columns: [String]

  /// Which of them hold the identity of a row that is linked to.
  let links: [Int]
}

extension Schema {
  /// The tables that the store keeps rows and links in.
  var recordedTables: [RecordedTable] {
    entities.map { entity in
      RecordedTable(
        name: entity.name, identity: entity.identityColumn, columns: recordedColumns(of: entity),
        links: Array(entity.attributes.count..<columnNames(of: entity).count))
    }
      + linkTables.map { table in
        RecordedTable(
          name: table.name, identity: "rowid", columns: table.recordedColumns, links: [0, 1])
      }
  }

  /// The columns of an entity's table that commits are compared by: those of
  /// its keys, then the positions among the rows that are linked to one row.
  func recordedColumns(of entity: Entity) -> [String] {
    columnNames(of: entity)
      + entity.relationships.compactMap { relationship in
        guard link(relationship, of: entity) == .column else { return nil }
        return position(of: relationship, in: entity)
      }
  }
}

extension LinkTable {
  /// The columns that commits are compared by: both ends, then positions.
  var recordedColumns: [String] {
    [Self.column(.source), Self.column(.target)]
      + [position(seenFrom: .source), position(seenFrom: .target)].compactMap { $0 }
  }

  /// The positions in ``recordedColumns`` of what one end of a link consists
  /// of.
  ///
  /// - Parameter isOrdered: Whether the position at the other end is part of it.
  func comparedColumns(seenFrom end: End, isOrdered: Bool) -> [Int] {
    let position = isOrdered ? position(seenFrom: end) : nil
    return [0, 1] + (position.flatMap { recordedColumns.firstIndex(of: $0) }.map { [$0] } ?? [])
  }
}
