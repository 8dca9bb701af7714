extension Mapping {
  /// Returns a model with the validations and repairs of its keys, and then
  /// those of the model, applied.
  ///
  /// - Throws: ``MappingError`` with the errors of all invalid keys, in
  ///   declaration order. The model is validated if all keys are valid.
  public func validated(_ model: Model) throws -> Model {
    try checkDeclaration()
    return try validated(model) { failure(of: $1, at: $0, nil, expected: $2) }
  }

  /// Returns a model that will be written, with validations and repairs
  /// applied.
  package func validated(_ model: Model, writtenTo encoder: any FieldEncoder) throws -> Model {
    try validated(model) { failure(of: $1, at: $0, encoder, expected: $2) }
  }

  /// Calls a closure with a model that will be written, with validations and repairs
  /// applied. A model that no rule changes is not copied.
  package func withValidated<Result>(
    _ model: UnsafePointer<Model>, writtenTo encoder: any FieldEncoder,
    _ body: (UnsafePointer<Model>) throws -> Result
  ) throws -> Result {
    let change = try change(of: model) { failure(of: $1, at: $0, encoder, expected: $2) }
    guard let change else { return try body(model) }
    return try withUnsafePointer(to: change, body)
  }

  /// Returns a value of a key that will be written, with validations and
  /// repairs applied.
  func validated(
    _ value: any AnyValueBox, at index: Int, writtenTo encoder: any FieldEncoder
  ) throws -> any AnyValueBox {
    try validated(value, at: index) { failure(of: $0, at: index, encoder, expected: $1) }
  }

  private func failure(
    of value: any AnyValueBox, at index: Int, _ encoder: (any FieldEncoder)?, expected: String
  ) -> MappingError {
    MappingError(
      .failedValidation, path: encoder?.path(at: index),
      found: content(of: value, at: index)?.summary, expected: expected)
  }

  /// Applies validations and repairs to a model that was read.
  ///
  /// - Returns: The changed model, or nil if nothing was repaired.
  func change(
    of model: UnsafePointer<Model>, readFrom decoder: any FieldDecoder
  ) throws -> Model? {
    do {
      return try change(of: model) { index, _, expectation in
        var error = decoder.error(.failedValidation, at: index, expected: expectation)
        error.row = decoder.rowName
        return error
      }
    } catch var error as MappingError where error.errors.count == 1 && error.path == nil {
      // A validation of the model failed.
      error.path = decoder.objectPath
      error.row = error.row ?? decoder.rowName
      throw error
    }
  }

  /// Returns a value of a key with validations and repairs applied.
  func validated(
    _ value: any AnyValueBox, at index: Int, failure: (any AnyValueBox, String) -> MappingError
  ) throws -> any AnyValueBox {
    try validated(value, at: index, by: fields[index].rules, failure: failure)
  }

  private func validated(
    _ value: any AnyValueBox, at index: Int, by rules: [FieldRule],
    failure: (any AnyValueBox, String) -> MappingError
  ) throws -> any AnyValueBox {
    try rules.reduce(value) { value, rule in
      switch rule {
      case .repair(let repair): return repair(value)
      case .validation(let expectation, let isValid):
        var underlying: (any Error)?
        do {
          if try isValid(value) { return value }
        } catch {
          underlying = error
        }
        var failure = failure(value, expectation).naming(model: name, key: keys[index].name)
        failure.underlying = underlying
        throw failure
      }
    }
  }

  /// Returns a model with some of its values replaced, by the indexes of their
  /// keys.
  func replacing(_ values: [Int: any AnyValueBox], in model: Model) -> Model {
    withUnsafePointer(to: model) { pointer in
      let model = parts.rebuild(pointer) { values[$0] }
      if fieldKeys.comparesOrder {
        compareOrder(of: model) { values[$0] ?? fields[$0].value(pointer) }
      }
      return model
    }
  }

  private func validated(
    _ model: Model, failure: (Int, any AnyValueBox, String) -> MappingError
  ) throws -> Model {
    try withUnsafePointer(to: model) { try change(of: $0, failure: failure) } ?? model
  }

  /// Applies validations and repairs. Returns nil if they cannot change the model.
  private func change(
    of model: UnsafePointer<Model>, failure: (Int, any AnyValueBox, String) -> MappingError
  ) throws -> Model? {
    var values: [Int: any AnyValueBox] = [:]
    var errors: [MappingError] = []
    for field in parts.ruledFields {
      do {
        let value = try validated(field.value(model), at: field.index, by: field.rules) {
          failure(field.index, $0, $1)
        }
        if field.hasRepair { values[field.index] = value }
      } catch let error as MappingError {
        errors.append(error)
      }
    }
    if let error = MappingError(errors) { throw error }
    var repaired = values.isEmpty ? nil : replacing(values, in: model.pointee)
    // Reading or replacing values may have shown that keys are swapped.
    guard fieldKeys.isSound else { throw invalidDeclaration }
    do {
      for rule in parts.modelRules {
        switch rule {
        case .validation(let validate):
          if let repaired { try validate(repaired) } else { try validate(model.pointee) }
        case .repair(let repair): repaired = repair(repaired ?? model.pointee)
        }
      }
    } catch var error as MappingError {
      error.model = error.model ?? name
      throw error
    }
    return repaired
  }
}
