package import MohoMapping

/// Writes conditions and values as SQL, and collects the arguments.
///
/// Parameters are numbered, so that the parts of a statement can be written in
/// any order. Conditions are true, false or null. Negation treats null as
/// false.
package struct SQLWriter {
  package private(set) var arguments: [FieldContent] = []
  /// The tables in the scope of the current condition, innermost last.
  var sources: [SQLSource]
  var aliasCount = 0
  /// Whether searches divide the texts of each row into words instead of using
  /// the full-text index. For a few rows this costs less, because an index
  /// finds all rows with the words.
  package var searchesByRow = false

  /// The maximum number of conditions that are joined without parentheses.
  private static let joinedCount = 16

  /// The alias of the request's table.
  package static let alias = "t0"

  init(_ entity: Entity) {
    sources = [SQLSource(table: entity.name, alias: Self.alias, entity: entity)]
  }

  /// The request's table and its joined tables.
  package var source: SQLSource { sources[0] }

  package mutating func sql(_ filter: ResolvedFilter) throws -> String {
    switch filter {
    case .comparison(let left, let comparison, let right, let type):
      return try self.comparison(left, comparison, right, type)
    case .oneOf(let operand, let values, let orNull):
      let one = try sql(operand)
      var list: [String] = []
      for value in values { list.append(try bind(value)) }
      let collated = operand.type == .decimal ? one + DecimalText.collationClause : one
      let membership = "\(collated) IN (\(list.joined(separator: ", ")))"
      return orNull ? "(\(membership) OR \(one) IS NULL)" : membership
    case .text(let operand, let match): return try text(operand, match)
    case .search(let path, let search): return try self.search(path, search)
    case .isLinked(let path): return "\(identity(of: path)) IS NOT NULL"
    case .isSame(let one, let other): return "\(identity(of: one)) IS \(identity(of: other))"
    case .related(let rows, let quantifier, let filter):
      return try related(rows, quantifier, filter)
    case .and(let filters): return try join(filters, by: " AND ", none: "1")
    case .or(let filters): return try join(filters, by: " OR ", none: "0")
    case .not(let filter): return "(\(try sql(filter)) IS NOT TRUE)"
    }
  }

  /// Returns the SQL of a value, without its collation.
  mutating func sql(_ operand: ResolvedOperand) throws -> String {
    switch operand {
    case .value(let path, let attribute): return column(attribute.name, of: path)
    case .identity(let path): return identity(of: path)
    case .constant(let content): return try bind(content)
    case .arithmetic(let left, let operation, let right, let type):
      return try arithmetic(left, operation, right, type)
    case .indexLetter(let text, let locale):
      let locale = locale.map { ", " + quotedText($0) } ?? ""
      return try "\(SQLFunctionName.indexLetter)(CAST(\(sql(text)) AS BLOB)\(locale))"
    case .count(let rows, let filter):
      return try "(SELECT count(*) \(subquery(rows, filter, isNegated: false)))"
    case .search(let value): return try searchValue(value)
    }
  }

  /// Returns the SQL of a value with its sort direction, for `ORDER BY`.
  package mutating func sortKey(_ resolved: ResolvedOrdering) throws -> String {
    let ordering = resolved.ordering
    var term = try sortValue(resolved)
    if ordering.direction == .descending { term += " DESC" }
    let usual: Ordering.NilPosition = ordering.direction == .ascending ? .first : .last
    if ordering.nils != usual { term += ordering.nils == .first ? " NULLS FIRST" : " NULLS LAST" }
    return term
  }

  /// Returns the SQL of a value in the form that an ordering compares.
  package mutating func sortValue(_ resolved: ResolvedOrdering) throws -> String {
    let term = try sql(resolved.operand)
    let options = resolved.ordering.options
    if let collation = resolved.ordering.collation {
      return "\(SQLFunctionName.collateText)(CAST(\(term) AS BLOB), \(options.rawValue),"
        + " \(quotedText(collation.localeIdentifier)), \(collation.comparesNumbers ? 1 : 0))"
        + " COLLATE \(SQLFunctionName.textCollation)"
    }
    if !options.isEmpty {
      return "\(SQLFunctionName.sortText)(CAST(\(term) AS BLOB), \(options.rawValue))"
    }
    return resolved.operand.type == .decimal ? term + DecimalText.collationClause : term
  }

  /// Returns the SQL of the section that an ordering creates: the value without
  /// the differences that the options ignore.
  package mutating func section(_ resolved: ResolvedOrdering) throws -> String {
    let term = try sql(resolved.operand)
    let options = resolved.ordering.options
    if options.isEmpty { return term }
    return "\(SQLFunctionName.sectionText)(CAST(\(term) AS BLOB), \(options.rawValue))"
  }

  mutating func bind(_ value: FieldContent) throws -> String {
    // SQLite does not allow more parameters in one statement.
    guard arguments.count < 32_766 else {
      throw StoreError(.invalidRequest, reason: "the filter has more than 32,766 values")
    }
    arguments.append(value)
    return "?\(arguments.count)"
  }

  private mutating func join(
    _ filters: [ResolvedFilter], by separator: String, none: String
  ) throws -> String {
    if filters.isEmpty { return none }
    var conditions: [String] = []
    for filter in filters { conditions.append(try sql(filter)) }
    // SQLite limits the depth of expressions, and each condition in `a AND b
    // AND c` adds a level.
    while conditions.count > 1 {
      conditions = stride(from: 0, to: conditions.count, by: Self.joinedCount).map { start in
        let group = conditions[start..<min(start + Self.joinedCount, conditions.count)]
        return group.count == 1 ? group[start] : "(\(group.joined(separator: separator)))"
      }
    }
    return conditions[0]
  }
}
