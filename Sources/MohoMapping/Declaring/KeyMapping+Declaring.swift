extension KeyMapping where Value: FieldValue {
  /// A key whose value is read and written in its type's own form.
  ///
  /// ```swift
  /// .key("title", \.title),
  /// .key("url", \.url, json: "thumbnail.url", alternatives: ["thumbnail", "images[0]"]),
  /// .key("guests", \.guests, json: "guests[*].name")
  /// ```
  ///
  /// Paths are in the string form of ``FieldPath``: keys joined by dots,
  /// elements of arrays by index in brackets, `[*]` for every element, and a
  /// backslash before a dot, bracket or backslash that is part of a key.
  ///
  /// **Alternatives.** The value is read at the first path, in order, at which
  /// there is anything: null is a value, and so is null on the way. A path that
  /// is blocked on its way, by text where an object must be, counts as nothing
  /// as long as there is something at a later one; one that collects, also
  /// where all elements are such. Where there is something at none, the key's
  /// own path decides whether the key is absent or the value an error. Of two
  /// paths of one key that lie inside each other, the deeper one comes first.
  /// Written is to the key's own path only. Naming strategies leave
  /// alternatives as they are.
  ///
  /// **Collecting.** A key at a path with `[*]` holds an array of what the rest
  /// of the path finds in each element, an array of arrays where there are two
  /// `[*]`, and so on. An element without the rest is a missing value, or nil
  /// where elements are optional. `["Ada", "Ben"]` is written to
  /// `users[*].name` as `{"users":[{"name":"Ada"},{"name":"Ben"}]}`: an element
  /// that is nil as null, whatever becomes of other nil values.
  ///
  /// No two keys of an object may claim one place, or one place inside that of
  /// the other, nor collect from one array, which is best mapped to an array of
  /// models: such are issues of the declaration.
  ///
  /// - Parameters:
  ///   - name: The key's name: its column in a store.
  ///   - keyPath: The property.
  ///   - path: Where documents hold the key; at the key's name unless given.
  ///   - paths: Where else to look for it where there is nothing.
  ///   - defaultValue: The value for documents that do not hold the key. Without
  ///     one, the absence of a value that is not optional is an error.
  ///   - traits: What is special about the key, one after the other.
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
      defaultValue: defaultValue,
      traits: traits,
      type: Value.fieldType,
      isOptional: Value.isOptionalField,
      form: defaultValue == nil && !traits.contains(.nullIsAbsent)
        ? PlainForm(of: Value.self) : nil,
      read: reading(defaultValue, isOptional: Value.isOptionalField, traits) { decoder, index in
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
  ///   - paths: Where else to look for it where there is nothing.
  ///   - transform: The two-way form of the value.
  ///   - defaultValue: The value for documents that do not hold the key.
  ///   - traits: What is special about the key, one after the other.
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
      defaultValue: defaultValue,
      traits: traits,
      type: transform.type,
      isOptional: transform.isOptional,
      problems: transform.problems,
      form: defaultValue == nil && !traits.contains(.nullIsAbsent) ? transform.form : nil,
      read: reading(defaultValue, isOptional: transform.isOptional, traits, transform.read),
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
  ///   - paths: Where else to look for it where there is nothing.
  ///   - transform: The two-way form of the value.
  ///   - traits: What is special about the key, one after the other.
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
      name: propertyName(of: keyPath),
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

  /// The name of a property, or an empty text where Swift does not know it.
  private static func propertyName(of keyPath: any KeyPath<Model, Value> & Sendable) -> String {
    let (text, prefix) = ("\(keyPath)", "\\\(Model.self).")
    // A computed property has an address in angle brackets, which differs from
    // run to run.
    guard text.hasPrefix(prefix), !text.dropFirst(prefix.count).contains("<") else { return "" }
    return String(text.dropFirst(prefix.count))
  }

  /// Where documents hold a key.
  // A string, not a path literal: Swift 6.3 infers literals inside a pack as
  // their default types.
  @usableFromInline
  static func source(_ path: String?, ofKeyNamed name: String, _ traits: KeyTraits) -> FieldPath? {
    if traits.contains(.storeOnly) { return nil }
    return path.map { FieldPath(stringLiteral: $0) } ?? FieldPath([.key(name)])
  }

  /// Reads a key's value, or its default.
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
