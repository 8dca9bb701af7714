import Foundation
import MohoMapping

extension Resolver {
  mutating func compare(
    _ left: Operand, _ comparison: Filter.Comparison, _ right: Operand
  ) -> ResolvedFilter {
    if let rows = compareRows(left, comparison, right) { return rows }
    if let structures = compareStructure(left, comparison, right) { return structures }
    var (one, other) = resolve(left, right)
    one = stored(one, comparedWith: other)
    other = stored(other, comparedWith: one)
    guard let type = ComparedType(one.type, other.type) else {
      issues.append(
        "\(description(left, one)) cannot be compared with \(description(right, other))")
      return .never
    }
    return .comparison(one, comparison, other, as: type)
  }

  /// Returns a constant in the form in which the attribute that it is compared
  /// with stores it. Other operands stay as they are.
  private func stored(
    _ operand: ResolvedOperand, comparedWith other: ResolvedOperand
  ) -> ResolvedOperand {
    guard case .constant(let content) = operand, case .value(_, let attribute) = other,
      attribute.type == .structured
    else { return operand }
    return .constant(schema.compiled.stored(content, as: attribute.type))
  }

  /// Resolves a comparison with a to-one relationship on the left. Returns nil
  /// for any other comparison.
  private mutating func compareRows(
    _ left: Operand, _ comparison: Filter.Comparison, _ right: Operand
  ) -> ResolvedFilter? {
    guard comparison == .equal || comparison == .notEqual else { return nil }
    let equal: ResolvedFilter
    switch (row(left), right.kind) {
    case (let path?, .constant(.null)): equal = .not(.isLinked(path))
    case (let path?, .constant(let content)): equal = isRow(path, .uniqueKey(content))
    case (let path?, _):
      guard let other = row(right) else { return nil }
      guard path.entity == other.entity else {
        issues.append(
          "`\(left)` refers to `\(path.entity.name)`, `\(right)` to `\(other.entity.name)`")
        return .never
      }
      equal = .isSame(path, other)
    case (nil, _): return nil
    }
    return comparison == .equal ? equal : .not(equal)
  }

  /// The row of an operand, if the operand is a to-one relationship.
  private mutating func row(_ operand: Operand) -> RowReferencePath? {
    guard case .key(let name) = operand.kind else { return nil }
    // Resolving the operand finds the same issues again.
    let known = issues
    defer { issues = known }
    guard case .row(let path) = resolveKey(name) else { return nil }
    return path
  }

  mutating func isRow(
    _ name: KeyName, _ reference: Filter.RowReference
  ) -> ResolvedFilter {
    switch resolveKey(name) {
    case .row(let path): return isRow(path, reference)
    case .attribute, .nested, .related:
      issues.append("`\(self.name(name))` does not refer to a row")
    case nil: break
    }
    return .never
  }

  private mutating func isRow(
    _ path: RowReferencePath, _ reference: Filter.RowReference
  ) -> ResolvedFilter {
    switch reference {
    case .identity(let identity):
      return .comparison(
        .identity(path), .equal, .constant(.int64(identity)), as: .plain)
    case .uniqueKey(let content):
      guard let attribute = path.entity.uniqueAttribute else {
        return hasIdentity(path, content)
      }
      return hasValue(path, attribute, content)
    }
  }

  /// Resolves a comparison with the value of an identifying attribute.
  private mutating func hasValue(
    _ path: RowReferencePath, _ attribute: Attribute, _ content: FieldContent
  ) -> ResolvedFilter {
    let operand = ResolvedOperand.value(path, attribute)
    let value = stored(constant(content, pairedWith: operand), comparedWith: operand)
    guard let type = ComparedType(ValueType(attribute.type), value.type), content != .null else {
      issues.append(
        "\(content) is not a value of `\(path.entity.name).\(attribute.name)`"
          + " (\(attribute.type.rawValue))")
      return .never
    }
    return .comparison(operand, .equal, value, as: type)
  }

  /// Resolves a comparison with a row that several keys or a relationship
  /// identify.
  private mutating func hasIdentity(
    _ path: RowReferencePath, _ content: FieldContent
  ) -> ResolvedFilter {
    let (entity, keys) = (path.entity, path.entity.identifyingKeys)
    guard !keys.isEmpty else {
      issues.append("`\(entity.name)` has no unique attribute to identify a row")
      return .never
    }
    var parts = [content]
    if keys.count > 1, case .array(let elements) = content { parts = elements }
    guard parts.count == keys.count else {
      issues.append(
        "\(content) is not an identity of `\(entity.name)` (\(keys.joined(separator: ", ")))")
      return .never
    }
    return .and(
      zip(keys, parts).map { key, part in
        if let attribute = entity.attribute(key) { return hasValue(path, attribute, part) }
        guard let relationship = schema.compiled.entity(entity.name)?.relationship(key) else {
          return .never
        }
        return isRow(path.following(step(along: relationship)), .uniqueKey(part))
      })
  }

  mutating func oneOf(_ operand: Operand, _ values: [FieldContent]) -> ResolvedFilter {
    let alternatives = Filter.or(values.map { .comparison(operand, .equal, .constant($0)) })
    if row(operand) != nil { return resolve(alternatives) }
    let one = resolve(operand)
    var others: [FieldContent] = []
    for value in values where value != .null {
      guard
        case .constant(var other) = stored(constant(value, pairedWith: one), comparedWith: one),
        other != .null
      else { continue }
      if one.type == .decimal, case .int64(let integer) = other {
        other = .decimal(Decimal(integer))
      }
      let type = ValueType(other) ?? .null
      guard let compared = ComparedType(one.type, type) else {
        issues.append("\(description(operand, one)) cannot be compared with \(other)")
        return .never
      }
      // A list can have only one way to compare.
      guard compared == .plain || type == one.type else { return resolve(alternatives) }
      others.append(other)
    }
    return .oneOf(one, others, orNull: values.contains(.null))
  }

  mutating func text(_ operand: Operand, _ match: TextMatch) -> ResolvedFilter {
    let one = resolve(operand)
    if one.type != .string && one.type != .null {
      issues.append("\(description(operand, one)) is not text")
    }
    do {
      _ = try TextMatcher(match)
    } catch let issue as RegexIssue {
      issues.append("\(quoted(match.text)) for `\(operand)` \(issue)")
    } catch {
      issues.append(
        "\(match.text.debugDescription) for `\(operand)` is not a regular expression: \(error)")
    }
    return .text(one, match)
  }
}
