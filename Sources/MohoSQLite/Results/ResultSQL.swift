import MohoMapping
import MohoRows

/// The queries that read a result.
struct ResultSQL: Sendable {
  let request: RequestSQL
  let terms: [ResultTerm]
  let isSectioned: Bool

  /// Selects the identities of all rows in order, with their sections.
  let scan: SQLQuery

  /// Selects the values of the terms for those rows that are in the result, in
  /// order. The section follows, if ``hasSeparateSection``, and then the selected
  /// values.
  let evaluation: SQLListQuery

  /// Selects whether a row precedes given values of the terms.
  let comparison: SQLQuery

  /// Selects the columns of models, followed by the identity.
  let models: SQLListQuery

  var entity: Entity { request.entity }

  /// Whether the section of a row is not the value of the first term.
  var hasSeparateSection: Bool { isSectioned && terms[0].hasSeparateSection }

  init(
    _ request: ResolvedRequest, models model: (any MappedModel.Type)?, isSectioned: Bool,
    _ schema: Schema
  ) throws {
    let sql = RequestSQL(request, SQLiteDialect())
    let (entity, filter, identity) = (sql.entity, sql.request.filter, sql.identity)
    let terms = ResultTerm.terms(of: sql.request) { $0.operand.type != .decimal }
    self.request = sql
    self.terms = terms
    self.isSectioned = isSectioned

    func condition(_ writer: inout SQLWriter) throws -> String {
      filter.isAlways ? "1" : try writer.sql(filter)
    }
    func order(_ writer: inout SQLWriter) throws -> String {
      try terms.map { try $0.sortKey(&writer, identity) }.joined(separator: ", ")
    }
    scan = try SQLQuery(entity, sql.dialect) { writer in
      let section = isSectioned ? ", " + (try terms[0].section(&writer, identity)) : ""
      let condition = filter.isAlways ? "" : " WHERE " + (try condition(&writer))
      let order = try order(&writer)
      return "SELECT \(identity)\(section) \(writer.source.from)\(condition) ORDER BY \(order)"
    }
    var tail = ""
    let head = try SQLQuery(entity, sql.dialect) { writer in
      writer.searchesByRow = true
      var values = try terms.map { try $0.value(&writer, identity) }
      if isSectioned && terms[0].hasSeparateSection {
        values.append(try terms[0].section(&writer, identity))
      }
      for operand in sql.request.selection {
        values.append(try sql.dialect.selected(&writer, operand))
      }
      let condition = try condition(&writer)
      tail = " ORDER BY \(try order(&writer))"
      return "SELECT \(values.joined(separator: ", ")) \(writer.source.from)"
        + " WHERE \(condition) AND \(identity)"
    }
    evaluation = SQLListQuery(head.sql, tail: tail, arguments: head.arguments)
    comparison = try ComparisonSQL(terms).query(sql)
    let columns =
      try model.map { try schema.compiled.node(of: $0).selection().joined(separator: ", ") }
      ?? quotedName(entity.identityColumn)
    models = SQLListQuery(
      "SELECT \(columns) FROM \(quotedName(entity.name)) WHERE \(quotedName(entity.identityColumn))"
    )
  }
}

extension ResultSQL {
  /// Returns the content of a section. Decimals are compared by value, and can
  /// have several texts, such as `2` and `2.0`.
  func section(_ value: StoredValue) -> FieldContent {
    guard terms[0].ordering?.operand.type == .decimal, case .text(let text) = value,
      let decimal = DecimalText.decimal(text)
    else { return value.content }
    return .decimal(decimal)
  }
}
