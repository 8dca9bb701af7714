/// The changes of the unknown members of an object, in order: a merge patch
/// (RFC 7396).
package struct MemberPatch: Sendable {
  /// The change of the member at a path.
  struct Entry: Sendable {
    let path: FieldPath
    let change: MemberChange
    /// Whether keys of the object are mapped to values inside the member.
    var containsKeys = false
  }

  /// The unknown members of two models.
  struct Endpoints: Sendable {
    let old: any Sendable
    let new: any Sendable
  }

  var entries: [Entry] = []

  /// The models that the patch leads from and to. The new one has an order of
  /// members that a patch does not have.
  var endpoints: Endpoints?

  /// Returns the patch that has the effect of two patches in turn.
  func followed(by next: MemberPatch) -> MemberPatch {
    MemberPatch(entries: entries + next.entries)
  }
}

/// The unknown members of an object, by their paths.
struct PatchedMembers<Member: FieldValue> {
  private(set) var members: [(name: String, value: Member)]
  private var paths: [FieldPath]

  init(_ members: [(name: String, value: Member)]) {
    self.members = members
    paths = members.map { FieldPath(stringLiteral: $0.name) }
  }

  mutating func apply(_ patch: MemberPatch) {
    for entry in patch.entries { apply(entry.change, at: entry.path) }
  }

  // The paths of stored members depend on the keys of the object, such as those
  // of a variant. They can be inside the path of a change, and the reverse.
  private mutating func apply(_ change: MemberChange, at path: FieldPath) {
    let steps = path.components
    if let position = paths.firstIndex(where: { $0.components == steps }) {
      return set(change.applied(to: members[position].value), at: position)
    }
    if let position = paths.firstIndex(where: { steps.starts(with: $0.components) }) {
      let rest = steps[paths[position].components.count...]
      if let change = change.inside(rest, of: Member.self) {
        return set(change.applied(to: members[position].value), at: position)
      }
      set(nil, at: position)
    }
    let isInside = { (inner: FieldPath) in inner.components.starts(with: steps) }
    if paths.contains(where: isInside) {
      if let parts = change.parts(of: Member.self) {
        for part in parts { apply(part.change, at: path.appending(.key(part.name))) }
        return
      }
      for position in paths.indices.reversed() where isInside(paths[position]) {
        set(nil, at: position)
      }
    }
    guard let value = change.applied(to: nil as Member?) else { return }
    members.append((path.description, value))
    paths.append(path)
  }

  private mutating func set(_ value: Member?, at position: Int) {
    if let value {
      members[position].value = value
    } else {
      members.remove(at: position)
      paths.remove(at: position)
    }
  }
}

extension MemberPatch {
  /// Creates the patch from some members to others. Nil if they are equal.
  init?<Member: FieldValue>(
    from old: [(name: String, value: Member)], to new: [(name: String, value: Member)]
  ) {
    let former = Dictionary(old) { $1 }
    let names = Set(new.map(\.name))
    entries = old.filter { !names.contains($0.name) }
      .map { Entry(path: FieldPath(stringLiteral: $0.name), change: .removal) }
    for (name, value) in new {
      guard let change = MemberChange(from: former[name], to: value) else { continue }
      entries.append(Entry(path: FieldPath(stringLiteral: name), change: change))
    }
    if entries.isEmpty { return nil }
  }

  /// The changes to write, one for each path. Nil if a merge patch cannot
  /// express them.
  ///
  /// Null for an object that contains keys is left to these keys.
  func written<Member: FieldValue>(of type: Member.Type) -> [Entry]? {
    var written: [Entry] = []
    for entry in entries {
      var change = entry.change
      let steps = entry.path.components
      if let position = written.firstIndex(where: { $0.path.components == steps }) {
        guard let both = written.remove(at: position).change.followed(by: change, of: type) else {
          return nil
        }
        change = both
      } else if case .merge = change {
        // Each member inside has its own change.
      } else {
        written.removeAll { $0.path.components.starts(with: steps) }
      }
      written.append(Entry(path: entry.path, change: change, containsKeys: entry.containsKeys))
    }
    written.removeAll { $0.containsKeys }
    return written.allSatisfy(\.change.isExpressible) ? written : nil
  }
}
