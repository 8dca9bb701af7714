package import MohoMapping

/// Writes conditions and values as SQL, and collects the arguments.
///
/// Parameters are numbered, so that the parts of a statement can be written in
/// any order. Conditions are true, false or null. Negation treats null as
/// false.
package struct SQLWriter {
  package let dialect: any SQLDialect
  package private(set) var arguments: [FieldContent] = []
  /// The tables in the scope of the current condition, innermost last.
  package var sources: [SQLSource]
  var aliasCount = 0
  /// Whether searches divide the texts of each row into words instead of using
  /// the full-text index. For a few rows this costs less, because an index
  /// finds all rows with the words.
  package var searchesByRow = false

  /// The maximum number of conditions that are joined without parentheses.
  private static let joinedCount = 16

  /// The alias of the request's table.
  package static let alias = "t0"

  init(_ entity: Entity, _ dialect: any SQLDialect) {
    self.dialect = dialect
    sources = [SQLSource(table: entity.name, alias: Self.alias, entity: entity)]
  }

  /// The request's table and its joined tables.
  package var source: SQLSource { sources[0] }

  package mutating func sql(_ filter: ResolvedFilter) throws -> String {
    switch filter {
    case .comparison(let left, let comparison, let right, let type):
      return try dialect.comparison(&self, left, comparison, right, type)
    case .oneOf(let operand, let values, let orNull):
      return try dialect.membership(&self, operand, values, orNull: orNull)
    case .text(let operand, let match): return try dialect.text(&self, operand, match)
    case .search(let path, let search):
      if search.text.isEmpty { return "(\(identity(of: path)) IS NOT NULL)" }
      return try dialect.search(&self, path, search)
    case .isLinked(let path): return "\(identity(of: path)) IS NOT NULL"
    case .isSame(let one, let other):
      return "\(identity(of: one)) \(dialect.isSame) \(identity(of: other))"
    case .related(let rows, let quantifier, let filter):
      return try related(rows, quantifier, filter)
    case .and(let filters): return try join(filters, by: " AND ", none: dialect.always)
    case .or(let filters): return try join(filters, by: " OR ", none: dialect.never)
    case .not(let filter): return dialect.negation(try sql(filter))
    }
  }

  /// Returns the SQL of a value, without its collation.
  package mutating func sql(_ operand: ResolvedOperand) throws -> String {
    switch operand {
    case .value(let path, let attribute): return column(attribute.name, of: path)
    case .nested(let path, let attribute, let key):
      return try dialect.nested(key, in: column(attribute.name, of: path))
    case .identity(let path): return identity(of: path)
    case .constant(let content): return try dialect.constant(&self, content)
    case .arithmetic(let left, let operation, let right, let type):
      return try dialect.arithmetic(&self, left, operation, right, type)
    case .indexLetter(let text, let locale):
      return try dialect.indexLetter(&self, text, locale: locale)
    case .count(let rows, let filter):
      return try "(SELECT count(*) \(subquery(rows, filter, isNegated: false)))"
    case .filtered(let value, let filter):
      return try "CASE WHEN \(sql(filter)) THEN \(dialect.selected(&self, value)) END"
    case .search(let value): return try dialect.searchValue(&self, value)
    }
  }

  /// Returns the SQL of a value with its sort direction, for `ORDER BY`.
  package mutating func sortKey(_ resolved: ResolvedOrdering) throws -> String {
    try sortValue(resolved) + sortDirection(resolved)
  }

  /// Returns the direction of an ordering, and the position of nulls.
  func sortDirection(_ resolved: ResolvedOrdering) -> String {
    let ordering = resolved.ordering
    return (ordering.direction == .descending ? " DESC" : "")
      + dialect.nulls(
        ordering.nils, ordering.direction, isNeverNull: resolved.operand.isNeverNull)
  }

  /// Returns the SQL of a value in the form that an ordering compares.
  package mutating func sortValue(_ resolved: ResolvedOrdering) throws -> String {
    try dialect.sortValue(&self, resolved)
  }

  /// Returns the SQL of the section that an ordering creates: the value without
  /// the differences that the options ignore.
  package mutating func section(_ resolved: ResolvedOrdering) throws -> String {
    resolved.ordering.options.isEmpty
      ? try dialect.selected(&self, resolved.operand) : try dialect.section(&self, resolved)
  }

  /// Adds an argument, and returns the SQL of its parameter.
  package mutating func bind(_ value: FieldContent) throws -> String {
    let maximum = dialect.maximumParameterCount
    guard arguments.count < maximum else {
      throw StoreError(
        .invalidRequest,
        reason: "the filter has more than \(maximum / 1000),\(maximum % 1000) values")
    }
    arguments.append(value)
    return dialect.parameter(arguments.count, value)
  }

  /// Writes a query of the request's table that is independent of the query around it.
  mutating func query(_ body: (inout SQLWriter) throws -> String) rethrows -> String {
    let outer = sources
    sources = [
      SQLSource(table: source.table, alias: Self.alias, entity: source.entity)
    ]
    defer { sources = outer }
    return try body(&self)
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

extension ResolvedOperand {
  /// Whether the operand is a required attribute or the identity of the
  /// request's own rows.
  fileprivate var isNeverNull: Bool {
    guard case .value(let path, let attribute) = self, path.steps.isEmpty else { return false }
    return !attribute.isOptional
  }
}
