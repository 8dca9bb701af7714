extension KeyMapping {
  /// A property that keeps what no key of the object is mapped to, to write it
  /// back.
  ///
  /// ```swift
  /// // {"id": 7, "thumbnail": {"url": "a.png", "width": 80}, "mood": "calm"}
  /// static let mapping = Mapping("Episode", Episode.init,
  ///   .key("id", \.id), .key("thumbnailURL", \.thumbnailURL, json: "thumbnail.url"),
  ///   .unknown("others", \.others))  // ["thumbnail.width": 80, "mood": "calm"]
  /// ```
  ///
  /// Each member is named by its path in the string form of ``FieldPath``. It is
  /// written to that path, behind the declared keys, by ascending name; a
  /// name that is no path, or a path that a key of the object claims, is a
  /// ``MappingError`` of code ``MappingError/Code/invalidValue``. Where there
  /// are no unknown members, the property is empty.
  ///
  /// An object has at most one such key, inlined models included. Each variant
  /// of a cluster may have one: the discriminator and the keys beside the
  /// cluster are known to it, the keys of other variants are not. A nested model
  /// has its own. An inlined model that is nil keeps nothing: unknown
  /// members do not make one of a model that needs other keys. Where another key
  /// of the object collects from an array, that is an issue: the elements could
  /// not keep theirs. The alternative paths of a key are known, used or not.
  ///
  /// - Parameters:
  ///   - name: The key's name: its column in a store.
  ///   - keyPath: The property.
  public static func unknown<Member: FieldValue>(
    _ name: String,
    _ keyPath: any KeyPath<Model, [String: Member]> & Sendable
  ) -> Self where Value == [String: Member] {
    unknown(
      name, keyPath, none: [:], type: .dictionary,
      read: { try Value.decode(from: $0, at: $1) },
      write: { try $0.encode(to: $1, at: $2) },
      sample: { Value.sample($0) })
  }

  /// A property that keeps unknown members in a form of its own.
  ///
  /// - Parameters:
  ///   - none: The value of no members.
  ///   - type: The kind of value in formats that hold the key in one place.
  package static func unknown(
    _ name: String,
    _ keyPath: any KeyPath<Model, Value> & Sendable,
    none: Value,
    type: FieldType,
    read: @escaping @Sendable (any FieldDecoder, Int) throws -> Value,
    write: @escaping @Sendable (Value, any FieldEncoder, Int) throws -> Void,
    sample: @escaping @Sendable (FieldSample) -> Value?
  ) -> Self {
    let property = StoredProperty(keyPath)
    return Self(
      name: name,
      keyPath: keyPath,
      source: nil,
      hasDeclaredSource: true,
      defaultValue: none,
      traits: [],
      type: type,
      isOptional: false,
      receivesUnknownMembers: true,
      read: reading(none, isOptional: false, [], read),
      write: write,
      writeProperty: { model, encoder, index in
        try write(property.value(at: model), encoder, index)
      },
      sample: sample)
  }
}
