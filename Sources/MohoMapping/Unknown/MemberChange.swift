/// What a merge patch (RFC 7396) does with one member of an object.
package enum MemberChange: Sendable {
  /// The member is removed.
  case removal
  /// The member gets a value of the type of the members.
  case value(any Sendable)
  /// The members of the value are changed one by one. The patch is a
  /// ``MergeableMembers/Patch`` of the type of the members.
  case merge(any Sendable)
}

/// A value whose own members a merge patch changes one by one.
package protocol MergeableMembers: FieldValue {
  /// Changes of members.
  associatedtype Patch: Sendable

  /// Reads the change that a value of a patch describes. The value is not null.
  static func change(from decoder: any FieldDecoder, at index: Int) throws -> MemberChange

  /// Returns the value that a patch makes of a stored value. A value without
  /// members, or nil, is an empty object.
  static func merging(_ patch: Patch, into stored: Self?) -> Self

  /// Returns the change from one value, or from nothing, to another value. Nil
  /// if no patch changes anything.
  static func difference(from old: Self?, to new: Self) -> MemberChange?

  /// Returns a patch that has the effect of two patches in turn. Nil if no
  /// patch has it.
  static func composing(_ first: Patch, _ second: Patch) -> Patch?

  /// Returns the changes of the members of an object, by name.
  static func parts(of patch: Patch) -> [(name: String, change: MemberChange)]

  /// Returns a patch that changes one member. Nil if no patch does it.
  static func patch(of name: String, _ change: MemberChange) -> Patch?

  /// Writes a patch: null for each member that it removes.
  static func encode(_ patch: Patch, to encoder: any FieldEncoder, at index: Int) throws

  /// Whether a merge patch can express all changes of a patch.
  static func isExpressible(_ patch: Patch) -> Bool

  /// Whether a patch can assign the value: it is neither null nor an object, which
  /// a patch merges.
  var isAssignable: Bool { get }
}

extension MemberChange {
  /// Reads the change of a member of a type from a patch.
  init<Member: FieldValue>(
    of type: Member.Type, from decoder: any FieldDecoder, at index: Int
  ) throws {
    if try decoder.isNull(at: index) {
      self = .removal
    } else if let type = type as? any MergeableMembers.Type {
      self = try type.change(from: decoder, at: index)
    } else {
      self = .value(try Member.decode(from: decoder, at: index))
    }
  }

  /// Returns the change from one member, or from nothing, to another member. Nil
  /// if they are equal, or differ only in the order of members.
  init?<Member: FieldValue>(from old: Member?, to new: Member) {
    if let old, let content = try? FieldRecorder.content(of: old),
      content == (try? FieldRecorder.content(of: new))
    {
      return nil
    }
    if let type = Member.self as? any MergeableMembers.Type {
      guard let change = type.erasedDifference(from: old, to: new) else { return nil }
      self = change
    } else {
      self = .value(new)
    }
  }

  /// Returns the member after the change. Nil if the change removes it.
  func applied<Member: FieldValue>(to stored: Member?) -> Member? {
    switch self {
    case .removal: return nil
    case .value(let value): return value as? Member ?? stored
    case .merge(let patch):
      guard let type = Member.self as? any MergeableMembers.Type else { return stored }
      return type.merging(erased: patch, into: stored) as? Member ?? stored
    }
  }

  /// Returns the change that has the effect of this change and another one in
  /// turn. Nil if it cannot be expressed.
  func followed<Member: FieldValue>(
    by next: MemberChange, of type: Member.Type
  ) -> MemberChange? {
    switch (self, next) {
    case (.merge(let first), .merge(let second)):
      return (type as? any MergeableMembers.Type)?.composing(erased: first, second)
        .map { .merge($0) }
    case (.value, .merge):
      return next.applied(to: applied(to: nil as Member?)).map { .value($0) }
    case (.removal, .merge):
      return next.applied(to: nil as Member?).map { .value($0) }
    case (_, .value), (_, .removal): return next
    }
  }

  /// The changes of the members of an object. Nil if the change replaces it.
  func parts<Member: FieldValue>(
    of type: Member.Type
  ) -> [(name: String, change: MemberChange)]? {
    guard case .merge(let patch) = self, let type = type as? any MergeableMembers.Type else {
      return nil
    }
    return type.parts(ofErased: patch)
  }

  /// Returns the change of an object that makes this change of a member inside.
  func inside<Member: FieldValue>(
    _ steps: ArraySlice<FieldPath.Component>, of type: Member.Type
  ) -> MemberChange? {
    guard let type = type as? any MergeableMembers.Type else { return nil }
    var change = self
    for step in steps.reversed() {
      guard case .key(let name) = step, let outer = type.erasedPatch(of: name, change) else {
        return nil
      }
      change = .merge(outer)
    }
    return change
  }

  /// Whether a merge patch can express the change. It can neither assign null
  /// nor replace an object.
  func isExpressible<Member: FieldValue>(as type: Member.Type) -> Bool {
    switch self {
    case .removal: return true
    case .value(let value):
      if let value = value as? any MergeableMembers { return value.isAssignable }
      return unwrapped(value) != nil
    case .merge(let patch):
      return (type as? any MergeableMembers.Type)?.isExpressible(erased: patch) ?? true
    }
  }

  /// Writes the change of a member.
  func encode<Member: FieldValue>(
    as type: Member.Type, to encoder: any FieldEncoder, at index: Int
  ) throws {
    switch self {
    case .removal: try encoder.encodeNull(at: index)
    case .value(let value): try (value as? Member)?.encode(to: encoder, at: index)
    case .merge(let patch):
      try (type as? any MergeableMembers.Type)?.encode(erased: patch, to: encoder, at: index)
    }
  }
}

extension MergeableMembers {
  fileprivate static func erasedDifference(from old: Any?, to new: Any) -> MemberChange? {
    (new as? Self).flatMap { difference(from: old as? Self, to: $0) }
  }

  fileprivate static func merging(erased patch: any Sendable, into stored: Any?) -> Any? {
    (patch as? Patch).map { merging($0, into: stored as? Self) }
  }

  fileprivate static func composing(
    erased first: any Sendable, _ second: any Sendable
  ) -> (any Sendable)? {
    guard let first = first as? Patch, let second = second as? Patch else { return nil }
    return composing(first, second)
  }

  fileprivate static func parts(
    ofErased patch: any Sendable
  ) -> [(name: String, change: MemberChange)]? {
    (patch as? Patch).map { parts(of: $0) }
  }

  fileprivate static func erasedPatch(
    of name: String, _ change: MemberChange
  ) -> (any Sendable)? {
    patch(of: name, change)
  }

  fileprivate static func isExpressible(erased patch: any Sendable) -> Bool {
    (patch as? Patch).map { isExpressible($0) } ?? true
  }

  fileprivate static func encode(
    erased patch: any Sendable, to encoder: any FieldEncoder, at index: Int
  ) throws {
    guard let patch = patch as? Patch else { return }
    try encode(patch, to: encoder, at: index)
  }
}
