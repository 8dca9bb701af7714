import MohoMapping

/// The row of the current condition and the rows of the conditions around it,
/// innermost last.
typealias RowStack = [any FilterSubject]

extension ResolvedFilter {
  /// The condition as a function. Patterns are compiled once, when the function
  /// is created.
  var evaluation: (RowStack) -> Bool {
    switch self {
    case .comparison(let left, let comparison, let right, _):
      let (left, right) = (left.evaluation, right.evaluation)
      return { comparison.holds(left($0), right($0)) }
    case .oneOf(let operand, let values, let orNull):
      let operand = operand.evaluation
      return { rows in
        let value = operand(rows)
        return value.isNull ? orNull : values.contains { value.order($0) == 0 }
      }
    case .text(let operand, let match):
      let operand = operand.evaluation
      // The resolver has already rejected invalid expressions.
      let matcher = try? TextMatcher(match)
      return { rows in
        guard case .string(let text) = operand(rows) else { return false }
        return matcher?.matches(text) ?? false
      }
    case .search(let path, let search):
      let keys = search.keys
      return { rows in
        guard let row = path.row(rows), let matcher = search.matcher else { return false }
        return matcher.matches(
          keys.lazy.compactMap { key in
            if case .string(let text) = row.value(of: key) { text } else { nil }
          })
      }
    case .isLinked(let path): return { path.row($0) != nil }
    case .isSame(let one, let other):
      return { rows in
        switch (one.row(rows), other.row(rows)) {
        case (nil, nil): true
        case (let left?, let right?):
          left.value(of: one.entity.identityColumn).stored
            .order(right.value(of: one.entity.identityColumn).stored) == 0
        case (nil, _?), (_?, nil): false
        }
      }
    case .related(let related, let quantifier, let filter):
      let condition = filter.evaluation
      return { rows in
        let others = related.rows(rows)
        return switch quantifier {
        case .any: others.contains { condition(rows + [$0]) }
        case .all: others.allSatisfy { condition(rows + [$0]) }
        case .none: !others.contains { condition(rows + [$0]) }
        }
      }
    case .and(let filters):
      let conditions = filters.map(\.evaluation)
      return { rows in conditions.allSatisfy { $0(rows) } }
    case .or(let filters):
      let conditions = filters.map(\.evaluation)
      return { rows in conditions.contains { $0(rows) } }
    case .not(let filter):
      let condition = filter.evaluation
      return { !condition($0) }
    }
  }
}

extension ResolvedOperand {
  /// The operand as a function.
  var evaluation: (RowStack) -> FieldContent {
    switch self {
    case .value(let path, let attribute):
      return { path.row($0)?.value(of: attribute.name).stored ?? .null }
    case .nested(let path, let attribute, let key):
      return { rows in
        guard case .string(let text)? = path.row(rows)?.value(of: attribute.name) else {
          return .null
        }
        return key.content(in: text)
      }
    case .identity(let path):
      return { path.row($0)?.value(of: path.entity.identityColumn).stored ?? .null }
    case .constant(let content): return { _ in content }
    case .arithmetic(let left, let operation, let right, let type):
      let (left, right) = (left.evaluation, right.evaluation)
      return { operation.result(left($0), right($0), isUnsigned: type == .unsigned) }
    case .indexLetter(let text, let locale):
      let text = text.evaluation
      return { rows in
        if case .string(let text) = text(rows) {
          .string(text.indexLetter(in: locale))
        } else {
          .null
        }
      }
    case .filtered(let value, let filter):
      let (value, condition) = (value.evaluation, filter.evaluation)
      return { condition($0) ? value($0) : .null }
    // Requests with such values are not evaluated in memory.
    case .search: return { _ in .null }
    case .count(let related, let filter):
      let condition = filter.evaluation
      return { rows in
        .int64(Int64(related.rows(rows).count { condition(rows + [$0]) }))
      }
    }
  }
}

extension RowReferencePath {
  /// The row at the end of the path, or nil if a relationship on the path has
  /// no row.
  fileprivate func row(_ rows: RowStack) -> (any FilterSubject)? {
    guard level < rows.count else { return nil }
    var row = rows[rows.count - 1 - level]
    for step in steps {
      guard let next = row.related(by: step.relationship).first else { return nil }
      row = next
    }
    return row
  }
}

extension RelatedRows {
  fileprivate func rows(_ rows: RowStack) -> [any FilterSubject] {
    owner.row(rows)?.related(by: relationship) ?? []
  }
}

extension Filter.Comparison {
  /// Returns a Boolean value indicating whether the comparison of two values is
  /// true.
  func holds(_ left: FieldContent, _ right: FieldContent) -> Bool {
    let order = left.order(right)
    return switch self {
    case .equal: order == 0 || left.isNull && right.isNull
    case .notEqual: order != 0 && !(left.isNull && right.isNull)
    case .less: order.map { $0 < 0 } ?? false
    case .lessOrEqual: order.map { $0 <= 0 } ?? false
    case .greater: order.map { $0 > 0 } ?? false
    case .greaterOrEqual: order.map { $0 >= 0 } ?? false
    }
  }
}
