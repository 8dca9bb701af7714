import MohoMapping

/// The result of a request: its terms, its tables, and the SQL that reads it and
/// keeps it up to date.
///
/// It ignores limit and offset, and covers all rows that meet the conditions.
package struct ResultDefinition: Sendable {
  let sql: RequestSQL
  let terms: [ResultTerm]
  package let isSectioned: Bool

  /// The tables that the result reads.
  package let sources: ResultSources

  /// The names of the tables that the models are read from.
  package let contentTables: Set<String>

  /// Whether the models are read from the result's own table by one statement.
  package let areModelsOfOneTable: Bool

  /// The columns of the result's own table that store the values of its rows,
  /// without the positions in relations.
  package let columnNames: [String]

  /// The indexes of these columns among all that commits record; nil if they are
  /// all.
  let readColumns: [Int]?

  /// The relationships whose links are in the result's own table, by their index
  /// in ``columnNames``, with the effect of a link.
  let ownLinks: [(column: Int, effect: ResultSources.Effect)]

  /// The indexes in ``columnNames`` that filters, orderings and sections read.
  private let positionColumns: [Int]

  private let fixedValues: [FixedValue]

  /// Selects the identities of all rows in order, each with its section.
  let scan: SQLQuery

  /// Selects the values of the terms of rows that are in the result, in order.
  let evaluation: SQLListQuery

  /// Whether a row precedes given values of the terms.
  let comparison: SQLQuery

  /// Selects the values of rows of the result's own table.
  let writtenRows: SQLListQuery

  /// Selects the columns of the models of rows, the identity last.
  let models: SQLListQuery

  var entity: Entity { sql.entity }

  /// The name of the result's own table.
  package var tableName: String { entity.name }

  /// Whether the result depends on no other table, and each row on no other row.
  package var isOfItself: Bool { sources.sources.count == 1 }

  /// - Throws: ``StoreError`` that lists all errors of the request.
  init<Model: MappedModel>(
    _ request: RowRequest, of model: Model.Type, isSectioned: Bool, _ schema: Schema
  ) throws {
    let sql = try RequestSQL(request.limit(nil).offset(0), schema)
    // Reports errors of the limits, too.
    _ = try ResolvedRequest(request, schema)
    let resolved = sql.request
    let terms = ResultTerm.terms(of: resolved)
    let entity = resolved.entity
    let identity = entity.identityColumn
    self.sql = sql
    self.terms = terms
    self.isSectioned = isSectioned
    sources = try ResultSources(of: resolved, model, schema)
    contentTables = sources.contentTables
    areModelsOfOneTable = !Model.mapping.hasRelations

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
    fixedValues = FixedValue.all(in: resolved.filter, columnNames)

    func condition(_ writer: inout SQLWriter) throws -> String {
      resolved.filter.isAlways ? "1" : try writer.sql(resolved.filter)
    }
    func order(_ writer: inout SQLWriter) throws -> String {
      try terms.map { try $0.sortKey(&writer, sql.identity) }.joined(separator: ", ")
    }
    scan = try SQLQuery(entity) { writer in
      let section = isSectioned ? ", " + (try terms[0].value(&writer, sql.identity)) : ""
      let condition = resolved.filter.isAlways ? "" : " WHERE " + (try condition(&writer))
      let order = try order(&writer)
      return "SELECT \(sql.identity)\(section) \(writer.source.from)\(condition) ORDER BY \(order)"
    }
    var tail = ""
    let head = try SQLQuery(entity) { writer in
      let values = try terms.map { try $0.value(&writer, sql.identity) }
      let condition = try condition(&writer)
      tail = " ORDER BY \(try order(&writer))"
      return "SELECT \(values.joined(separator: ", ")) \(writer.source.from)"
        + " WHERE \(condition) AND \(sql.identity)"
    }
    evaluation = SQLListQuery(head.sql, tail: tail, arguments: head.arguments)
    comparison = try ComparisonSQL(terms).query(sql)
    writtenRows = SQLListQuery(columns: recorded, of: entity.name, identity: identity)
    let selection = try schema.compiled.binding(of: model).selection().joined(separator: ", ")
    models = SQLListQuery(
      "SELECT \(selection) FROM \(quoted(entity.name)) WHERE \(quoted(identity))")
  }
}

extension ResultDefinition {
  /// Whether a write may insert a row into the result, delete it from the result,
  /// or change its position, by the row's own values.
  package func mayMove(_ row: RowDelta) -> Bool {
    guard case .row(let old) = row.before, case .row(let new) = row.after,
      old.count == columnNames.count, new.count == columnNames.count
    else { return true }
    return positionColumns.contains { old[$0] != new[$0] }
  }

  /// Whether the row's own values exclude it from the result after a commit. No
  /// statement runs.
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
