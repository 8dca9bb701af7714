extension Mapping {
  /// Makes a model of the fields that a decoder holds.
  ///
  /// - Throws: ``MappingError``. Where several keys fail, it is of code
  ///   ``MappingError/Code/severalErrors`` and holds one error for each, in
  ///   declaration order.
  @inlinable
  public func model(from decoder: any FieldDecoder) throws -> Model {
    guard issues.isEmpty else { throw invalidDeclaration }
    do {
      return try read(decoder)
    } catch {
      throw failure(of: decoder, stoppedBy: error)
    }
  }

  /// Throws where the declaration is not sound.
  ///
  /// - Throws: ``MappingError`` of code
  ///   ``MappingError/Code/invalidDeclaration`` that lists all issues.
  public func checkDeclaration() throws {
    guard issues.isEmpty else { throw invalidDeclaration }
  }

  @usableFromInline
  var invalidDeclaration: MappingError {
    MappingError(
      .invalidDeclaration, model: name,
      found: issues.map(\.description).joined(separator: "; "))
  }

  /// Reads every key once more to find all that fail. Decoding stops at the
  /// first failure, so that what succeeds pays nothing for this.
  @usableFromInline
  func failure(of decoder: any FieldDecoder, stoppedBy first: any Error) -> any Error {
    var errors: [MappingError] = []
    for (index, field) in fields.enumerated() {
      do {
        try field.check(decoder, index)
      } catch {
        guard let error = error as? MappingError else { return error }
        errors += error.naming(model: name, key: keys[index].name).errors
      }
    }
    return MappingError(errors) ?? first
  }
}
