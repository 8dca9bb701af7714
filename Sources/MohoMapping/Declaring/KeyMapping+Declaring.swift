extension KeyMapping where Value: FieldValue {
  /// A key whose value is read and written in its type's own form.
  ///
  /// - Parameters:
  ///   - name: The key's name: its column in a store.
  ///   - keyPath: The property.
  ///   - path: Where documents hold the key, such as `"thumbnail.url"`, in the
  ///     string form of ``FieldPath``; at the key's name unless given.
  ///   - defaultValue: The value for documents that do not hold the key. Without
  ///     one, the absence of a value that is not optional is an error.
  ///   - traits: What is special about the key.
  @inlinable
  public static func key(
    _ name: String,
    _ keyPath: any KeyPath<Model, Value> & Sendable,
    json path: String? = nil,
    default defaultValue: Value? = nil,
    _ traits: KeyTraits = []
  ) -> Self {
    let property = StoredProperty(keyPath)
    return Self(
      name: name,
      keyPath: keyPath,
      source: source(path, ofKeyNamed: name, traits),
      hasDeclaredSource: path != nil,
      defaultValue: defaultValue,
      traits: traits,
      type: Value.fieldType,
      isOptional: Value.isOptionalField,
      read: defaulting(defaultValue) { decoder, index in
        try Value.decode(from: decoder, at: index)
      },
      write: { value, encoder, index in try value.encode(to: encoder, at: index) },
      writeProperty: { model, encoder, index in
        try property.value(at: model).encode(to: encoder, at: index)
      },
      sample: { Value.sample($0) })
  }
}

extension KeyMapping {
  /// A key whose value is read and written through a transform.
  ///
  /// - Parameters:
  ///   - name: The key's name: its column in a store.
  ///   - keyPath: The property.
  ///   - path: Where documents hold the key; at the key's name unless given.
  ///   - transform: The two-way form of the value.
  ///   - defaultValue: The value for documents that do not hold the key.
  ///   - traits: What is special about the key.
  @inlinable
  public static func key(
    _ name: String,
    _ keyPath: any KeyPath<Model, Value> & Sendable,
    json path: String? = nil,
    _ transform: Transform<Value>,
    default defaultValue: Value? = nil,
    _ traits: KeyTraits = []
  ) -> Self {
    let property = StoredProperty(keyPath)
    let write = transform.write
    return Self(
      name: name,
      keyPath: keyPath,
      source: source(path, ofKeyNamed: name, traits),
      hasDeclaredSource: path != nil,
      defaultValue: defaultValue,
      traits: traits,
      type: transform.type,
      isOptional: transform.isOptional,
      problems: transform.problems,
      read: defaulting(defaultValue, transform.read),
      write: write,
      writeProperty: { model, encoder, index in
        try write(property.value(at: model), encoder, index)
      },
      sample: { transform.sample($0) ?? defaultValue })
  }

  /// An optional key whose value, where there is one, is read and written
  /// through a transform.
  ///
  /// - Parameters:
  ///   - name: The key's name: its column in a store.
  ///   - keyPath: The property.
  ///   - path: Where documents hold the key; at the key's name unless given.
  ///   - transform: The two-way form of the value.
  ///   - traits: What is special about the key.
  @inlinable
  public static func key<Wrapped: Sendable>(
    _ name: String,
    _ keyPath: any KeyPath<Model, Wrapped?> & Sendable,
    json path: String? = nil,
    _ transform: Transform<Wrapped>,
    _ traits: KeyTraits = []
  ) -> Self where Value == Wrapped? {
    key(name, keyPath, json: path, transform.optional, traits)
  }

  /// A property that is part of the model alone: it is neither read, written
  /// nor stored, and a model that is decoded holds its default.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - defaultValue: The value that decoded models hold.
  public static func transient(
    _ keyPath: any KeyPath<Model, Value> & Sendable,
    default defaultValue: Value
  ) -> Self {
    Self(
      name: "",
      keyPath: keyPath,
      source: nil,
      hasDeclaredSource: true,
      defaultValue: defaultValue,
      traits: [],
      isTransient: true,
      type: .null,
      isOptional: true,
      read: { _, _ in defaultValue },
      write: { _, encoder, index in try encoder.encodeNull(at: index) },
      writeProperty: { _, encoder, index in try encoder.encodeNull(at: index) },
      sample: { _ in defaultValue })
  }

  /// Where documents hold a key.
  // A string, not a path literal: Swift 6.3 infers literals inside a pack as
  // their default types.
  @usableFromInline
  static func source(_ path: String?, ofKeyNamed name: String, _ traits: KeyTraits) -> FieldPath? {
    if traits.contains(.storeOnly) { return nil }
    return path.map { FieldPath(stringLiteral: $0) } ?? FieldPath([.key(name)])
  }

  @inlinable
  static func defaulting(
    _ defaultValue: Value?,
    _ read: @escaping @Sendable (any FieldDecoder, Int) throws -> Value
  ) -> @Sendable (any FieldDecoder, Int) throws -> Value {
    guard let defaultValue else { return read }
    return { decoder, index in
      decoder.isAbsent(at: index) ? defaultValue : try read(decoder, index)
    }
  }
}
