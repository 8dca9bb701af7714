import GRDB
import MohoMapping
import Synchronization

/// The statements by which the result of a request is read and kept up to date,
/// made once.
///
/// Limit and offset have no part in them: they are those of all rows that meet
/// the conditions.
package final class ResultStatements: Sendable {
  let entity: Entity
  let terms: [ResultTerm]
  let isSectioned: Bool

  /// The identities of all rows in order, each behind it the value of its
  /// section.
  let scan: BoundSQL

  /// The rows among some that are in the result, in order.
  let evaluation: ListStatement

  /// Whether a row comes before a place that is told by its values.
  let comparison: KeptQuery

  /// The values of some rows of the result's own table, behind the identity.
  let written: ListStatement

  private let sql: RequestSQL
  private let probes = Lock<ProbeStatements??>(nil)

  /// What the result is made of.
  package let sources: ResultSources

  /// The names of the tables that models are made of.
  package let contentTables: Set<String>

  /// Whether models hold nothing of other tables, and are read by one statement.
  package let areModelsOfOneTable: Bool

  /// The columns of the result's models, of some rows, the identity last.
  let models: ListStatement

  /// The names of the columns of the result's own table that hold values of its
  /// rows: not their positions in relations.
  package let columnNames: [String]

  /// Their indices among the columns that commits are compared by; nil if they
  /// are all of them.
  let readColumns: [Int]?

  /// The relationships whose links are in the result's own table, by their
  /// positions in ``columnNames``, with what they have an effect on.
  let ownLinks: [(column: Int, effect: ResultSources.Effect)]

  /// Those that filters, orderings and sections read, by their places among the
  /// names.
  private let placeColumns: [Int]

  /// Whether a row may have come or gone or have another place, because of its
  /// own values.
  package func mayMove(_ row: RowDelta) -> Bool {
    guard case .row(let old) = row.before, case .row(let new) = row.after,
      old.count == columnNames.count, new.count == columnNames.count
    else { return true }
    return placeColumns.contains { old[$0] != new[$0] }
  }

  /// The values that rows of the result have, as far as conditions say.
  private let fixedValues: [FixedValue]

  /// Whether the result is made of its own table alone, and each row of that
  /// alone.
  package let isOfItself: Bool

  /// Whether a row cannot be in the result after a commit, because of its own
  /// values. No statement is run.
  package func excludes(_ row: RowDelta) -> Bool {
    switch row.after {
    case .absent: true
    case .row(let values):
      values.count == columnNames.count
        && fixedValues.contains { values[$0.column] != $0.fingerprint }
    case .unknown: false
    }
  }

  /// The name of the result's own table.
  package var tableName: String { entity.name }

  /// The statements that find what comes before a place in an index, or nil
  /// where no index serves.
  ///
  /// They are made, which takes a plan of each, when the first row is placed.
  func probes(on database: Database) throws -> ProbeStatements? {
    if let known = probes.withLock({ $0 }) { return known }
    let found = try ProbeStatements(sql, terms, isSectioned: isSectioned, database)
    probes.withLock { $0 = .some(found) }
    return found
  }

  /// - Throws: ``StoreError`` that lists all that is wrong with the request.
  init(
    _ request: RowRequest, of model: any MappedModel.Type, isSectioned: Bool, _ schema: Schema
  ) throws {
    let sql = try RequestSQL(request.limit(nil).offset(0), schema)
    // What is wrong with the limits is said, too.
    _ = try ResolvedRequest(request, schema)
    let resolved = sql.request
    let terms = ResultTerm.terms(of: resolved)
    let entity = resolved.entity
    self.entity = entity
    self.terms = terms
    self.isSectioned = isSectioned
    let sources = try ResultSources(of: resolved, model, schema)
    self.sources = sources
    let placing = sources.positionColumns
    let recorded = schema.tableColumns(of: entity)
    let columnNames = schema.columnNames(of: entity)
    self.columnNames = columnNames
    readColumns =
      columnNames.count == recorded.count
      ? nil : columnNames.compactMap { recorded.firstIndex(of: $0) }
    ownLinks = sources.ownLinks.compactMap { link in
      columnNames.firstIndex(of: link.column).map { ($0, link.effect) }
    }
    placeColumns = columnNames.indices.filter { placing.contains(columnNames[$0]) }
    written = ListStatement(
      written: recorded, of: entity.name, identity: entity.identityColumn)
    fixedValues = FixedValue.all(in: resolved.filter, columnNames)
    contentTables = sources.contentTables
    models = try Self.models(of: model, entity, schema)
    areModelsOfOneTable = !Self.hasRelations(model)
    isOfItself = sources.sources.count == 1
    self.sql = sql

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
    evaluation = ListStatement(head.sql, tail: tail, binding: head.arguments)
    comparison = try KeptQuery(ComparisonSQL(terms).statement(sql))
  }
}

extension ResultStatements {
  private static func hasRelations<Model: MappedModel>(_ model: Model.Type) -> Bool {
    Model.mapping.hasRelations
  }

  private static func models<Model: MappedModel>(
    of model: Model.Type, _ entity: Entity, _ schema: Schema
  ) throws -> ListStatement {
    let columns = try schema.compiled.binding(of: model).selection().joined(separator: ", ")
    return ListStatement(
      "SELECT \(columns) FROM \(quoted(entity.name)) WHERE \(quoted(entity.identityColumn))")
  }
}

extension StoreReader {
  /// The statements by which the result of a request is followed.
  ///
  /// - Throws: ``StoreError`` that lists all that is wrong with the request.
  package func resultStatements<Model>(
    of request: ModelRequest<Model>, isSectioned: Bool
  ) throws -> ResultStatements {
    try ResultStatements(request.rows, of: Model.self, isSectioned: isSectioned, schema)
  }
}
