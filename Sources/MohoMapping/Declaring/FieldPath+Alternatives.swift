extension FieldPath {
  /// What is wrong with the paths of one key, by themselves and together.
  static func problems(_ source: FieldPath?, _ alternatives: [FieldPath]) -> [String] {
    let paths = [source].compactMap { $0 } + alternatives
    var problems = paths.compactMap(\.problem)
    for (position, path) in paths.enumerated() {
      for earlier in paths[..<position] {
        if earlier == path {
          problems.append("the path `\(path)` is there twice")
        } else if path.components.starts(with: earlier.components) {
          problems.append(
            "`\(path)` lies inside `\(earlier)`, which is looked at before it:"
              + " put the deeper path first")
        }
      }
    }
    return problems
  }
}
