extension Mapping {
  /// Reads a model.
  ///
  /// - Throws: ``MappingError``. If several keys fail, it has code
  ///   ``MappingError/Code/severalErrors`` and contains an error for each of
  ///   them, in declaration order.
  public func model(from decoder: any FieldDecoder) throws -> Model {
    try checkDeclaration()
    return try soundModel(from: decoder)
  }

  /// Reads a model that is the value of a key.
  func model(from decoder: any FieldDecoder, at index: Int) throws -> Model {
    try checkDeclaration()
    return try soundModel(from: decoder.object(at: index, keys: fieldKeys))
  }

  /// Reads a model. The declaration must not have issues.
  func soundModel(from decoder: any FieldDecoder) throws -> Model {
    guard !decoder.reportsUnknownKeys, !fieldKeys.comparesOrder else {
      return try modelWithChecks(from: decoder)
    }
    var model: Model
    do {
      model = try parts.read(decoder)
    } catch let failure as KeyFailure {
      throw self.failure(of: decoder, stoppedBy: failure)
    }
    if hasRules { try applyRules(to: &model, readFrom: decoder) }
    return model
  }

  private func modelWithChecks(from decoder: any FieldDecoder) throws -> Model {
    var models: [Model] = []
    try read(into: &models, from: decoder, advance: once())
    guard let model = models.first else {
      throw MappingError(.missingValue, model: name)
    }
    return model
  }

  /// Reads a model from each object of a decoder and appends it.
  ///
  /// - Parameters:
  ///   - models: Receives the models. If the method throws, it contains the
  ///     models before the object that failed.
  ///   - decoder: Reads the fields of its current object.
  ///   - advance: Moves the decoder to the next object, or returns false at the
  ///     end. It is also called before the first object.
  /// - Throws: As ``model(from:)-(FieldDecoder)``, and errors of `advance`.
  public func read(
    into models: inout [Model], from decoder: any FieldDecoder,
    advance: () throws -> Bool
  ) throws {
    try checkDeclaration()
    let accept: ((inout Model) throws -> Void)? =
      hasRules ? { try applyRules(to: &$0, readFrom: decoder) } : nil
    guard decoder.reportsUnknownKeys else {
      return try read(into: &models, from: decoder, advance: advance, accept: accept)
    }
    // The check for unknown keys requires each model before the decoder moves to the next
    // object.
    while try advance() {
      let count = models.count
      var errors: [MappingError] = []
      do {
        try read(into: &models, from: decoder, advance: once(), accept: accept)
      } catch let error as MappingError {
        errors.append(error)
      }
      errors += decoder.unknownKeyErrors()
      if let error = MappingError(errors) {
        models.removeLast(models.count - count)
        throw error
      }
    }
  }

  private func applyRules(to model: inout Model, readFrom decoder: any FieldDecoder) throws {
    let changed = try withUnsafePointer(to: &model) { try change(of: $0, readFrom: decoder) }
    if let changed { model = changed }
  }

  private func read(
    into models: inout [Model], from decoder: any FieldDecoder,
    advance: () throws -> Bool, accept: ((inout Model) throws -> Void)?
  ) throws {
    do {
      // Partial models do not use the initializer, and have no fields here.
      if fieldKeys.comparesOrder, !fields.isEmpty {
        try readComparing(into: &models, from: decoder, advance: advance, accept: accept)
      } else {
        try parts.readAll(decoder, advance, accept, &models)
      }
    } catch let failure as KeyFailure {
      throw self.failure(of: decoder, stoppedBy: failure)
    }
  }

  /// Throws an error if the declaration has issues.
  ///
  /// - Throws: ``MappingError`` with code
  ///   ``MappingError/Code/invalidDeclaration`` that lists all issues.
  public func checkDeclaration() throws {
    guard writer.isSound else { throw invalidDeclaration }
  }

  var invalidDeclaration: MappingError {
    MappingError(
      .invalidDeclaration, model: name,
      found: issues.map(\.description).joined(separator: "; "))
  }

  /// Returns the errors of all keys after the first one failed: reads the keys
  /// after it, and the keys before it that have validations. Decoding stops at
  /// the first error so that successful reads do not pay for this.
  ///
  /// The key that failed is not read again. With nested models, each level
  /// would double the time.
  private func failure(
    of decoder: any FieldDecoder, stoppedBy first: KeyFailure
  ) -> any Error {
    if decoder is any FastPathDecoder { return first.error }
    if fieldKeys.isCluster { return failure(ofCluster: first.error, decoder) }
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

  /// Reads a key, with its validations and repairs applied.
  func value(from decoder: any FieldDecoder, at index: Int) throws -> any AnyValueBox {
    try validated(fields[index].read(decoder, index), at: index, readFrom: decoder)
  }

  /// Returns a value with the validations and repairs of its key applied.
  func validated(
    _ box: any AnyValueBox, at index: Int, readFrom decoder: any FieldDecoder
  ) throws -> any AnyValueBox {
    try validated(box, at: index) { _, expectation in
      decoder.error(.failedValidation, at: index, expected: expectation)
    }
  }

  /// Returns the errors that the error of a key consists of, with the key's
  /// name.
  func errors(
    _ error: any Error, _ decoder: any FieldDecoder, _ index: Int
  ) -> [MappingError] {
    let error =
      error as? MappingError
      ?? decoder.error(.invalidValue, at: index, expected: nil, underlying: error)
    return error.errors.map { $0.naming(model: name, key: keys[index].name) }
  }
}

/// The error that ended the reading of a model, and its key.
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

/// Returns a function that returns true only the first time it is called.
func once() -> () -> Bool {
  var isFirst = true
  return {
    defer { isFirst = false }
    return isFirst
  }
}
