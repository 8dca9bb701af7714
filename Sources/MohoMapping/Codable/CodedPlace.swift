/// Where a field was found, and what there is.
struct CodedPlace {
  /// The way from the value that the fields are part of; nil for keys that only
  /// a store holds.
  let path: FieldPath?
  let finding: CodedValue.Finding

  private init(_ path: FieldPath?, in members: CodedValue.CodedMembers) {
    self.path = path
    finding = path.map { CodedValue.find($0, in: members) } ?? .nothing
  }

  /// Looks for a key at its paths: at its own, unless there is something only
  /// at an alternative.
  static func find(
    _ key: MappingKey, in members: CodedValue.CodedMembers, isStored: Bool
  ) -> CodedPlace {
    let own = CodedPlace(key.path(isStored: isStored), in: members)
    guard !key.alternatives.isEmpty, !own.isSomething else { return own }
    let others = key.alternatives.lazy.map { CodedPlace($0, in: members) }
    return others.first(where: \.isSomething) ?? own
  }

  /// Looks inside a part of an array or a dictionary.
  init(
    _ part: (step: FieldPath.Component, value: CodedValue?), inside: FieldPath
  ) {
    let path = FieldPath([part.step]).appending(inside)
    self.path = path
    finding = CodedValue.find(path.components[1...], from: part.value.map { .value($0) } ?? .null)
  }

  /// Is at a value that is no part of another.
  init(whole value: CodedValue?) {
    path = nil
    finding = value.map { .value($0) } ?? .null
  }

  /// Is at what no key is mapped to.
  init(_ member: CodedValue.UnknownMember) {
    path = member.path
    finding = member.value.map { .value($0) } ?? .null
  }

  /// Whether there is anything: not where each element of an array that is
  /// collected from blocks the way.
  private var isSomething: Bool {
    switch finding {
    case .nothing, .obstacle: return false
    case .null: return true
    case .value(let value):
      guard let inside = path?.elementPath, let elements = value.elements, !elements.isEmpty else {
        return true
      }
      return elements.contains { element in
        guard let element else { return true }
        let finding = CodedValue.find(inside.components[...], from: .value(element))
        return if case .obstacle = finding { false } else { true }
      }
    }
  }
}
