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
    guard let path = source, let earlierPath = earlier.source else { return issues }
    let (shared, other) = (path.components, earlierPath.components)
    if shared == other {
      issues.append(
        DeclarationIssue("`\(earlier.name)` and `\(name)` are both mapped to `\(path)`"))
    } else if shared.starts(with: other) || other.starts(with: shared) {
      issues.append(
        DeclarationIssue(
          "`\(earlier.name)` is mapped to `\(earlierPath)` and `\(name)` to `\(path)`:"
            + " one path lies inside the other"))
    } else if let (step, earlierStep) = zip(shared, other).first(where: { $0 != $1 }),
      step.isIndex != earlierStep.isIndex
    {
      issues.append(
        DeclarationIssue(
          "`\(earlier.name)` is mapped to `\(earlierPath)` and `\(name)` to `\(path)`:"
            + " one takes for an object what the other takes for an array"))
    }
    return issues
  }
}

extension FieldPath.Component {
  fileprivate var isIndex: Bool {
    if case .index = self { true } else { false }
  }
}
