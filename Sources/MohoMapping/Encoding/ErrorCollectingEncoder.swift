/// An encoder that can write values after the error of another value. The errors of all
/// values of a model are found then, and nothing that was written is used.
package protocol ErrorCollectingEncoder: FieldEncoder {
  /// Whether the encoder goes on after errors.
  var collectsErrors: Bool { get }
}

extension ErrorCollectingEncoder {
  /// The default is true.
  package var collectsErrors: Bool { true }
}

extension FieldEncoder {
  /// Adds the error of a value to those of other values, if the encoder can go on.
  ///
  /// - Throws: The error if it ends the writing.
  @inline(never)
  func collect(_ error: any Error, in errors: inout [MappingError]) throws {
    // Values that are nested too deeply may contain each other many times.
    guard let failure = error as? MappingError, failure.code != .tooDeep,
      let encoder = self as? any ErrorCollectingEncoder, encoder.collectsErrors
    else { throw error }
    errors.append(failure)
    if errors.count >= 100 { try errors.check() }
  }
}

extension [MappingError] {
  /// Throws the combined error if there is one.
  @inline(__always)
  func check() throws {
    if !isEmpty, let error = MappingError(self) { throw error }
  }
}
