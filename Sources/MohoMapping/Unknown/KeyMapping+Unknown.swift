extension KeyMapping {
  /// A property that receives the members of the object that no key is mapped
  /// to. They are written back with the model.
  ///
  /// ```swift
  /// // {"id": 7, "thumbnail": {"url": "a.png", "width": 80}, "mood": "calm"}
  /// static let mapping = Mapping("Episode", Episode.init,
  ///   .key("id", \.id), .key("thumbnailURL", \.thumbnailURL, json: "thumbnail.url"),
  ///   .unknown("others", \.others))  // ["thumbnail.width": 80, "mood": "calm"]
  /// ```
  ///
  /// The name of each member is its path in the string form of ``FieldPath``.
  /// It is written to that path after the declared keys, sorted by name. If a
  /// name is not a path, or if a key of the object is written to the path, a
  /// ``MappingError`` with code ``MappingError/Code/invalidValue`` is thrown.
  /// The property is empty if there are no unknown members.
  ///
  /// A value at an alternative path of a key is an unknown member if the key is
  /// read at another path. A key that is nil is then written as null, whatever
  /// the null policy: otherwise, the member would be read as the key. A
  /// ``Partial`` that contains such a member, but not the key, cannot be written.
  ///
  /// A ``Partial`` that is read from a document, or is the difference of two
  /// models, changes the members one by one, as a merge patch (RFC 7396) does. A
  /// partial model with the value of the property replaces all of them.
  ///
  /// In a store, a key that is declared later takes its values out of the unknown
  /// members when the store is opened.
  ///
  /// An object has at most one such key, including the keys of inlined models.
  /// Each variant of a cluster can have one. The discriminator and the other
  /// keys of the object are known to it, but the keys of other variants are
  /// not. A nested model can have its own. An inlined model that is nil
  /// receives nothing: unknown members do not create a model that requires
  /// other keys. A collecting key in the same object is an issue: the unknown
  /// members of its elements would be lost.
  ///
  /// - Parameters:
  ///   - name: The name of the key, and of its column in a store.
  ///   - keyPath: The property.
  public static func unknown<Member: FieldValue>(
    _ name: String,
    _ keyPath: any KeyPath<Model, [String: Member]> & Sendable
  ) -> Self where Value == [String: Member] {
    unknown(
      name, keyPath, none: [:], type: .dictionary, schema: Value.fieldSchema,
      read: { try Value.decode(from: $0, at: $1) },
      write: { try $0.encode(to: $1, at: $2) },
      sample: { Value.sample($0) },
      receiver: MemberReceiver(
        of: Member.self,
        members: { members in members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } },
        make: { Value($0.map { ($0.name, $0.value) }) { $1 } },
        stored: { value in
          .string(try StructuredText.text(at: FieldPath([])) { try value.encode(to: $0, at: 0) })
        }))
  }

  /// A property of any type that receives unknown members.
  ///
  /// - Parameters:
  ///   - none: The value without members.
  ///   - type: The type of the value in a store.
  ///   - schema: The form of the members.
  ///   - receiver: How merge patches change the value.
  package static func unknown(
    _ name: String,
    _ keyPath: any KeyPath<Model, Value> & Sendable,
    none: Value,
    type: FieldType,
    schema: FieldSchema,
    read: @escaping @Sendable (any FieldDecoder, Int) throws -> Value,
    write: @escaping @Sendable (Value, any FieldEncoder, Int) throws -> Void,
    sample: @escaping @Sendable (FieldSample) -> Value?,
    receiver: MemberReceiver<Value>
  ) -> Self {
    let property = StoredProperty(keyPath)
    var key = Self(
      name: name,
      keyPath: keyPath,
      source: nil,
      transform: Transform(
        type: type, isOptional: false, schema: schema, read: read, write: write, sample: sample),
      defaultValue: none,
      receivesUnknownMembers: true,
      read: reading(none, isOptional: false, [], read),
      writeProperty: { model, encoder, index in
        try write(property.value(at: model), encoder, index)
      })
    key.receiver = receiver
    return key
  }
}
