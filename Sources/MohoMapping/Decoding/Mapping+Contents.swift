extension Mapping {
  /// The value of a property whose key has a content.
  ///
  /// - Throws: ``MappingError`` where the content is none of the key's.
  package func value<Value: Sendable>(
    of keyPath: KeyPath<Model, Value>, from content: FieldContent
  ) throws -> Value {
    guard let index = index(of: keyPath) else {
      throw MappingError(.invalidDeclaration, model: name, found: "`\(keyPath)` is no key")
    }
    do {
      let contents = Array(repeating: FieldContent?.none, count: index) + [content]
      let held = try fields[index].read(ContentDecoder(stored: contents, keys: mappingKeys), index)
      if let value = (held as? ValueBox<Value>)?.value { return value }
      throw MappingError(.invalidType, found: "\(content)", expected: "\(Value.self)")
    } catch let error as MappingError {
      throw error.naming(model: name, key: keys[index].name)
    }
  }

  /// What is wrong with contents by the validations of the keys, and, where
  /// there is nothing, of the model as a whole.
  ///
  /// - Parameters:
  ///   - contents: The content of each key.
  ///   - isWhole: Whether there is one for each key. If not, the keys that are
  ///     absent are not looked at, nor is the model as a whole.
  package func errors(in contents: [FieldContent?], isWhole: Bool) -> [MappingError] {
    let decoder = ContentDecoder(stored: contents, keys: mappingKeys)
    var errors: [MappingError] = []
    for index in keys.indices where !keys[index].isTransient && contents[index] != nil {
      do {
        _ = try value(from: decoder, at: index)
      } catch {
        errors += self.errors(error, decoder, index)
      }
    }
    guard errors.isEmpty, isWhole, !modelRules.isEmpty else { return errors }
    do {
      _ = try model(from: decoder)
    } catch let error as MappingError {
      errors = error.errors
    } catch {
      errors.append(MappingError(.failedValidation, model: name, underlying: error))
    }
    return errors
  }

  /// The contents of the keys of a model whose contents are given, as its
  /// validations and repairs leave it.
  ///
  /// - Parameters:
  ///   - contents: The contents.
  ///   - path: The path of the model, for errors.
  /// - Throws: ``MappingError`` where it is not valid.
  package func validated(
    _ contents: [FieldContent?], path: FieldPath = FieldPath([])
  ) throws -> [FieldContent?] {
    guard hasRules else { return contents }
    return try self.contents(
      of: model(from: ContentDecoder(stored: contents, path: path, keys: mappingKeys)), path: path)
  }

  /// What a model has at each key; nil at transient properties.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - path: The path of the model, for errors.
  /// - Throws: ``MappingError`` where a value cannot be written.
  package func contents(
    of model: Model, path: FieldPath = FieldPath([])
  ) throws -> [FieldContent?] {
    let recorder = FieldRecorder(keys: mappingKeys, path: path)
    try encode(model, to: recorder)
    var rest = recorder.contents[...]
    return keys.map { $0.isTransient ? nil : rest.popFirst() }
  }

  /// A content of a key as a store keeps it: one with structure as JSON text.
  ///
  /// - Parameters:
  ///   - content: The content.
  ///   - index: The position of the key.
  ///   - path: The path of the model, for errors.
  /// - Throws: ``MappingError`` where the content is none of the key's, or JSON
  ///   does not hold it.
  package func storedContent(
    _ content: FieldContent, at index: Int, path: FieldPath = FieldPath([])
  ) throws -> FieldContent {
    guard content.hasStructure else { return content }
    do {
      let contents = Array(repeating: FieldContent?.none, count: index) + [content]
      let value = try fields[index].read(
        ContentDecoder(contents, path: path, keys: mappingKeys), index)
      return .string(
        try StructuredText.text(at: path.appending(.key(keys[index].name))) { encoder in
          try fields[index].writeValue(value, encoder, 0)
        })
    } catch let error as MappingError {
      throw error.naming(model: name, key: keys[index].name)
    }
  }

  /// What merging contents into stored ones leaves, by the policies of the keys.
  ///
  /// - Throws: ``MappingError`` where either is none of the model's.
  package func merge(
    _ incoming: [FieldContent?], into stored: [FieldContent?]
  ) throws -> [FieldContent?] {
    try contents(
      of: merge(
        model(from: ContentDecoder(stored: incoming, keys: mappingKeys)),
        into: model(from: ContentDecoder(stored: stored, keys: mappingKeys))))
  }

  /// Whether the model as a whole has validations or repairs.
  package var hasModelRules: Bool { !modelRules.isEmpty }
}
