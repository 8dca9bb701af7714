/// Merge patches (RFC 7396) of JSON values.
// Not recursive: values may have any number of levels.
extension JSONValue {
  /// An object whose members are being merged.
  private struct Frame {
    /// The name of the object in the object around it.
    let name: String
    var result: MemberTable
    let patch: [Member]
    var position = 0

    init(name: String, _ value: JSONValue?, _ patch: Members) {
      self.name = name
      self.patch = patch.array
      result = MemberTable(value?.memberList ?? [])
    }
  }

  /// Returns what a merge patch makes of a value. A value that is not an object
  /// is an empty one.
  ///
  /// - Parameter keepsNull: Whether null is not removed, so that the result is
  ///   the patch that has the effect of both patches.
  /// - Returns: Nil if no patch has the effect of both.
  private static func merged(
    _ patch: Members, into value: JSONValue?, keepsNull: Bool = false
  ) -> JSONValue? {
    // Without null, only the members that the value already has are merged.
    if value?.memberList == nil, patch.text?.containsNull == false { return .object(patch) }
    var frames = [Frame(name: "", value, patch)]
    while var frame = frames.popLast() {
      guard frame.position < frame.patch.count else {
        let object = JSONValue.object(frame.result.members)
        guard var outer = frames.popLast() else { return object }
        outer.result.set(object, for: frame.name)
        frames.append(outer)
        continue
      }
      let member = frame.patch[frame.position]
      frame.position += 1
      switch member.value {
      case .null where !keepsNull: frame.result.set(nil, for: member.key)
      case .object(let inner):
        let stored = frame.result.value(for: member.key)
        if keepsNull, let stored, stored.memberList == nil { return nil }
        frames.append(frame)
        frame = Frame(name: member.key, stored, inner)
      default: frame.result.set(member.value, for: member.key)
      }
      frames.append(frame)
    }
    return nil
  }

  /// An object whose members are being compared.
  private struct Comparison {
    let name: String
    let old: MemberTable
    let new: [Member]
    var patch: MemberTable
    var position = 0

    init(name: String, _ old: Members, _ new: Members) {
      self.name = name
      self.new = new.array
      self.old = MemberTable(old)
      let names = MemberTable(new)
      patch = MemberTable(
        Members(old.filter { !names.contains($0.key) }.map { Member($0.key, .null) }))
    }
  }

  /// Returns the merge patch from one object to another one. Nil if a patch
  /// cannot express the difference, because it would have to assign null.
  private static func patch(from old: Members, to new: Members) -> Members? {
    var open = [Comparison(name: "", old, new)]
    while var current = open.popLast() {
      guard current.position < current.new.count else {
        let patch = current.patch.members
        guard var outer = open.popLast() else { return patch }
        if !patch.isEmpty { outer.patch.set(.object(patch), for: current.name) }
        open.append(outer)
        continue
      }
      let member = current.new[current.position]
      current.position += 1
      let former = current.old.value(for: member.key)
      switch (former, member.value) {
      case (.object(let former)?, .object(let value)) where former.isIdentical(to: value): break
      case (.object(let former)?, .object(let value)):
        // Equal objects have an empty patch. Comparing them here would compare the
        // innermost members at each level.
        open.append(current)
        current = Comparison(name: member.key, former, value)
      case (let former?, let value) where former == value: break
      default:
        if member.value.containsNull { return nil }
        current.patch.set(member.value, for: member.key)
      }
      open.append(current)
    }
    return nil
  }

  /// Whether the value is null or an object that contains null, except in
  /// arrays.
  private var containsNull: Bool {
    var pending = [self]
    while let value = pending.popLast() {
      if value == .null { return true }
      pending += (value.memberList ?? []).map(\.value)
    }
    return false
  }

  private var memberList: Members? {
    if case .object(let members) = self { members } else { nil }
  }
}

extension JSONValue: MergeableMembers {
  package typealias Patch = Members

  package static func change(
    from decoder: any FieldDecoder, at index: Int
  ) throws -> MemberChange {
    change(assigning: try .decode(from: decoder, at: index))
  }

  private static func change(assigning value: JSONValue) -> MemberChange {
    switch value {
    case .null: .removal
    case .object(let patch): .merge(patch)
    default: .value(value)
    }
  }

  package static func merging(_ patch: Members, into stored: JSONValue?) -> JSONValue {
    merged(patch, into: stored) ?? .object(patch)
  }

  package static func difference(from old: JSONValue?, to new: JSONValue) -> MemberChange? {
    guard case .object(let members) = new else { return .value(new) }
    let former = old?.memberList
    if former == nil { return new.containsNull ? .value(new) : .merge(members) }
    guard let patch = patch(from: former ?? [], to: members) else { return .value(new) }
    return patch.isEmpty ? nil : .merge(patch)
  }

  package static func composing(_ first: Members, _ second: Members) -> Members? {
    merged(second, into: .object(first), keepsNull: true)?.memberList
  }

  package static func parts(of patch: Members) -> [(name: String, change: MemberChange)] {
    patch.map { ($0.key, change(assigning: $0.value)) }
  }

  package static func patch(of name: String, _ change: MemberChange) -> Members? {
    switch change {
    case .removal: [Member(name, .null)]
    case .value(let value as JSONValue): value.isAssignable ? [Member(name, value)] : nil
    case .merge(let patch as Members): [Member(name, .object(patch))]
    default: nil
    }
  }

  package static func encode(
    _ patch: Members, to encoder: any FieldEncoder, at index: Int
  ) throws {
    try JSONValue.object(patch).encode(to: encoder, at: index)
  }

  package static func isExpressible(_ patch: Members) -> Bool { true }

  package var isAssignable: Bool { kind != .null && kind != .object }
}
