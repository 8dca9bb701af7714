/// A mistake in the declaration of a mapping.
public struct DeclarationIssue: Hashable, Sendable, CustomStringConvertible {
  /// The mistake, with the names of the keys.
  public let description: String

  init(_ description: String) { self.description = description }

  static func issues(of name: String, keys: [FieldKey]) -> [DeclarationIssue] {
    var issues = name.isEmpty ? ["the mapping has no name"] : []
    let keys = keys.filter { !$0.isTransient }
    for (position, key) in keys.enumerated() {
      issues += key.issues
      for earlier in keys[..<position] { issues += key.conflicts(with: earlier) }
    }
    return issues.map(DeclarationIssue.init)
  }
}

/// Something that cannot be checked before a model is read. It is not a
/// mistake.
public struct DeclarationNote: Hashable, Sendable, CustomStringConvertible {
  /// The note, with the names of the keys.
  public let description: String

  init(_ description: String) { self.description = description }
}

extension FieldKey {
  fileprivate var issues: [String] {
    var issues: [String] = []
    if name.lowercased().hasPrefix("_moho") {
      issues.append("names that start with `_moho` are reserved")
    }
    if traits.isSuperset(of: [.nilAsNull, .nilOmitted]) {
      issues.append("the traits `nilAsNull` and `nilOmitted` exclude each other")
    }
    if traits.contains(.documentOnly) {
      if traits.contains(.storeOnly) {
        issues.append("the traits `documentOnly` and `storeOnly` exclude each other")
      }
      if traits.contains(.unique) || traits.contains(.indexed) {
        issues.append("a key that is not stored cannot be unique or indexed")
      }
      if relation != nil { issues.append("a key that is not stored cannot be a relation") }
      if !isOptional && !hasDefault {
        issues.append("a key that is not stored must be optional or have a default")
      }
    }
    if traits.contains(.searchable), let issue = searchIssue { issues.append(issue) }
    issues += FieldPath.problems(source, alternatives) + problems
    return (name.isEmpty ? ["a key has no name"] : []) + issues.map { "`\(name)`: \($0)" }
  }

  /// Why the key cannot be searchable, or nil if it can.
  private var searchIssue: String? {
    if !isStored { return "a key that is not stored cannot be searchable" }
    if relation != nil {
      return "a relation cannot be searchable; declare the keys of the related model as searchable"
    }
    return type == .string ? nil : "only text can be searchable, and the key is \(type.rawValue)"
  }

  fileprivate func conflicts(with earlier: FieldKey) -> [String] {
    var conflicts: [String] = []
    if name == earlier.name {
      conflicts.append("two keys have the name `\(name)`")
      // They have the same path because they have the same name.
      if source == earlier.source { return conflicts }
    } else if name.lowercased() == earlier.name.lowercased() {
      // SQLite compares column names without case.
      conflicts.append("`\(earlier.name)` and `\(name)` have the same name")
    }
    // The keys of inlined models are checked when these models are declared.
    guard !isInlined, !earlier.isInlined, let claim, let earlierClaim = earlier.claim else {
      return conflicts
    }
    return conflicts + PathClaim.conflicts(earlierClaim, claim)
  }

  /// The paths that the key claims, or nil if documents do not hold it.
  var claim: PathClaim? {
    source.map { PathClaim(name: name, path: $0, alternatives: alternatives) }
  }
}
