extension Transform {
  /// This form, or another one: reads by the first that succeeds, and writes by
  /// this one.
  ///
  /// ```swift
  /// .key("id", \.id, .standard.or(.numberInString))
  /// ```
  ///
  /// The kind of value is this transform's. A value that is in neither form is
  /// one error, which lists what both expect: of code `invalidValue` where
  /// the value is of the right type for one of them, else of this form's code.
  /// A form that gets inside the value, an array's elements for one, and fails
  /// there, has come further than one that refuses the value as a whole: its
  /// error is thrown as it is.
  ///
  /// - Complexity: Where this form fails, it makes an error; put the form first
  ///   that is met more often.
  public func or(_ other: Transform<Value>) -> Transform<Value> {
    let (read, otherRead) = (read, other.read)
    return Transform(
      type: type,
      isOptional: isOptional || other.isOptional,
      problems: problems + other.problems,
      parts: parts + other.parts,
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
  /// The error of a value that has neither of two forms.
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
