/// The paths of an object that a key claims.
struct PathClaim {
  /// The key, for messages.
  let name: String
  /// Where the key is read and written.
  let path: FieldPath
  /// Where else it is read.
  let alternatives: [FieldPath]
}

extension DeclarationIssue {
  /// Why two keys of one object cannot have their paths; empty where they can.
  static func conflicts(_ earlier: PathClaim, _ later: PathClaim) -> [DeclarationIssue] {
    var conflicts: [String] = []
    if let conflict = conflictOfMapped(earlier, later) { conflicts.append(conflict) }
    for (mapped, other) in [(earlier, later), (later, earlier)] {
      // Whatever lies in an array that is written makes an alternative that
      // collects from it find something, and the other way round.
      for path in other.alternatives where mapped.path.valuePath.touches(path.valuePath) {
        conflicts.append(
          "`\(mapped.name)` is mapped to `\(mapped.path)` and `\(other.name)` looked for at"
            + " `\(path)`: what is written for one would be read for the other")
      }
    }
    for one in earlier.alternatives {
      for other in later.alternatives where one.touches(other) {
        conflicts.append(
          "`\(earlier.name)` is looked for at `\(one)` and `\(later.name)` at `\(other)`:"
            + " both would be read of one value")
      }
    }
    return conflicts.map(DeclarationIssue.init)
  }

  private static func conflictOfMapped(_ earlier: PathClaim, _ later: PathClaim) -> String? {
    let (one, other) = (earlier.path.components, later.path.components)
    if one == other {
      return "`\(earlier.name)` and `\(later.name)` are both mapped to `\(later.path)`"
    }
    let mapped =
      "`\(earlier.name)` is mapped to `\(earlier.path)` and `\(later.name)` to `\(later.path)`"
    if let array = earlier.path.array(sharedWith: later.path) {
      return "\(mapped): map `\(array)` to an array of models instead"
    }
    if earlier.path.touches(later.path) { return "\(mapped): one path lies inside the other" }
    if let (step, otherStep) = zip(one, other).first(where: { $0 != $1 }),
      step.isKey != otherStep.isKey
    {
      return "\(mapped): one takes for an object what the other takes for an array"
    }
    return nil
  }
}

extension FieldPath {
  /// Whether two paths are one, or one lies inside the other.
  func touches(_ other: FieldPath) -> Bool {
    components.starts(with: other.components) || other.components.starts(with: components)
  }

  /// The array that one of two paths collects from, and that the other leads to
  /// or into.
  fileprivate func array(sharedWith other: FieldPath) -> FieldPath? {
    if elementPath != nil, other.components.starts(with: valuePath.components) { return valuePath }
    if other.elementPath != nil, components.starts(with: other.valuePath.components) {
      return other.valuePath
    }
    return nil
  }
}

extension FieldPath.Component {
  fileprivate var isKey: Bool {
    if case .key = self { true } else { false }
  }
}
