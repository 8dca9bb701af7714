extension KeyMapping where Value: FieldValue {
  /// A key whose value has the standard form of its type.
  ///
  /// ```swift
  /// .key("title", \.title),
  /// .key("url", \.url, json: "thumbnail.url", alternatives: ["thumbnail", "images[0]"]),
  /// .key("guests", \.guests, json: "guests[*].name")
  /// ```
  ///
  /// Paths use the string form of ``FieldPath``: keys are joined with dots,
  /// array indexes are written in brackets, `[*]` means every element, and a
  /// backslash escapes a dot, a bracket or a backslash in a key.
  ///
  /// **Alternatives.** The value is read at the first path where the document
  /// has a value. Null is a value, also on the way to it. A path that is
  /// blocked, for example by a string where an object is expected, counts as
  /// empty if a later path has a value. So does a collecting path if every
  /// element is blocked. If no path has a value, the first path decides whether
  /// the key is missing or invalid. If one path of a key is inside another,
  /// declare the deeper one first. Only the first path is written. A
  /// ``KeyNaming`` does not change alternatives.
  ///
  /// If a document has several paths of a key, the key has only the value at the
  /// path that is read. What is at the other paths is unknown: it is ignored,
  /// reported or refused, or received by a key for unknown members
  /// (`.unknown(_:_:)`). So is a value that blocks an alternative path.
  ///
  /// **Collecting.** A key at a path with `[*]` holds an array of the values
  /// that the rest of the path finds in each element. Two `[*]` yield an array
  /// of arrays. An element in which the rest of the path has no value is a
  /// missing value, or nil if the element type is optional. `["Ada", "Ben"]` is
  /// written to `users[*].name` as `{"users":[{"name":"Ada"},{"name":"Ben"}]}`.
  /// Nil elements are written as null, whatever the ``NullPolicy``.
  ///
  /// Two keys of one object cannot have the same path, or a path inside the
  /// path of the other, and cannot collect from the same array. Map such an
  /// array to an array of models. The mapping reports conflicts in
  /// ``Mapping/issues``.
  ///
  /// - Parameters:
  ///   - name: The name of the key, and of its column in a store.
  ///   - keyPath: The property.
  ///   - path: The path in documents. The default is the name of the key.
  ///   - paths: Paths to read if the first one has no value.
  ///   - defaultValue: The value if documents do not contain the key. Without a
  ///     default, a missing value is an error unless the property is optional.
  ///   - traits: Properties of the key, such as `.unique`.
  @inlinable
  public static func key(
    _ name: String,
    _ keyPath: any KeyPath<Model, Value> & Sendable,
    json path: String? = nil,
    alternatives paths: [String] = [],
    default defaultValue: Value? = nil,
    _ traits: KeyTraits...
  ) -> Self {
    let traits = KeyTraits(traits)
    let property = StoredProperty(keyPath)
    return Self(
      name: name,
      keyPath: keyPath,
      source: source(path, ofKeyNamed: name, traits),
      alternatives: paths,
      hasDeclaredSource: path != nil,
      transform: .standard,
      defaultValue: defaultValue,
      traits: traits,
      read: reading(name, defaultValue, isOptional: Value.isOptionalField, traits) {
        decoder, index in
        try Value.decode(from: decoder, at: index)
      },
      writeProperty: { model, encoder, index in
        try property.value(at: model).encode(to: encoder, at: index)
      })
  }
}

extension KeyMapping {
  /// A key whose value has the form of a transform.
  ///
  /// `transform` is the two-way form of the value. For the other parameters, see
  /// `.key(_:_:json:alternatives:default:_:)`.
  @inlinable
  public static func key(
    _ name: String,
    _ keyPath: any KeyPath<Model, Value> & Sendable,
    json path: String? = nil,
    alternatives paths: [String] = [],
    _ transform: Transform<Value>,
    default defaultValue: Value? = nil,
    _ traits: KeyTraits...
  ) -> Self {
    let traits = KeyTraits(traits)
    let property = StoredProperty(keyPath)
    let write = transform.write
    return Self(
      name: name,
      keyPath: keyPath,
      source: source(path, ofKeyNamed: name, traits),
      alternatives: paths,
      hasDeclaredSource: path != nil,
      transform: transform,
      defaultValue: defaultValue,
      traits: traits,
      read: reading(
        name, defaultValue, isOptional: transform.isOptional, traits, transform.read),
      writeProperty: { model, encoder, index in
        try write(property.value(at: model), encoder, index)
      })
  }

