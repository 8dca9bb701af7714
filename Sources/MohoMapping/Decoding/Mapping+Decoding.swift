extension Mapping {
  /// Makes a model of the fields that a decoder holds.
  ///
  /// - Throws: ``MappingError``. Where several keys fail, it is of code
  ///   ``MappingError/Code/severalErrors`` and holds one error for each, in
  ///   declaration order.
  public func model(from decoder: any FieldDecoder) throws -> Model {
    var models: [Model] = []
    try read(into: &models, from: decoder, advance: once())
    guard let model = models.first else {
      throw MappingError(.missingValue, model: name)
    }
    return model
  }

  /// Makes a model of each object that a decoder is moved to, and appends it.
  ///
  /// - Parameters:
  ///   - models: Receives the models. Where the method throws, it has those
  ///     before the object that failed.
  ///   - decoder: Reads the fields of the object that it stands on.
  ///   - advance: Moves the decoder to the next object, the first one too;
  ///     returns false where there is none.
  /// - Throws: As ``model(from:)``, and what `advance` throws.
  public func read(
    into models: inout [Model], from decoder: any FieldDecoder,
    advance: () throws -> Bool
  ) throws {
    try checkDeclaration()
    let checksUnknown = decoder.reportsUnknownKeys
    guard hasRules || checksUnknown else {
      return try readUnvalidated(into: &models, from: decoder, advance: advance)
    }
    // Rules, and the look for unknown keys, need each model before the decoder
    // moves on from it.
    while try advance() {
      var model: [Model] = []
      var errors: [MappingError] = []
      do {
        try readUnvalidated(into: &model, from: decoder, advance: once())
        model = try model.map { try validated($0, readFrom: decoder) }
      } catch let error as MappingError {
        errors.append(error)
      }
      if checksUnknown { errors += decoder.unknownKeyErrors() }
      if let error = MappingError(errors) { throw error }
      models += model
    }
  }

  private func readUnvalidated(
    into models: inout [Model], from decoder: any FieldDecoder,
    advance: () throws -> Bool
  ) throws {
    do {
      if mappingKeys.comparesOrder {
        try readComparing(into: &models, from: decoder, advance: advance)
      } else {
        try readAll(decoder, advance, &models)
      }
    } catch let failure as KeyFailure {
      throw self.failure(of: decoder, stoppedBy: failure)
    }
  }

  /// Throws where the declaration is not sound.
  ///
  /// - Throws: ``MappingError`` of code
  ///   ``MappingError/Code/invalidDeclaration`` that lists all issues.
  public func checkDeclaration() throws {
    guard declaredIssues.isEmpty, mappingKeys.isSound else { throw invalidDeclaration }
  }

  var invalidDeclaration: MappingError {
    MappingError(
      .invalidDeclaration, model: name,
      found: issues.map(\.description).joined(separator: "; "))
  }

  /// Reads the keys behind the one that failed, and those before it that have
  /// rules, to find all that fail. Decoding stops at the first failure, so that
  /// what succeeds pays nothing for this.
  ///
  /// The key that failed is not read again: where models are nested, each level
  /// would double the time.
  private func failure(
    of decoder: any FieldDecoder, stoppedBy first: KeyFailure
  ) -> any Error {
    if decoder is any FastPathDecoder { return first.error }
    if mappingKeys.isCluster { return failure(ofCluster: first.error, decoder) }
    var errors: [MappingError] = []
    for index in fields.indices {
      if index == first.index {
        errors += self.errors(first.error, decoder, index)
      } else if index > first.index || !fields[index].rules.isEmpty {
        do {
          _ = try value(from: decoder, at: index)
        } catch {
          errors += self.errors(error, decoder, index)
        }
      }
    }
    return MappingError(errors) ?? first.error
  }

  /// The value of a key, validated and repaired.
  func value(from decoder: any FieldDecoder, at index: Int) throws -> any AnyValueBox {
    try validated(fields[index].read(decoder, index), at: index) { _, expectation in
      decoder.error(.failedValidation, at: index, expected: expectation)
    }
  }

  /// The errors that a key's error stands for, with the key's name.
  func errors(
    _ error: any Error, _ decoder: any FieldDecoder, _ index: Int
  ) -> [MappingError] {
    let error =
      error as? MappingError
      ?? decoder.error(.invalidValue, at: index, expected: nil, underlying: error)
    return error.errors.map { $0.naming(model: name, key: keys[index].name) }
  }
}

/// Which key's reading ended that of a model, and why.
@usableFromInline
struct KeyFailure: Error {
  let index: Int
  let error: any Error

  @usableFromInline
  init(index: Int, error: any Error) {
    self.index = index
    self.error = error
  }
}

/// A function that is true the first time it is called.
func once() -> () -> Bool {
  var isFirst = true
  return {
    defer { isFirst = false }
    return isFirst
  }
}
