extension KeyMapping where Value: MappedModel {
  /// A nested model whose keys lie in the same object as the others.
  ///
  /// ```swift
  /// // {"id": 7, "location": 3, "length": 5}
  /// static let mapping = Mapping("Chapter", Chapter.init,
  ///   .key("id", \.id), .inlined("range", \.range))
  /// ```
  ///
  /// No path may be claimed by two keys of the object, whichever model they
  /// are of: that is an issue of the declaration.
  ///
  /// - Parameters:
  ///   - name: The key's name: its column in a store.
  ///   - keyPath: The property.
  ///   - defaultValue: The value for documents that hold none of its keys.
  public static func inlined(
    _ name: String,
    _ keyPath: any KeyPath<Model, Value> & Sendable,
    default defaultValue: Value? = nil
  ) -> Self {
    var key = inlined(name, keyPath, Value.self, default: defaultValue) { decoder, index in
      if let defaultValue, Value.isInlinedAbsent(in: decoder, at: index) { return defaultValue }
      return try Value.decode(from: decoder, at: index)
    }
    key.mergeInside = { stored, incoming in Value.mapping.merged(incoming, into: stored) }
    return key
  }
}

extension KeyMapping {
  /// An optional nested model whose keys lie in the same object as the others.
  ///
  /// It is nil where the object holds none of its keys. Where nil is written as
  /// null, it is null at each of them, and read so. A model that needs none of
  /// its keys cannot be told from nil where all its values are.
  ///
  /// - Parameters:
  ///   - name: The key's name: its column in a store.
  ///   - keyPath: The property.
  public static func inlined<Wrapped: MappedModel>(
    _ name: String,
    _ keyPath: any KeyPath<Model, Wrapped?> & Sendable
  ) -> Self where Value == Wrapped? {
    var key = inlined(name, keyPath, Wrapped.self, default: nil) { decoder, index in
      try Wrapped.decodeInlined(from: decoder, at: index)
    }
    key.mergeInside = { stored, incoming in
      guard let stored, let incoming else { return nil }
      return Wrapped.mapping.merged(incoming, into: stored).map { .some($0) }
    }
    return key
  }
}

extension KeyMapping where Value: FieldValue {
  private static func inlined(
    _ name: String,
    _ keyPath: any KeyPath<Model, Value> & Sendable,
    _ model: any MappedModel.Type,
    default defaultValue: Value?,
    read: @escaping @Sendable (any FieldDecoder, Int) throws -> Value
  ) -> Self {
    let property = StoredProperty(keyPath)
    return Self(
      name: name,
      keyPath: keyPath,
      source: FieldPath([]),
      hasDeclaredSource: true,
      defaultValue: defaultValue,
      traits: [],
      type: .object,
      isOptional: Value.isOptionalField,
      inlined: model,
      read: read,
      write: { value, encoder, index in try value.encode(to: encoder, at: index) },
      writeProperty: { model, encoder, index in
        try property.value(at: model).encode(to: encoder, at: index)
      },
      sample: { Value.sample($0) })
  }
}
