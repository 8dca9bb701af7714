extension Mapping {
  /// Returns the value of a property for a content of its key.
  ///
  /// - Throws: ``MappingError`` if the key cannot read the content.
  package func value<Value: Sendable>(
    of keyPath: KeyPath<Model, Value>, from content: FieldContent
  ) throws -> Value {
    guard let index = index(of: keyPath) else {
      throw MappingError(
        .invalidDeclaration, model: name, found: "\(propertyText(keyPath)) is not a key")
    }
    do {
      let contents = Array(repeating: FieldContent?.none, count: index) + [content]
      let box = try fields[index].read(ContentDecoder(stored: contents, keys: fieldKeys), index)
      if let value = (box as? ValueBox<Value>)?.value { return value }
      throw MappingError(.invalidType, found: content.summary, expected: "\(Value.self)")
    } catch let error as MappingError {
      throw error.naming(model: name, key: keys[index].name)
    }
  }

  /// Returns the failed validations of the keys. If all keys are valid, returns
  /// the failed validations of the model.
  ///
  /// - Parameters:
  ///   - contents: The content of each key.
  ///   - isWhole: Whether there is a content for each key. If not, absent keys
  ///     and the model are not validated.
  package func errors(in contents: [FieldContent?], isWhole: Bool) -> [MappingError] {
    let decoder = ContentDecoder(stored: contents, keys: fieldKeys)
    // Reading the model takes a fraction of the time of reading its keys one by one.
    if isWhole, (try? model(from: decoder)) != nil { return [] }
    var errors: [MappingError] = []
    for index in keys.indices where !keys[index].isTransient && contents[index] != nil {
      do {
        _ = try value(from: decoder, at: index)
      } catch {
        errors += self.errors(error, decoder, index)
      }
    }
    guard errors.isEmpty, isWhole, !parts.modelRules.isEmpty else { return errors }
    do {
      _ = try model(from: decoder)
    } catch let error as MappingError {
      errors = error.errors
    } catch {
      errors.append(MappingError(.failedValidation, model: name, underlying: error))
    }
    return errors
  }

  /// Returns contents with the validations and repairs of the mapping applied.
  ///
  /// - Parameters:
  ///   - path: The path of the model, for errors.
  /// - Throws: ``MappingError`` if a validation fails.
  package func validated(
    _ contents: [FieldContent?], path: FieldPath = FieldPath([])
  ) throws -> [FieldContent?] {
    guard hasRules else { return contents }
    return try self.contents(
      of: model(from: ContentDecoder(stored: contents, path: path, keys: fieldKeys)), path: path)
  }

  /// Returns the content of each key of a model. It is nil for transient keys.
  ///
  /// - Parameters:
  ///   - path: The path of the model, for errors.
  /// - Throws: ``MappingError`` if a value cannot be written.
  package func contents(
    of model: Model, path: FieldPath = FieldPath([])
  ) throws -> [FieldContent?] {
    let recorder = FieldRecorder(keys: fieldKeys, path: path)
    try encode(model, to: recorder)
    var rest = recorder.contents[...]
    return keys.map { $0.isTransient ? nil : rest.popFirst() }
  }

  /// Returns the content of each key that a closure writes, without validation.
  /// It is nil for transient keys.
  ///
  /// - Parameter path: The path of the model, for errors.
  package func contents(
    at path: FieldPath, writtenBy body: (any FieldEncoder) throws -> Void
  ) throws -> [FieldContent?] {
    let recorder = FieldRecorder(keys: fieldKeys, path: path)
    try body(recorder)
    var rest = recorder.contents[...]
    return keys.map { $0.isTransient ? nil : rest.popFirst() }
  }

  /// Returns the stored form of a content: objects, arrays and dictionaries
  /// become JSON text.
  ///
  /// - Parameters:
  ///   - path: The path of the model, for errors.
  /// - Throws: ``MappingError`` if the key cannot read the content, or JSON
  ///   cannot represent it.
  package func storedContent(
    _ content: FieldContent, at index: Int, path: FieldPath = FieldPath([])
  ) throws -> FieldContent {
    guard content.hasStructure else { return content }
    do {
      let contents = Array(repeating: FieldContent?.none, count: index) + [content]
      let value = try fields[index].read(
        ContentDecoder(contents, path: path, keys: fieldKeys), index)
      return .string(
        try StructuredText.text(at: path.appending(.key(keys[index].name))) { encoder in
          try fields[index].writeValue(value, encoder, 0)
        })
    } catch let error as MappingError {
      throw error.naming(model: name, key: keys[index].name)
    }
  }

  /// Merges contents into stored contents by the policies of the keys.
  ///
  /// - Throws: ``MappingError`` if the contents are not those of a model.
  package func merge(
    _ incoming: [FieldContent?], into stored: [FieldContent?]
  ) throws -> [FieldContent?] {
    try contents(
      of: merge(
        model(from: ContentDecoder(stored: incoming, keys: fieldKeys)),
        into: model(from: ContentDecoder(stored: stored, keys: fieldKeys))))
  }

  /// Whether there are validations or repairs of whole models.
  package var hasModelRules: Bool { !parts.modelRules.isEmpty }

  /// Whether there are validations or repairs that may read related models: those of whole
  /// models, and those of keys that relate models.
  package var hasRulesOverRelations: Bool {
    let relations = keys.indices.lazy.filter { keys[$0].relation != nil }
    return hasModelRules && !relations.isEmpty || relations.contains { !fields[$0].rules.isEmpty }
  }
}
