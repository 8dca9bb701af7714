/// The paths of an object that one key claims.
struct PathClaim {
  /// The name of the key, for messages.
  let name: String
  /// The path that is read and written.
  let path: FieldPath
  /// Further paths that are read if the first one has no value.
  let alternatives: [FieldPath]

  /// Returns why two keys of one object cannot both have their paths.
  static func conflicts(_ earlier: PathClaim, _ later: PathClaim) -> [String] {
    var conflicts: [String] = []
    if let conflict = pathConflict(earlier, later) { conflicts.append(conflict) }
    for (mapped, other) in [(earlier, later), (later, earlier)] {
      // Compare the paths of the arrays: a collecting alternative finds
      // something in any array that is written, and the other way around.
      for path in other.alternatives where mapped.path.valuePath.overlaps(path.valuePath) {
        conflicts.append(
          "`\(mapped.name)` is mapped to `\(mapped.path)`, and `\(other.name)` has the alternative"
            + " path `\(path)`: the value of one key would be read for the other")
      }
    }
    for one in earlier.alternatives {
      for other in later.alternatives where one.overlaps(other) {
        conflicts.append(
          "`\(earlier.name)` has the alternative path `\(one)`, and `\(later.name)` has `\(other)`:"
            + " both keys would be read from one value")
      }
    }
    return conflicts
  }

  private static func pathConflict(_ earlier: PathClaim, _ later: PathClaim) -> String? {
    let (one, other) = (earlier.path.components, later.path.components)
    if one == other {
      return "`\(earlier.name)` and `\(later.name)` are both mapped to `\(later.path)`"
    }
    let mapped =
      "`\(earlier.name)` is mapped to `\(earlier.path)` and `\(later.name)` to `\(later.path)`"
    if let array = earlier.path.array(sharedWith: later.path) {
      return "\(mapped): map `\(array)` to an array of models instead"
    }
    if earlier.path.overlaps(later.path) { return "\(mapped): one path is inside the other" }
    if let (step, otherStep) = zip(one, other).first(where: { $0 != $1 }),
      step.isKey != otherStep.isKey
    {
      return "\(mapped): one path expects an object where the other expects an array"
    }
    return nil
  }
}

extension FieldPath {
  /// Returns what is wrong with the paths of one key, alone and together.
  static func problems(_ source: FieldPath?, _ alternatives: [FieldPath]) -> [String] {
    let paths = [source].compactMap { $0 } + alternatives
    var problems = paths.compactMap(\.problem) + paths.compactMap(\.reservation)
    for (position, path) in paths.enumerated() {
      for earlier in paths[..<position] {
        if earlier == path {
          problems.append("the path `\(path)` is declared twice")
        } else if path.components.starts(with: earlier.components) {
          problems.append(
            "`\(path)` is inside `\(earlier)`, which is read first: declare the deeper path first"
          )
        }
      }
    }
    return problems
  }

  /// Why the path cannot be declared: columns with structured values add members of their
  /// own, such as the order of unknown members. Nil if it can.
  private var reservation: String? {
    let isReserved = components.contains { component in
      guard case .key(let name) = component else { return false }
      return name.utf8.starts(with: PreservedJSON.reservedPrefix.utf8)
    }
    return isReserved
      ? "the path `\(self)` has a member that starts with `\(PreservedJSON.reservedPrefix)`, which"
        + " is reserved" : nil
  }

  /// Returns what is wrong with a collecting path if the key does not hold as
  /// many nested arrays as the path collects.
  func collectingProblems<Value>(of transform: Transform<Value>) -> [String] {
    guard transform.type == .array else {
      return ["`\(self)` collects an array, but the key has type \(transform.type.rawValue)"]
    }
    let recorder = FieldRecorder()
    // Nested models are excluded: their mappings may need this one, which does
    // not exist yet.
    let context = SampleContext(models: .none)
    if let sample = transform.sample(FieldSample(position: 0, context: context)) {
      try? transform.write(sample, recorder, 0)
    }
    let depth = components.count { $0 == .each }
    guard let known = recorder.contents.first?.arrayDepth, known < depth else { return [] }
    return ["`\(self)` collects \(depth) levels of arrays, but the key holds \(known)"]
  }

  /// Whether the paths are equal, or one is inside the other.
  func overlaps(_ other: FieldPath) -> Bool {
    components.starts(with: other.components) || other.components.starts(with: components)
  }

  /// The array that one of two paths collects from and that the other path
  /// reaches or enters.
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

extension FieldContent {
  /// The number of nested arrays, or nil if empty arrays or null hide it.
  fileprivate var arrayDepth: Int? {
    switch self {
    case .null: nil
    case .array(let elements): elements.first?.arrayDepth.map { $0 + 1 }
    default: 0
    }
  }
}
