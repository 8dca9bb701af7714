import MohoMapping

extension Resolver {
  mutating func resolved(_ operand: Operand) -> ResolvedOperand {
    switch operand.kind {
    case .key(let name):
      switch resolveKey(name) {
      case .attribute(let path, let attribute): return .value(path, attribute)
      case .nested(let path, let attribute, let key):
        return nestedValue(name, .nested(path, attribute, key))
      case .row(let path):
        let key = path.entity.identifyingKeys.first ?? path.entity.identityColumn
        issues.append(
          "`\(self.name(name))` refers to a row, not to a value; use one of its keys,"
            + " such as `\(key)`")
      case .related:
        issues.append(
          "`\(self.name(name))` is a to-many relationship: use `any`, `all`, `none` or"
            + " `count`")
      case nil: break
      }
      return .constant(.null)
    case .constant(let content): return constant(content)
    case .arithmetic(let left, let operation, let right):
      let (one, other) = resolve(left, right)
      guard let type = operation.type(one.type, other.type) else {
        issues.append(
          "\(description(left, one)) \(operation.rawValue) \(description(right, other))"
            + " is not defined")
        return .constant(.null)
      }
      return .arithmetic(one, operation, other, type)
    case .indexLetter(let text, let locale):
      let operand = resolve(text)
      if operand.type == .string || operand.type == .null {
        return .indexLetter(operand, locale: locale)
      }
      issues.append("\(description(text, operand)) is not a text, and has no index letter")
      return .constant(.null)
    case .count(let name, let filter):
      guard let rows = related(name) else { return .constant(.null) }
      return .count(rows, inner(filter, of: rows))
    case .filtered(let value, let filter): return .filtered(resolve(value), resolve(filter))
    case .search(let name, let value): return searchValue(name, value)
    case .invalid(let reason):
      if !issues.contains(reason) { issues.append(reason) }
      return .constant(.null)
    }
  }

  /// Resolves two operands that are compared or calculated with each other.
  mutating func resolve(
    _ left: Operand, _ right: Operand
  ) -> (left: ResolvedOperand, right: ResolvedOperand) {
    if case .constant(let content) = left.kind {
      let other = resolve(right)
      return (constant(content, pairedWith: other), other)
    }
    let one = resolve(left)
    guard case .constant(let content) = right.kind else { return (one, resolve(right)) }
    return (one, constant(content, pairedWith: one))
  }

  /// Resolves a constant.
  ///
  /// - Parameter other: The operand that the constant is compared or calculated
  ///   with, if any.
  mutating func constant(
    _ content: FieldContent, pairedWith other: ResolvedOperand? = nil
  ) -> ResolvedOperand {
    let stored = content.stored
    if case .nested(_, _, let key)? = other, let constant = key.stored(stored) {
      return .constant(constant)
    }
    if case .uint64(let value) = stored, other?.type != .unsigned {
      issues.append("\(value) is greater than \(Int64.max)")
      return .constant(.null)
    }
    if let issue = content.comparisonIssue {
      issues.append(issue)
      return .constant(.null)
    }
    if case .uint64 = content { return .constant(stored) }
    if case .date = content { return .constant(schema.compiled.stored(content, as: .date)) }
    return .constant(content)
  }
}

extension FieldContent {
  /// The reason why the content cannot be compared with any column, or nil if
  /// it can.
  fileprivate var comparisonIssue: String? {
    switch self {
    case .object, .array, .dictionary: return "\(self) is not a column value"
    default:
      // SQLite would store null.
      return stored.isNull && !isNull ? "a value that is not a number cannot be compared" : nil
    }
  }
}