  /// An optional key whose non-nil values have the form of a transform.
  ///
  /// `transform` is the two-way form of the wrapped value. For the other parameters, see
  /// `.key(_:_:json:alternatives:default:_:)`.
  @inlinable
  public static func key<Wrapped: Sendable>(
    _ name: String,
    _ keyPath: any KeyPath<Model, Wrapped?> & Sendable,
    json path: String? = nil,
    alternatives paths: [String] = [],
    _ transform: Transform<Wrapped>,
    _ traits: KeyTraits...
  ) -> Self where Value == Wrapped? {
    key(name, keyPath, json: path, alternatives: paths, transform.optional, KeyTraits(traits))
  }

  /// A property that exists only in the model. It is not read, written or
  /// stored. A decoded model has the default value.
  public static func transient(
    _ keyPath: any KeyPath<Model, Value> & Sendable,
    default defaultValue: Value
  ) -> Self {
    Self(
      name: propertyName(of: keyPath),
      keyPath: keyPath,
      source: nil,
      transform: Transform(
        type: .null, isOptional: true, read: { _, _ in defaultValue },
        write: { _, encoder, index in try encoder.encodeNull(at: index) },
        sample: { _ in defaultValue }),
      defaultValue: defaultValue,
      isTransient: true,
      read: { _, _ in defaultValue },
      writeProperty: { _, encoder, index in try encoder.encodeNull(at: index) })
  }

  /// The name of a property, or an empty string if Swift does not provide it.
  private static func propertyName(of keyPath: any KeyPath<Model, Value> & Sendable) -> String {
    let (text, prefix) = ("\(keyPath)", "\\\(Model.self).")
    // The description of a computed property contains an address in angle
    // brackets, which differs between processes.
    guard text.hasPrefix(prefix), !text.dropFirst(prefix.count).contains("<") else { return "" }
    return String(text.dropFirst(prefix.count))
  }

  // The path is a string and not a `FieldPath`: in a parameter pack, Swift 6.3
  // gives literals their default types.
  @usableFromInline
  static func source(_ path: String?, ofKeyNamed name: String, _ traits: KeyTraits) -> FieldPath? {
    if traits.contains(.storeOnly) { return nil }
    return path.map { FieldPath(stringLiteral: $0) } ?? FieldPath([.key(name)])
  }

  /// Returns a function that reads the value of a key, or its default.
  @inlinable
  static func reading(
    _ name: String, _ defaultValue: Value?, isOptional: Bool, _ traits: KeyTraits,
    _ read: @escaping @Sendable (any FieldDecoder, Int) throws -> Value
  ) -> @Sendable (any FieldDecoder, Int) throws -> Value {
    let read = reading(defaultValue, isOptional: isOptional, traits, read)
    guard traits.contains(.storeOnly) else { return read }
    return readingSupplied(
      named: name, isRequired: defaultValue == nil && !isOptional, read)
  }

  @inlinable
  static func reading(
    _ defaultValue: Value?, isOptional: Bool, _ traits: KeyTraits,
    _ read: @escaping @Sendable (any FieldDecoder, Int) throws -> Value
  ) -> @Sendable (any FieldDecoder, Int) throws -> Value {
    if traits.contains(.nullIsAbsent) {
      return readingNullAsAbsent(defaultValue, isOptional: isOptional, read)
    }
    guard let defaultValue else { return read }
    return { decoder, index in
      decoder.isAbsent(at: index) ? defaultValue : try read(decoder, index)
    }
  }

  @usableFromInline
  static func readingNullAsAbsent(
    _ defaultValue: Value?, isOptional: Bool,
    _ read: @escaping @Sendable (any FieldDecoder, Int) throws -> Value
  ) -> @Sendable (any FieldDecoder, Int) throws -> Value {
    { decoder, index in
      guard try decoder.isNull(at: index) else { return try read(decoder, index) }
      if let defaultValue { return defaultValue }
      if isOptional { return try read(decoder, index) }
      throw decoder.error(.missingValue, at: index, expected: nil)
    }
  }
}
