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
    if traits.isSuperset(of: [.nilAsNull, .nilOmitted]) {
      issues.append(DeclarationIssue("`\(name)`: nil is both written as null and left out"))
    }
    if traits.contains(.documentOnly) {
      if traits.contains(.storeOnly) {
        issues.append(DeclarationIssue("`\(name)`: neither documents nor a store hold the key"))
      }
      if traits.contains(.unique) || traits.contains(.indexed) {
        issues.append(
          DeclarationIssue("`\(name)`: a store does not hold the key, and cannot index it"))
      }
      if relation != nil {
        issues.append(
          DeclarationIssue("`\(name)`: a store does not hold the key, and cannot relate it"))
      }
    }
    let problems = FieldPath.problems(source, alternatives) + problems
    return issues + problems.map { DeclarationIssue("`\(name)`: \($0)") }
  }

  fileprivate func conflicts(with earlier: MappingKey) -> [DeclarationIssue] {
    var issues: [DeclarationIssue] = []
    // Columns are compared as SQLite compares them.
    if name.lowercased() == earlier.name.lowercased() {
      issues.append(DeclarationIssue("`\(earlier.name)` and `\(name)` have the same name"))
    }
    // What lies inside is looked at once the models inside are declared.
    guard !isInlined, !earlier.isInlined, let claim, let earlierClaim = earlier.claim else {
      return issues
    }
    return issues + DeclarationIssue.conflicts(earlierClaim, claim)
  }

  /// What the key claims of the object; nil where documents do not hold it.
  var claim: PathClaim? {
    source.map { PathClaim(name: name, path: $0, alternatives: alternatives) }
  }
}
