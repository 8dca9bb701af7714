extension Mapping {
  /// Makes a model of the fields that a decoder holds.
  ///
  /// - Throws: ``MappingError``. Where several keys fail, it is of code
  ///   ``MappingError/Code/severalErrors`` and holds one error for each, in
  ///   declaration order.
  public func model(from decoder: any FieldDecoder) throws -> Model {
    var models: [Model] = []
    var isAdvanced = false
    try read(into: &models, from: decoder) {
      defer { isAdvanced = true }
      return !isAdvanced
    }
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
    var isAdvancing = false
    do {
      try readAll(
        decoder,
        {
          isAdvancing = true
          let isThere = try advance()
          isAdvancing = false
          return isThere
        },
        &models)
    } catch {
      throw isAdvancing ? error : failure(of: decoder, stoppedBy: error)
    }
  }

  /// Throws where the declaration is not sound.
  ///
  /// - Throws: ``MappingError`` of code
  ///   ``MappingError/Code/invalidDeclaration`` that lists all issues.
  public func checkDeclaration() throws {
    guard issues.isEmpty else { throw invalidDeclaration }
  }

  private var invalidDeclaration: MappingError {
    MappingError(
      .invalidDeclaration, model: name,
      found: issues.map(\.description).joined(separator: "; "))
  }

  /// Reads every key once more to find all that fail. Decoding stops at the
  /// first failure, so that what succeeds pays nothing for this.
  private func failure(of decoder: any FieldDecoder, stoppedBy first: any Error) -> any Error {
    var errors: [MappingError] = []
    for (index, field) in fields.enumerated() {
      do {
        try field.check(decoder, index)
      } catch {
        let error =
          error as? MappingError
          ?? decoder.error(.invalidValue, at: index, expected: nil, underlying: error)
        errors += error.naming(model: name, key: keys[index].name).errors
      }
    }
    return MappingError(errors) ?? first
  }
}
