extension Mapping where Model: MappedModel {
  /// Returns the values of the keys that identify a model, as an identity: a
  /// single value, or an array. It is null if a value is null.
  ///
  /// - Parameters:
  ///   - indexes: The indexes of the keys.
  ///   - owner: The identity of the model that contains this model, and the
  ///     index of the relation to it, if the model is identified by its owner.
  /// - Throws: ``MappingError`` if a value cannot be written.
  package func identity(
    of model: Model, by indexes: [Int], owner: (index: Int, identity: FieldContent)? = nil
  ) throws -> FieldContent {
    try checkDeclaration()
    return try withUnsafePointer(to: model) { model in
      try identity(by: indexes) { index, recorder in
        if let owner, owner.index == index { return owner.identity }
        guard keys[index].relation == nil else { return try relatedKey(of: model, at: index) }
        try encode(model, order: [index], to: recorder)
        return nil
      }
    }
  }

  /// Returns the identity of a partial model. It is null if a key is absent.
  ///
  /// - Throws: As ``identity(of:by:owner:)``.
  package func identity(
    of partial: Partial<Model>, by indexes: [Int]
  ) throws -> FieldContent {
    try checkDeclaration()
    return try identity(by: indexes) { index, recorder in
      guard let box = partial.values[index] else { return .null }
      guard keys[index].relation == nil else { return try relatedKey(box) }
      try encode(partial, order: [index], to: recorder)
      return nil
    }
  }

  /// - Parameter value: Returns the value of a key, or records it and returns
  ///   nil.
  private func identity(
    by indexes: [Int], _ value: (Int, FieldRecorder) throws -> FieldContent?
  ) throws -> FieldContent {
    let recorder = FieldRecorder(keys: fieldKeys, path: nil)
    func content(_ index: Int) throws -> FieldContent {
      if let content = try value(index, recorder) { return content }
      return try storedContent(recorder.contents.last ?? .null, at: index)
    }
    if indexes.count == 1 { return try content(indexes[0]) }
    return FieldContent(identity: try indexes.map(content))
  }

  /// Returns the identity of the model that a to-one relation contains.
  ///
  /// - Throws: As ``identity(of:by:owner:)``.
  package func relatedKey(
    of model: UnsafePointer<Model>, at index: Int
  ) throws -> FieldContent {
    try relatedKey(fields[index].value(model))
  }

  private func relatedKey(_ box: any AnyValueBox) throws -> FieldContent {
    let value = box.unwrapped
    if let model = value as? any MappedModel { return try model.identifyingContent }
    return try (value as? any RelatedValue)?.relatedKey ?? .null
  }
}

extension MappedModel {
  /// The values of the identifying keys, or null if one of them is null.
  fileprivate var identifyingContent: FieldContent {
    get throws { try Self.mapping.identity(of: self, by: Self.mapping.identity) }
  }
}

extension FieldContent {
  /// Creates an identity from the values of the identifying keys. The value of
  /// a to-one relation is the identity of the related model.
  package init(identity parts: [FieldContent]) {
    self =
      parts.count == 1 ? parts[0] : parts.isEmpty || parts.contains(.null) ? .null : .array(parts)
  }
}
