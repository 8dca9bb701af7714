/// The members in the value of a key that receives unknown members.
struct MemberAccess<Value: Sendable>: Sendable {
  /// Returns the names of the members.
  let names: @Sendable (Value) -> [String]
  /// Returns some members as JSON text, each at the path that is its name.
  let document: @Sendable (Value, _ names: Set<String>) throws -> String
  /// Returns a value with the members of another one in place of some members.
  let replacing: @Sendable (Value, _ names: Set<String>, _ other: Value) -> Value
  /// Returns what a store contains.
  let stored: @Sendable (Value) throws -> FieldContent

  init<Member: FieldValue>(
    of type: Member.Type,
    members: @escaping @Sendable (Value) -> [(name: String, value: Member)],
    make: @escaping @Sendable ([(name: String, value: Member)]) -> Value,
    stored: @escaping @Sendable (Value) throws -> FieldContent
  ) {
    names = { members($0).map(\.name) }
    document = { value, names in
      let members = members(value).filter { names.contains($0.name) }
      let paths = members.map { (name: $0.name, path: FieldPath(stringLiteral: $0.name)) }
      return try StructuredText.object(
        MappingKeys(unknown: paths, of: ""), at: FieldPath([])
      ) { encoder in
        for (position, member) in members.enumerated() {
          try member.value.encode(to: encoder, at: position)
        }
      }
    }
    replacing = { value, names, other in
      make(members(value).filter { !names.contains($0.name) } + members(other))
    }
    self.stored = stored
  }
}

/// A ``MemberAccess`` with the type of its value erased.
struct FieldMemberAccess: Sendable {
  let names: @Sendable (any AnyValueBox) -> [String]
  let document: @Sendable (any AnyValueBox, _ names: Set<String>) throws -> String
  let replacing: @Sendable (any AnyValueBox, Set<String>, any AnyValueBox) -> any AnyValueBox
  let stored: @Sendable (any AnyValueBox) throws -> FieldContent

  init<Value>(_ access: MemberAccess<Value>) {
    names = { ($0 as? ValueBox<Value>).map { access.names($0.value) } ?? [] }
    document = { box, names in
      try (box as? ValueBox<Value>).map { try access.document($0.value, names) } ?? "{}"
    }
    replacing = { box, names, other in
      guard let value = box as? ValueBox<Value>, let rest = other as? ValueBox<Value> else {
        return box
      }
      return ValueBox(value: access.replacing(value.value, names, rest.value))
    }
    stored = { try ($0 as? ValueBox<Value>).map { try access.stored($0.value) } ?? .null }
  }
}
