package import MohoMapping

/// The result of a request: its tables, and the information that determines
/// whether a written row affects it.
///
/// Limit and offset are ignored, so the result contains all rows that satisfy
/// the conditions.
package struct ResultDefinition: Sendable {
  package let request: ResolvedRequest

  package var entity: Entity { request.entity }

  /// The tables that the result reads.
  package let sources: ResultSources

  /// The names of the tables that the models are read from.
  package let contentTables: Set<String>

  /// Whether a single statement reads the models from the result's own table.
  package let readsModelsInOneStatement: Bool

  /// The columns of the result's own table that store the values of its rows,
  /// without position columns.
  package let columnNames: [String]

  /// The indexes of these columns among the columns that commits record, or nil
  /// if these are the same columns.
  package let readColumns: [Int]?

  /// The relationships whose links are in the result's own table, by their
  /// index in ``columnNames``, with the effect of a change in a linked row.
  package let ownLinks: [(column: Int, effect: ResultSources.Effect)]

  /// The indexes in ``columnNames`` that filters, orderings and sections read.
  private let positionColumns: [Int]

  /// The indexes in ``columnNames`` of the searchable keys, if the result reads
  /// the relevance of rows, which depends on the texts of all rows of the
  /// entity. Otherwise empty.
  private let relevanceColumns: [Int]

  private let fixedValues: [FixedValue]

  /// The name of the result's own table.
  package var tableName: String { entity.name }

  /// Whether the result reads only its own table, and no row depends on another
  /// row.
  package var readsOnlyOwnTable: Bool { sources.sources.count == 1 }

  /// - Throws: A ``StoreError`` that lists all issues of the request.
  ///
  /// - Parameters:
  ///   - isOrdered: Whether the order of the rows matters.
  ///   - operands: The values to read from the rows.
  ///   - model: The type of the models to read, or nil.
  package init(
    _ request: RowRequest, isOrdered: Bool = true, selecting operands: [Operand] = [],
    of model: (any MappedModel.Type)?, _ schema: Schema
  ) throws {
    let request = try ResolvedRequest(request, schema, selecting: operands)
    self.request = request
    let entity = request.entity
    sources = try ResultSources(of: request, isOrdered: isOrdered, model, schema)
    contentTables = sources.contentTables
    readsModelsInOneStatement = model.map { !Self.hasRelations($0) } ?? true

    let recorded = schema.tableColumns(of: entity)
    let columnNames = schema.columnNames(of: entity)
    self.columnNames = columnNames
    readColumns =
      columnNames.count == recorded.count
      ? nil : columnNames.compactMap { recorded.firstIndex(of: $0) }
    ownLinks = sources.ownLinks.compactMap { link in
      columnNames.firstIndex(of: link.column).map { ($0, link.effect) }
    }
    positionColumns = columnNames.indices.filter { [sources] in
      sources.positionColumns.contains(columnNames[$0])
    }
    let operands =
      (isOrdered ? request.orderings.map(\.operand) : []) + request.selection
      + (request.groupLimit?.keys ?? [])
    relevanceColumns =
      operands.contains(where: \.readsRelevance)
      ? columnNames.indices.filter { entity.searchableKeys.contains(columnNames[$0]) } : []
    fixedValues = FixedValue.all(in: request.filter, columnNames)
  }
}

extension ResultDefinition {
  private static func hasRelations<Model: MappedModel>(_ model: Model.Type) -> Bool {
    Model.mapping.hasRelations
  }

  /// Returns whether a write cannot insert a row into the result, delete it from the result
  /// or change its position, based on the row's own values.
  ///
  /// - Parameter isIncluded: Whether the row is in the result before the write.
  package func isUnmoved(by row: RowDelta, isIncluded: Bool) -> Bool {
    row.isUnchanged || !mayMove(row) || !isIncluded && excludes(row) && !changesRelevance(row)
  }

  /// Returns whether a write may insert the row into the result, delete it from
  /// the result or change its position, based on the row's own values.
  package func mayMove(_ row: RowDelta) -> Bool {
    guard case .row(let old) = row.before, case .row(let new) = row.after,
      old.count == columnNames.count, new.count == columnNames.count
    else { return true }
    return positionColumns.contains { old[$0] != new[$0] }
  }

  /// Returns whether a write may change the relevance of any row of the result.
  package func changesRelevance(_ row: RowDelta) -> Bool {
    if relevanceColumns.isEmpty || row.isUnchanged { return false }
    return relevanceColumns.contains { row.mayDiffer(in: $0) }
  }

  /// Returns whether the row's own values exclude it from the result after a
  /// commit. Runs no statement.
  package func excludes(_ row: RowDelta) -> Bool {
    switch row.after {
    case .absent: true
    case .row(let values):
      values.count == columnNames.count
        && fixedValues.contains { values[$0.column] != $0.fingerprint }
    case .unknown: false
    }
  }
}
