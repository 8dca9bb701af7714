extension SQLWriter {
  package mutating func column(_ name: String, of path: RowReferencePath) -> String {
    if name == path.entity.identityColumn { return identity(of: path) }
    return "\(alias(of: path)).\(quotedName(name))"
  }

  /// Returns the SQL for the identity of a row, which is null if there is no
  /// row. If a column stores the link, the column is used and the destination
  /// is not joined.
  package mutating func identity(of path: RowReferencePath) -> String {
    if let last = path.steps.last, case .column = last.link {
      var owner = path
      owner.steps.removeLast()
      return "\(alias(of: owner)).\(quotedName(last.relationship))"
    }
    return "\(alias(of: path)).\(quotedName(path.entity.identityColumn))"
  }

  /// Returns the alias of a row's table, which is joined if necessary.
  mutating func alias(of path: RowReferencePath) -> String {
    let source = sources.count - 1 - path.level
    var alias = sources[source].alias
    var entity = sources[source].entity
    for (position, step) in path.steps.enumerated() {
      let names = path.steps[...position].map(\.relationship)
      if let joined = sources[source].joined[names] {
        alias = joined
      } else {
        let other = newAlias()
        let condition =
          switch step.link {
          case .inverseColumn(let column, _):
            "\(other).\(quotedName(column)) = \(alias).\(quotedName(entity.identityColumn))"
          case .column, .table:
            "\(other).\(quotedName(step.destination.identityColumn)) ="
              + " \(alias).\(quotedName(step.relationship))"
          }
        sources[source].joined[names] = other
        sources[source].joins +=
          " LEFT JOIN \(quotedName(step.destination.name)) AS \(other) ON \(condition)"
        alias = other
      }
      entity = step.destination
    }
    return alias
  }

  package mutating func newAlias() -> String {
    aliasCount += 1
    return "t\(aliasCount)"
  }

  mutating func related(
    _ rows: RelatedRows, _ quantifier: Filter.Quantifier, _ filter: ResolvedFilter
  ) throws -> String {
    let subquery = try subquery(rows, filter, isNegated: quantifier == .all)
    return quantifier == .any
      ? "EXISTS (SELECT 1 \(subquery))" : "(NOT EXISTS (SELECT 1 \(subquery)))"
  }

  /// Returns the part of a subquery after its select list. The subquery finds
  /// the related rows that satisfy a condition or, if negated, do not satisfy
  /// it.
  mutating func subquery(
    _ rows: RelatedRows, _ filter: ResolvedFilter, isNegated: Bool
  ) throws -> String {
    let owner = identity(of: rows.owner)
    var source = SQLSource(table: rows.entity.name, alias: newAlias(), entity: rows.entity)
    let link: String
    switch rows.link {
    case .inverseColumn(let column, _): link = "\(source.alias).\(quotedName(column)) = \(owner)"
    case .column: link = "\(source.alias).\(quotedName(rows.entity.identityColumn)) = \(owner)"
    case .table(let table, let end):
      let links = newAlias()
      link = "\(links).\(LinkTable.column(end)) = \(owner)"
      source.joins =
        " JOIN \(quotedName(table.name)) AS \(links) ON \(links).\(LinkTable.column(end.other)) ="
        + " \(source.alias).\(quotedName(rows.entity.identityColumn))"
    }
    sources.append(source)
    let condition = filter.isAlways && !isNegated ? nil : try sql(filter)
    source = sources.removeLast()
    guard let condition else { return "\(source.from) WHERE \(link)" }
    return "\(source.from) WHERE \(link) AND "
      + (isNegated ? dialect.negation(condition) : condition)
  }
}
