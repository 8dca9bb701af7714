/// The table that stores the links of a relationship.
struct LinkEnds {
  let table: String
  /// The columns with the identities of the rows and of the related rows.
  let row: String
  let related: String
  /// The column that is set to null to remove a link. Nil if a row of the table
  /// is deleted.
  let column: String?
}

extension CompiledRelationship {
  func linkEnds(in schema: CompiledSchema) -> LinkEnds {
    let (entity, destination) = (schema.entities[entity], schema.entities[destination])
    switch storage {
    case .column:
      return LinkEnds(table: entity.name, row: entity.identityColumn, related: name, column: name)
    case .inverseColumn(let column, _):
      return LinkEnds(
        table: destination.name, row: column, related: destination.identityColumn, column: column)
    case .table(let table, let end):
      return LinkEnds(
        table: table.name, row: LinkTable.column(end), related: LinkTable.column(end.other),
        column: nil)
    }
  }
}
