extension Transform {
  /// Returns a transform that reads values in this form or another one. It
  /// writes values in this form.
  ///
  /// ```swift
  /// .key("id", \.id, .standard.or(.numberInString))
  /// ```
  ///
  /// The type is that of this transform. A value in neither form is one error
  /// that lists both expectations. Its code is `invalidValue` if the value has
  /// the right type for one of the forms, and otherwise that of this form. If
  /// one of the forms failed inside the value, for example at an element of an
  /// array, its error is thrown unchanged.
  ///
  /// - Complexity: Creates an error if this form fails. Declare the more common
  ///   form first.
  public func or(_ other: Transform<Value>) -> Transform<Value> {
    let (read, otherRead) = (read, other.read)
    return Transform(
      type: type,
      isOptional: isOptional || other.isOptional,
      problems: problems + other.problems,
      parts: parts + other.parts,
      schema: .anyOf(schema, other.schema),
      read: { decoder, index in
        do {
          return try read(decoder, index)
        } catch let first {
          decoder.discardFastPathError(first)
          do {
            return try otherRead(decoder, index)
          } catch let second {
            throw decoder.error(first, second, at: index)
          }
        }
      },
      write: write,
      sample: sample)
  }
}

extension FieldDecoder {
  /// Returns the error of a value in neither of two forms.
  fileprivate func error(_ first: any Error, _ second: any Error, at index: Int) -> MappingError {
    let path = field(at: index).path
    let errors = [first, second].map { error in
      error as? MappingError
        ?? self.error(.invalidValue, at: index, expected: nil, underlying: error)
    }
    let inside = errors.first { error in
      error.errors.count > 1 || error.path.map { $0 != path } ?? false
    }
    if let inside { return inside }
    let code = errors.contains { $0.code == .invalidValue } ? .invalidValue : errors[0].code
    let expectations = errors.compactMap(\.expected)
    let underlying = errors.lazy.compactMap(\.underlying).first
    return error(
      code, at: index,
      expected: expectations.isEmpty ? nil : expectations.joined(separator: " or "),
      underlying: underlying)
  }
}
