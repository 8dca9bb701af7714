/// The changes of the unknown members of an object, in order: a merge patch
/// (RFC 7396).
package struct MemberPatch: Sendable {
  /// The change of the member at a path.
  struct Entry: Sendable {
    let path: FieldPath
    let change: MemberChange
    /// Whether keys of the object are mapped to values inside the member.
    var containsKeys = false

    /// Whether a merge patch can express the change.
    fileprivate func isExpressible<Member: FieldValue>(as type: Member.Type) -> Bool {
      // A patch replaces arrays as a whole.
      if case .value = change, path.arrayPath != nil { return true }
      return change.isExpressible(as: type)
    }
  }

  /// The unknown members of two models.
  struct Endpoints: Sendable {
    let old: any Sendable
    let new: any Sendable
  }

  var entries: [Entry] = []

  /// Whether each path has one entry, and an entry inside another path follows the
  /// removal of the value there.
  var isDistinct = true

  /// The models that the patch leads from and to. The new one has an order of
  /// members that a patch does not have.
  var endpoints: Endpoints?

  /// Returns the patch that has the effect of two patches in turn.
  func followed(by next: MemberPatch) -> MemberPatch {
    if entries.isEmpty { return next }
    if next.entries.isEmpty { return self }
    return MemberPatch(entries: entries + next.entries, isDistinct: false)
  }
}

extension MemberPatch {
  /// Creates the patch from some members to others.
  init<Member: FieldValue>(
    from old: [(name: String, value: Member)], to new: [(name: String, value: Member)]
  ) {
    let former = Dictionary(old.map { (MemberName($0.name), $0.value) }) { $1 }
    let names = Set(new.map { MemberName($0.name) })
    entries = old.filter { !names.contains(MemberName($0.name)) }
      .map { Entry(path: FieldPath(stringLiteral: $0.name), change: .removal) }
    for (name, value) in new {
      guard let change = MemberChange(from: former[MemberName(name)], to: value) else { continue }
      entries.append(Entry(path: FieldPath(stringLiteral: name), change: change))
    }
  }

  /// Returns the members that the patch assigns to an object without members.
  func assigned<Member: FieldValue>(as type: Member.Type) -> [(name: String, value: Member)] {
    guard isDistinct else {
      var patched = PatchedMembers<Member>([])
      patched.apply(self)
      return patched.members
    }
    return entries.compactMap { entry in
      entry.change.applied(to: nil as Member?).map { (entry.path.description, $0) }
    }
  }

  /// The changes to write, one for each path. Nil if a merge patch cannot
  /// express them.
  ///
  /// The removal of an object or array that contains keys is left to these keys.
  func written<Member: FieldValue>(of type: Member.Type) -> [Entry]? {
    guard let entries = isDistinct ? entries : composed(of: type) else { return nil }
    let written = entries.filter { !$0.containsKeys }
    return written.allSatisfy { $0.isExpressible(as: type) } ? written : nil
  }

  /// Returns one change for each path. Nil if no change has the effect of those of
  /// a path.
  private func composed<Member: FieldValue>(of type: Member.Type) -> [Entry]? {
    var composed: [Entry?] = []
    var tree = MemberTree()
    for entry in entries {
      guard let change = entry.change(after: composed, tree, as: type) else { return nil }
      if case .merge = change {
        // Each member inside has its own change.
        if let position = tree.position(at: entry.path) { composed[position] = nil }
        tree.remove(at: entry.path)
      } else {
        for position in tree.removeAll(in: entry.path) { composed[position] = nil }
      }
      tree.insert(composed.count, at: entry.path)
      composed.append(Entry(path: entry.path, change: change, containsKeys: entry.containsKeys))
    }
    return composed.compactMap { $0 }
  }
}

extension MemberPatch.Entry {
  /// Returns the change that has the effect of earlier entries and this one, or nil if
  /// together they change nothing.
  fileprivate func change<Member: FieldValue>(
    after earlier: [MemberPatch.Entry?], _ tree: MemberTree, as type: Member.Type
  ) -> MemberChange? {
    if let position = tree.position(at: path) {
      return earlier[position]?.change.followed(by: change, of: type)
    }
    // The members of a value that was removed do not stay.
    guard case .merge = change, let outer = tree.outerPosition(of: path),
      case .removal? = earlier[outer.position]?.change
    else { return change }
    return change.applied(to: nil as Member?).map { .value($0) }
  }
}
