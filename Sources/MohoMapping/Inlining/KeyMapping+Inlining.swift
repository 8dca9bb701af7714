extension KeyMapping where Value: MappedModel {
  /// A nested model whose keys are part of the same object.
  ///
  /// ```swift
  /// // {"id": 7, "location": 3, "length": 5}
  /// static let mapping = Mapping("Chapter", Chapter.init,
  ///   .key("id", \.id), .inlined("range", \.range))
  /// ```
  ///
  /// If two keys of the object have the same path, the mapping reports an
  /// issue, also if they belong to different models.
  ///
  /// - Parameters:
  ///   - name: The name of the key, and of its column in a store.
  ///   - keyPath: The property.
  ///   - defaultValue: The value for documents that contain none of its keys.
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
    key.receiver = .inlined
    return key
  }
}

extension KeyMapping {
  /// An optional nested model whose keys are part of the same object.
  ///
  /// The model is nil if the object contains none of its keys. If nil is
  /// written as null, all of its keys are null, and these are read as nil. If
  /// none of its keys is required, nil and a model in which every value is nil
  /// cannot be distinguished.
  ///
  /// - Parameters:
  ///   - name: The name of the key, and of its column in a store.
  ///   - keyPath: The property.
  public static func inlined<Wrapped: MappedModel>(
    _ name: String,
    _ keyPath: any KeyPath<Model, Wrapped?> & Sendable
  ) -> Self where Value == Wrapped? {
    var key = inlined(name, keyPath, Wrapped.self, default: nil) { decoder, index in
      try Wrapped.decodeInlined(from: decoder, at: index)
    }
    key.receiver = MemberReceiver<Wrapped>.inlinedOptional
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
    var key = Self(
      name: name,
      keyPath: keyPath,
      source: FieldPath([]),
      transform: Transform(
        type: .object,
        isOptional: Value.isOptionalField,
        read: read,
        write: { value, encoder, index in try value.encode(to: encoder, at: index) },
        sample: { Value.sample($0) }),
      defaultValue: defaultValue,
      read: read,
      writeProperty: { model, encoder, index in
        try property.value(at: model).encode(to: encoder, at: index)
      })
    key.inlined = model
    return key
  }
}
