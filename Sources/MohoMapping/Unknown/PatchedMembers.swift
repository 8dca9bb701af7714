/// The unknown members of an object, in order, while a patch changes them. A member
/// whose path is too long for a document is not part of others.
struct PatchedMembers<Member: FieldValue> {
  private var slots: [(name: String, value: Member)?]
  private var tree = MemberTree()

  /// The members that have not been removed.
  var members: [(name: String, value: Member)] { slots.compactMap { $0 } }

  init(_ members: [(name: String, value: Member)]) {
    slots = members
    for (position, member) in members.enumerated() {
      tree.insert(position, at: FieldPath(stringLiteral: member.name).treePath)
    }
  }

  /// - Complexity: Linear in the size of the patch, and of the members that it
  ///   changes.
  mutating func apply(_ patch: MemberPatch) {
    for entry in patch.entries {
      apply(entry.change, at: entry.path.treePath, named: entry.path.description)
    }
  }

  // The paths of stored members depend on the keys of the object, such as those
  // of a variant. They can be inside the path of a change, and the reverse.
  private mutating func apply(_ change: MemberChange, at path: FieldPath, named name: String) {
    if let position = tree.position(at: path) {
      return set(change.applied(to: slots[position]?.value), at: path, position)
    }
    if let outer = tree.outerPosition(of: path) {
      let steps = path.components
      let outerPath = FieldPath(Array(steps[..<outer.steps]))
      let inner = change.inside(steps[outer.steps...], of: Member.self)
      let value = inner?.applied(to: slots[outer.position]?.value)
      set(value, at: outerPath, outer.position)
      if inner != nil { return }
    }
    if tree.hasPositions(inside: path) {
      if let parts = change.parts(of: Member.self), canDescend(path) {
        for part in parts {
          let inner = path.appending(.key(part.name))
          apply(part.change, at: inner, named: inner.description)
        }
        return
      }
      for position in tree.removeAll(in: path) { slots[position] = nil }
    }
    guard let value = change.applied(to: nil as Member?) else { return }
    tree.insert(slots.count, at: path)
    slots.append((name, value))
  }

  /// Whether the members of an object at a path can be changed one by one: it is
  /// not an array, and the recursion is bounded.
  private func canDescend(_ path: FieldPath) -> Bool {
    !tree.hasElements(at: path) && path.components.count < FieldPath.maximumLength
  }

  private mutating func set(_ value: Member?, at path: FieldPath, _ position: Int) {
    if let value {
      slots[position]?.value = value
    } else {
      slots[position] = nil
      tree.remove(at: path)
    }
  }
}

extension FieldPath {
  /// The path of a member in the tree. A path that is too long for a document is one
  /// step.
  fileprivate var treePath: FieldPath {
    isTooLong ? FieldPath([.key(description)]) : self
  }
}
