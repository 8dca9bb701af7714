/// A field of a `Codable` container: its path, and the value found there.
struct CodableField {
  /// The path from the containing object; nil for keys that only a store has.
  let path: FieldPath?
  let finding: DecoderValue.Finding

  private init(_ path: FieldPath?, in members: DecoderValue.Members) {
    self.path = path
    finding = path.map { DecoderValue.find($0, in: members) } ?? .nothing
  }

  /// The field of a key: at its path, or at the first alternative path that exists.
  static func find(
    _ key: FieldKey, in members: DecoderValue.Members, isStored: Bool
  ) -> CodableField {
    let own = CodableField(key.path(isStored: isStored), in: members)
    // A key that only documents hold has no path in stored text.
    let alternatives = key.alternatives(isStored: isStored)
    guard !alternatives.isEmpty, own.path != nil, !own.isSomething else { return own }
    let others = alternatives.lazy.map { CodableField($0, in: members) }
    return others.first(where: \.isSomething) ?? own
  }

  /// The position of the path at which a key is read: 0 for its own path. Nil if no
  /// path exists.
  static func pathRead(
    _ key: FieldKey, in members: DecoderValue.Members, isStored: Bool
  ) -> Int? {
    guard key.path(isStored: isStored) != nil else { return 0 }
    return key.paths.firstIndex { CodableField($0, in: members).isSomething }
  }

  /// The field at a path inside an element or a member.
  init(
    _ part: (step: FieldPath.Component, value: DecoderValue?), inside: FieldPath
  ) {
    let path = FieldPath([part.step]).appending(inside)
    self.path = path
    finding = DecoderValue.find(path.components[1...], from: part.value.map { .value($0) } ?? .null)
  }

  /// The field that is the whole value.
  init(whole value: DecoderValue?) {
    path = nil
    finding = value.map { .value($0) } ?? .null
  }

  /// The field of an unknown member.
  init(_ member: DecoderValue.UnknownMember) {
    path = member.path
    finding = member.value.map { .value($0) } ?? .null
  }

  /// Whether the path exists. A path that collects does not exist if every element of
  /// the array is an obstacle.
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
        let finding = DecoderValue.find(inside.components[...], from: .value(element))
        return if case .obstacle = finding { false } else { true }
      }
    }
  }
}
