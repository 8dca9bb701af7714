// Null in a patch removes a member, so that the changes are those of the wrapped type.
extension Optional: MergeableMembers where Wrapped: MergeableMembers {
  package typealias Patch = Wrapped.Patch

  package static func change(
    from decoder: any FieldDecoder, at index: Int
  ) throws -> MemberChange {
    try Wrapped.change(from: decoder, at: index)
  }

  package static func merging(_ patch: Patch, into stored: Self?) -> Self {
    Wrapped.merging(patch, into: stored ?? nil)
  }

  package static func difference(from old: Self?, to new: Self) -> MemberChange? {
    guard let new else {
      let none: Self = nil
      return .value(none)
    }
    return Wrapped.difference(from: old ?? nil, to: new)
  }

  package static func composing(_ first: Patch, _ second: Patch) -> Patch? {
    Wrapped.composing(first, second)
  }

  package static func parts(of patch: Patch) -> [(name: String, change: MemberChange)] {
    Wrapped.parts(of: patch)
  }

  package static func patch(of name: String, _ change: MemberChange) -> Patch? {
    Wrapped.patch(of: name, change)
  }

  package static func encode(_ patch: Patch, to encoder: any FieldEncoder, at index: Int) throws {
    try Wrapped.encode(patch, to: encoder, at: index)
  }

  package static func isExpressible(_ patch: Patch) -> Bool { Wrapped.isExpressible(patch) }

  package var isAssignable: Bool { self?.isAssignable ?? false }
}
