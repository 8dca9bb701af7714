extension Dictionary: MergeableMembers where Key == String, Value: FieldValue {
  /// The changes of members.
  package typealias Patch = [String: MemberChange]

  package static func change(
    from decoder: any FieldDecoder, at index: Int
  ) throws -> MemberChange {
    let members = try decoder.dictionary(at: index)
    let changes = try readAll(members.names.count) { position in
      try MemberChange(of: Value.self, from: members.decoder, at: position)
    }
    return .merge(Patch(zip(members.names, changes)) { $1 })
  }

  package static func merging(_ patch: Patch, into stored: [String: Value]?) -> [String: Value] {
    var merged = stored ?? [:]
    for (name, change) in patch { merged[name] = change.applied(to: merged[name]) }
    return merged
  }

  package static func difference(
    from old: [String: Value]?, to new: [String: Value]
  ) -> MemberChange? {
    var patch: Patch = [:]
    for name in (old ?? [:]).keys where new[name] == nil { patch[name] = .removal }
    for (name, value) in new { patch[name] = MemberChange(from: old?[name], to: value) }
    return old != nil && patch.isEmpty ? nil : .merge(patch)
  }

  package static func composing(_ first: Patch, _ second: Patch) -> Patch? {
    var composed = first
    for (name, change) in second {
      guard let earlier = composed[name] else {
        composed[name] = change
        continue
      }
      guard let both = earlier.followed(by: change, of: Value.self) else { return nil }
      composed[name] = both
    }
    return composed
  }

  package static func parts(of patch: Patch) -> [(name: String, change: MemberChange)] {
    patch.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  package static func patch(of name: String, _ change: MemberChange) -> Patch? { [name: change] }

  package static func encode(
    _ patch: Patch, to encoder: any FieldEncoder, at index: Int
  ) throws {
    let parts = parts(of: patch)
    try encoder.encodeDictionary(at: index, names: parts.map(\.name)) { encoder in
      for (position, part) in parts.enumerated() {
        try part.change.encode(as: Value.self, to: encoder, at: position)
      }
    }
  }

  package static func isExpressible(_ patch: Patch) -> Bool {
    patch.values.allSatisfy { $0.isExpressible(as: Value.self) }
  }

  package var isAssignable: Bool { false }
}
