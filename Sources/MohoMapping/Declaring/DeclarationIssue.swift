/// A mistake in the declaration of a mapping, found when the mapping is made.
public struct DeclarationIssue: Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, naming the keys.
  public let description: String

  init(_ description: String) { self.description = description }

  static func issues(of name: String, keys: [MappingKey]) -> [DeclarationIssue] {
    var issues: [DeclarationIssue] = []
    if name.isEmpty { issues.append(DeclarationIssue("the mapping has no name")) }
    let keys = keys.filter { !$0.isTransient }
    for (position, key) in keys.enumerated() {
      issues += key.issues
      for earlier in keys[..<position] { issues += key.conflicts(with: earlier) }
    }
    return issues
  }

  /// Why two keys of one object cannot be mapped to their paths, or nil where
  /// they can.
  static func conflict(
    _ earlier: (name: String, path: FieldPath), _ later: (name: String, path: FieldPath)
  ) -> DeclarationIssue? {
    let (one, other) = (earlier.path.components, later.path.components)
    if one == other {
      return DeclarationIssue(
        "`\(earlier.name)` and `\(later.name)` are both mapped to `\(later.path)`")
    }
    let mapped = "`\(earlier.name)` is mapped to `\(earlier.path)` and `\(later.name)` to"
    if one.starts(with: other) || other.starts(with: one) {
      return DeclarationIssue("\(mapped) `\(later.path)`: one path lies inside the other")
    }
    if let (step, otherStep) = zip(one, other).first(where: { $0 != $1 }),
      step.isIndex != otherStep.isIndex
    {
      return DeclarationIssue(
        "\(mapped) `\(later.path)`: one takes for an object what the other takes for an array")
    }
    return nil
  }
}

extension MappingKey {
  fileprivate var issues: [DeclarationIssue] {
    var issues: [DeclarationIssue] = []
    if name.isEmpty { issues.append(DeclarationIssue("a key has no name")) }
    if name.lowercased().hasPrefix("_moho") {
      issues.append(DeclarationIssue("`\(name)`: names that begin with `_moho` are reserved"))
    }
    if let problem = source?.problem {
      issues.append(DeclarationIssue("`\(name)`: \(problem)"))
    }
    issues += problems.map { DeclarationIssue("`\(name)`: \($0)") }
    return issues
  }

  fileprivate func conflicts(with earlier: MappingKey) -> [DeclarationIssue] {
    var issues: [DeclarationIssue] = []
    // Columns are compared as SQLite compares them.
    if name.lowercased() == earlier.name.lowercased() {
      issues.append(DeclarationIssue("`\(earlier.name)` and `\(name)` have the same name"))
    }
    // What lies inside is looked at once the models inside are declared.
    guard !isInlined, !earlier.isInlined, let path = source, let earlierPath = earlier.source
    else { return issues }
    if let issue = DeclarationIssue.conflict((earlier.name, earlierPath), (name, path)) {
      issues.append(issue)
    }
    return issues
  }
}

extension FieldPath.Component {
  fileprivate var isIndex: Bool {
    if case .index = self { true } else { false }
  }
}
