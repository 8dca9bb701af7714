/// The unknown members in a value: those of a key, or those that an inlined model
/// or a variant receives.
struct MemberSet<Value> {
  /// The names of the members.
  let names: [String]
  /// Returns some members as JSON text, each at the path that is its name, with null
  /// at other paths.
  let document: (_ names: Set<MemberName>, _ nulls: [FieldPath]) throws -> String
  /// Returns the value with the unknown members that a decoder reads at an index in
  /// place of some members.
  let replacing: (_ names: Set<MemberName>, any FieldDecoder, Int) throws -> Value

  /// Returns the members in a value that contains this one.
  func map<Outer>(_ outer: @escaping (Value) -> Outer) -> MemberSet<Outer> {
    MemberSet<Outer>(names: names, document: document) {
      outer(try replacing($0, $1, $2))
    }
  }
}

/// Access to the unknown members in the values of a key.
struct MemberAccess<Value: Sendable>: Sendable {
  /// Returns the members in a value. Nil if it receives none: it is an inlined model
  /// that is nil, or a variant without a key for them.
  let members: @Sendable (Value) -> MemberSet<Value>?
  /// Returns what a store contains.
  let stored: @Sendable (Value) throws -> FieldContent

  private init(
    members: @escaping @Sendable (Value) -> MemberSet<Value>?,
    stored: @escaping @Sendable (Value) throws -> FieldContent
  ) {
    self.members = members
    self.stored = stored
  }

  /// Creates the access to the members of a key that receives them.
  init<Member: FieldValue>(
    of type: Member.Type,
    members: @escaping @Sendable (Value) -> [(name: String, value: Member)],
    make: @escaping @Sendable ([(name: String, value: Member)]) -> Value,
    stored: @escaping @Sendable (Value) throws -> FieldContent
  ) {
    self.init(
      members: { value in
        let members = members(value)
        return MemberSet(
          names: members.map(\.name),
          document: { names, nulls in
            try document(of: members.filter { names.contains(MemberName($0.name)) }, nulls)
          },
          replacing: { names, decoder, index in
            let others = members.filter { !names.contains(MemberName($0.name)) }
            return make(others + (try read(type, from: decoder, at: index)))
          })
      }, stored: stored)
  }

  /// Creates the access to the members of the variants of a cluster.
  init(variants members: @escaping @Sendable (Value) -> MemberSet<Value>?) {
    self.init(members: members) { _ in
      throw MappingError(.unsupported, found: "cluster", expected: "key of a model")
    }
  }
}

/// Returns members as JSON text, each at the path that is its name.
private func document<Member: FieldValue>(
  of members: [(name: String, value: Member)], _ nulls: [FieldPath]
) throws -> String {
  let known = members.map { (name: $0.name, path: FieldPath(stringLiteral: $0.name)) }
  // Members replace null.
  let nulls = nulls.filter { null in !known.contains { $0.path.hasSameBytes(as: null) } }
  let paths = nulls.map { (name: "", path: $0) } + known
  let keys = FieldKeys(unknown: paths, of: "")
  return try StructuredText.text(at: FieldPath([])) { encoder in
    try encoder.encodeObject(at: 0, keys: keys) { encoder in
      for position in nulls.indices { try encoder.encodeNull(at: position) }
      for (position, member) in members.enumerated() {
        try member.value.encode(to: encoder, at: nulls.count + position)
      }
    }
  }
}

private func read<Member: FieldValue>(
  _ type: Member.Type, from decoder: any FieldDecoder, at index: Int
) throws -> [(name: String, value: Member)] {
  let members = try decoder.dictionary(at: index)
  return try members.names.enumerated().map { position, name in
    (name, try Member.decode(from: members.decoder, at: position))
  }
}

extension MemberAccess where Value: MappedModel {
  /// The access to the members that an inlined model receives.
  static var inlined: Self {
    Self(
      members: { Value.mapping.members(of: $0) },
      stored: { value in
        .string(try StructuredText.text(at: FieldPath([])) { try value.encode(to: $0, at: 0) })
      })
  }

  /// The access to the members that an optional inlined model receives.
  static var inlinedOptional: MemberAccess<Value?> {
    MemberAccess<Value?>(
      members: { $0.flatMap { Value.mapping.members(of: $0)?.map { .some($0) } } },
      stored: { try $0.map { try inlined.stored($0) } ?? .null })
  }
}

extension Mapping {
  /// Returns the unknown members that a model receives. Nil if it receives none.
  func members(of model: Model) -> MemberSet<Model>? {
    guard let index = fieldKeys.receiver else { return nil }
    let members = fields[index].receiver?.access?.members(value(of: model, at: index))
    return members?.map { replacing([index: $0], in: model) }
  }
}

/// A ``MemberAccess`` with the type of its value erased.
struct FieldMemberAccess: Sendable {
  let members: @Sendable (any AnyValueBox) -> MemberSet<any AnyValueBox>?
  let stored: @Sendable (any AnyValueBox) throws -> FieldContent

  init<Value>(_ access: MemberAccess<Value>) {
    members = { box in
      (box as? ValueBox<Value>).flatMap { access.members($0.value) }?.map { ValueBox(value: $0) }
    }
    stored = { try ($0 as? ValueBox<Value>).map { try access.stored($0.value) } ?? .null }
  }
}
