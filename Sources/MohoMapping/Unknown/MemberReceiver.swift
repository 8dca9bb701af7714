/// How a merge patch changes the unknown members that a key receives, or that an
/// inlined model does.
package struct MemberReceiver<Value: Sendable>: Sendable {
  /// Reads the changes that an object describes. Nil if it changes no member.
  let read: @Sendable (any MergePatchDecoder, Int) throws -> MemberPatch?
  /// Returns a value with changed members: those of the stored value. Other
  /// keys of an inlined model are those of the incoming value, if there is one.
  let apply: @Sendable (MemberPatch, _ stored: Value?, _ incoming: Value?) -> Value?
  /// Returns the changes from one value to another one, which are empty if they have
  /// equal members. Nil if they do not receive the members of the same object: one of
  /// two inlined models is nil, or they are different variants.
  let difference: @Sendable (_ old: Value, _ new: Value) -> MemberPatch?
  /// Returns the assignments of all members in elements of arrays.
  let elements: @Sendable (Value) -> [MemberPatch.Entry]
  /// Writes the changes, and the other keys of an inlined model.
  let write: @Sendable (MemberPatch, _ incoming: Value?, any FieldEncoder, Int) throws -> Void
  /// The access to the members, for moving them.
  var access: MemberAccess<Value>?
}

/// A decoder of merge patches.
package protocol MergePatchDecoder: FieldDecoder {
  /// Whether keys that receive unknown members are absent.
  var hidesUnknownMembers: Bool { get set }

  /// Returns the unknown members at a key that receives them, including null,
  /// and the paths of the objects and arrays that contain keys and that the
  /// patch replaces as a whole.
  func patchMembers(at index: Int) -> (members: FieldMembers, replaced: [FieldPath])

  /// Whether the patch removes a key that it does not contain: it has the array
  /// that contains the key in other documents.
  func removes(_ index: Int) -> Bool
}

extension MemberReceiver {
  /// Creates the receiver of a key.
  ///
  /// - Parameters:
  ///   - members: Returns the members of a value.
  ///   - make: Creates a value of members.
  ///   - stored: Returns what a store contains.
  package init<Member: FieldValue>(
    of type: Member.Type,
    members: @escaping @Sendable (Value) -> [(name: String, value: Member)],
    make: @escaping @Sendable ([(name: String, value: Member)]) -> Value,
    stored: @escaping @Sendable (Value) throws -> FieldContent
  ) {
    access = MemberAccess(of: type, members: members, make: make, stored: stored)
    read = { decoder, index in
      let found = decoder.patchMembers(at: index)
      let members = found.members
      let paths = members.names.map { FieldPath(stringLiteral: $0) }
      let changes = try readAll(paths.count) { position in
        // Null in an array is a value.
        paths[position].arrayPath == nil
          ? try MemberChange(of: type, from: members.decoder, at: position)
          : .value(try Member.decode(from: members.decoder, at: position))
      }
      let replaced = found.replaced.map {
        MemberPatch.Entry(path: $0, change: .removal, containsKeys: true)
      }
      let entries = zip(paths, changes).map { MemberPatch.Entry(path: $0, change: $1) }
      let all = replaced + entries
      return all.isEmpty ? nil : MemberPatch(entries: all)
    }
    apply = { patch, stored, _ in
      let old = stored.map(members) ?? []
      if let endpoints = patch.endpoints, let from = endpoints.old as? Value,
        let reached = endpoints.new as? Value, areEqual(members(from), old)
      {
        return reached
      }
      if old.isEmpty { return make(patch.assigned(as: type)) }
      var patched = PatchedMembers(old)
      patched.apply(patch)
      return make(patched.members)
    }
    difference = { old, new in
      var patch = MemberPatch(from: members(old), to: members(new))
      if !patch.entries.isEmpty || !areEqual(members(old), members(new)) {
        patch.endpoints = MemberPatch.Endpoints(old: old, new: new)
      }
      return patch
    }
    elements = { value in
      members(value).compactMap { name, value in
        let path = FieldPath(stringLiteral: name)
        return path.arrayPath == nil
          ? nil : MemberPatch.Entry(path: path, change: .value(value))
      }
    }
    write = { patch, _, encoder, index in
      guard let entries = patch.written(of: type) else {
        throw encoder.error(
          .unsupported, at: index,
          expected: "members that a merge patch can assign", found: "null or a replaced object")
      }
      let names = entries.map(\.path.description)
      try encoder.encodeDictionary(at: index, names: names) { encoder in
        for (position, entry) in entries.enumerated() {
          try entry.change.encode(as: type, to: encoder, at: position)
        }
      }
    }
  }
}

/// Whether members are equal and have the same order.
private func areEqual<Member: FieldValue>(
  _ one: [(name: String, value: Member)], _ other: [(name: String, value: Member)]
) -> Bool {
  one.count == other.count
    && zip(one, other).allSatisfy { one, other in
      guard one.name.hasSameBytes(as: other.name),
        let content = try? FieldRecorder.content(of: one.value)
      else { return false }
      return content == (try? FieldRecorder.content(of: other.value))
    }
}

/// A ``MemberReceiver`` with the type of its value erased.
struct FieldMemberReceiver: Sendable {
  let read: @Sendable (any MergePatchDecoder, Int) throws -> MemberPatch?
  let apply:
    @Sendable (MemberPatch, _ stored: (any AnyValueBox)?, _ incoming: (any AnyValueBox)?) ->
      (any AnyValueBox)?
  let difference: @Sendable (any AnyValueBox, any AnyValueBox) -> MemberPatch?
  let elements: @Sendable (any AnyValueBox) -> [MemberPatch.Entry]
  let write:
    @Sendable (MemberPatch, _ incoming: (any AnyValueBox)?, any FieldEncoder, Int) throws -> Void
  let access: FieldMemberAccess?

  init<Value>(_ receiver: MemberReceiver<Value>) {
    read = receiver.read
    access = receiver.access.map { FieldMemberAccess($0) }
    apply = { patch, stored, incoming in
      receiver.apply(
        patch, (stored as? ValueBox<Value>)?.value, (incoming as? ValueBox<Value>)?.value
      ).map { ValueBox(value: $0) }
    }
    difference = { old, new in
      guard let old = old as? ValueBox<Value>, let new = new as? ValueBox<Value> else { return nil }
      return receiver.difference(old.value, new.value)
    }
    elements = { ($0 as? ValueBox<Value>).map { receiver.elements($0.value) } ?? [] }
    write = { patch, incoming, encoder, index in
      try receiver.write(patch, (incoming as? ValueBox<Value>)?.value, encoder, index)
    }
  }
}
