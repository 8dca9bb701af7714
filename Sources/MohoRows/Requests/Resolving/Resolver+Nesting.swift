import Foundation
import MohoMapping

extension Resolver {
  /// Looks up a key of the model that an attribute stores. Returns nil and adds
  /// an issue if requests cannot use the key.
  ///
  /// - Parameters:
  ///   - name: The whole path of the key.
  ///   - position: The index of the attribute in the path.
  mutating func nested(
    _ path: RowReferencePath, _ attribute: Attribute, _ name: KeyName, at position: Int
  ) -> ResolvedKey? {
    let names = Array(name.path[(position + 1)...])
    let key = "`\(path.entity.name).\(attribute.name)`"
    guard attribute.type == .structured else {
      issues.append("\(key) is not a relationship and has no key `\(names[0])`")
      return nil
    }
    guard let model = attribute.nestedModel.schema?() ?? name.nestedModel.schema?() else {
      issues.append("\(key) is not a nested model and has no key `\(names[0])`")
      return nil
    }
    do {
      return .nested(path, attribute, try NestedKey(names, in: model))
    } catch {
      issues.append(error.issue)
      return nil
    }
  }

  /// Resolves a comparison of a structured value inside a nested model with nil.
  /// Returns nil for any other comparison.
  mutating func compareStructure(
    _ left: Operand, _ comparison: Filter.Comparison, _ right: Operand
  ) -> ResolvedFilter? {
    guard comparison == .equal || comparison == .notEqual, case .constant(.null) = right.kind,
      case .key(let name) = left.kind
    else { return nil }
    // Resolving the operand finds the same issues again.
    let known = issues
    defer { issues = known }
    guard case .nested(let path, let attribute, let key) = resolveKey(name) else { return nil }
    return .comparison(
      .nested(path, attribute, key), comparison, .constant(.null), as: .plain)
  }

  /// Resolves a key of a nested model as a value. Adds an issue if the value has
  /// a structure.
  mutating func nestedValue(_ name: KeyName, _ operand: ResolvedOperand) -> ResolvedOperand {
    guard case .nested(_, _, let key) = operand, key.path.form == .structured else {
      return operand
    }
    issues.append(
      "`\(self.name(name))` is stored as JSON inside of a nested model; requests can only compare"
        + " it with nil")
    return .constant(.null)
  }
}

extension NestedKey {
  /// Returns a constant in the form of the values that it is compared with.
  func stored(_ constant: FieldContent) -> FieldContent? {
    switch (path.form, constant) {
    case (.date, .date): path.form.stored(constant)
    case (.unsigned, .int64(let value)): .decimal(Decimal(value))
    case (.unsigned, .uint64(let value)): .decimal(Decimal(value))
    default: nil
    }
  }
}

extension NestedKey.Problem {
  fileprivate var issue: String {
    switch self {
    case .unknown(let name, let model, let others):
      "`\(model)` has no key `\(name)`" + suggestion(for: name, among: others)
    case .notStored(let key, let model): "`\(model).\(key)` is not stored"
    case .notNested(let key, let model, let name):
      "`\(model).\(key)` is not a nested model and has no key `\(name)`"
    case .variant(let model, let discriminator?):
      "`\(model)` has several variants: requests can only use its key `\(discriminator)`"
    case .variant(let model, nil):
      "`\(model)` has several variants: requests cannot use their keys"
    case .otherMapping(let model):
      "`\(model)` is nested by another mapping than that of its type: requests cannot use its keys"
    case .unknownMembers(let key, let model):
      "`\(model).\(key)` receives unknown members: requests cannot use it"
    case .uncertainAbsence(let key, let model):
      "`\(model).\(key)` is an inlined model that receives unknown members: requests cannot use"
        + " its keys"
    case .unknownDateFormat(let key, let model):
      "`\(model).\(key)` is a date with its own functions: requests require a transform that"
        + " declares its schema"
    }
  }
}

/// Returns a suggestion with the most similar name, or an empty string.
func suggestion(for name: String, among names: [String]) -> String {
  let near =
    similar(to: name, among: names)
    ?? names.first { name.count > 2 && ($0.hasPrefix(name) || name.hasPrefix($0)) }
  return near.map { "; did you mean `\($0)`?" } ?? ""
}
