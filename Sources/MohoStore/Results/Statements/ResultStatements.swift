import GRDB
import MohoMapping

/// The statements by which the result of a request is read and kept up to date,
/// made once.
///
/// Limit and offset have no part in them: they are those of all rows that meet
/// the conditions.
package struct ResultStatements: Sendable {
  let entity: Entity
  let terms: [ResultTerm]
  let isSectioned: Bool

  /// The identities of all rows in order, each behind it the value of its
  /// section.
  let scan: BoundSQL

  /// The rows among some that are in the result, in order, by what comes
  /// before the list of their identities and what comes behind it.
  let evaluation: (head: BoundSQL, tail: String)

  /// Whether a row comes before a place that is told by its values.
  let comparison: BoundSQL

  /// The statements that find what comes before a place in an index, or nil
  /// where no index serves.
  let probes: ProbeStatements?

  /// What the result is made of.
  package let sources: ResultSources

  /// The names of the columns of the result's own table whose values are told
  /// apart.
  package let columnNames: [String]

  /// Whether a row may have come or gone or have another place, because of its
  /// own values.
  package func mayMove(_ row: WrittenRow) -> Bool {
    guard let columns = row.columns(among: columnNames) else { return true }
    return !columns.isDisjoint(with: sources.placeColumns)
  }

  /// The name of the result's own table.
  package var tableName: String { entity.name }

  /// Whether places are found in an index.
  package var hasIndex: Bool { probes != nil }

  /// - Throws: ``StoreError`` that lists all that is wrong with the request.
  init(
    _ request: RowRequest, of model: any MappedModel.Type, isSectioned: Bool,
    _ database: Database, _ schema: Schema
  ) throws {
    let sql = try RequestSQL(request.limit(nil).offset(0), schema)
    // What is wrong with the limits is said, too.
    _ = try ResolvedRequest(request, schema)
    let resolved = sql.request
    let terms = ResultTerm.terms(of: resolved)
    entity = resolved.entity
    self.terms = terms
    self.isSectioned = isSectioned
    columnNames = schema.columnNames(of: entity)
    sources = try ResultSources(of: resolved, model, schema)

    func condition(_ writer: inout SQLWriter) throws -> String {
      resolved.filter.isAlways ? "1" : try writer.sql(resolved.filter)
    }
    func order(_ writer: inout SQLWriter) throws -> String {
      try terms.map { try $0.sortKey(&writer, sql.identity) }.joined(separator: ", ")
    }
    scan = try BoundSQL(entity) { writer in
      let section = isSectioned ? ", " + (try terms[0].value(&writer, sql.identity)) : ""
      let condition = resolved.filter.isAlways ? "" : " WHERE " + (try condition(&writer))
      let order = try order(&writer)
      return "SELECT \(sql.identity)\(section) \(writer.source.from)\(condition) ORDER BY \(order)"
    }
    var tail = ""
    let head = try BoundSQL(entity) { writer in
      let values = try terms.map { try $0.value(&writer, sql.identity) }
      let condition = try condition(&writer)
      tail = " ORDER BY \(try order(&writer))"
      return "SELECT \(values.joined(separator: ", ")) \(writer.source.from)"
        + " WHERE \(condition) AND \(sql.identity)"
    }
    evaluation = (head, tail)
    comparison = try ComparisonSQL(terms).statement(sql)
    probes = try ProbeStatements(sql, terms, database)
  }
}

extension StoreReader {
  /// The statements by which the result of a request is followed.
  ///
  /// - Throws: ``StoreError`` that lists all that is wrong with the request.
  package func resultStatements<Model>(
    of request: ModelRequest<Model>, isSectioned: Bool
  ) throws -> ResultStatements {
    try perform { database in
      try ResultStatements(
        request.rows, of: Model.self, isSectioned: isSectioned, database, schema)
    }
  }
}
