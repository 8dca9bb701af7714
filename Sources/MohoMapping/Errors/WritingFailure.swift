/// An error of an adapter and not of a value, such as a failed database.
/// Mappings rethrow it unchanged.
package protocol AdapterError: Error {}

extension FieldEncoder {
  /// Returns the error of a value that could not be written.
  ///
  /// A ``MappingError`` gets the path of the value unless it has one. Errors of
  /// transforms and other client code become the underlying error of a
  /// ``MappingError``.
  ///
  /// - Parameter value: Returns the value, for the message.
  package func failure(
    _ error: any Error, at index: Int, writing value: () -> Any
  ) -> any Error {
    if error is any AdapterError { return error }
    let path = path(at: index)
    if let error = error as? MappingError { return error.locating(at: path) }
    return MappingError(.invalidValue, path: path, found: shown(value()), underlying: error)
  }
}

extension FieldKeys {
  /// Returns the error of a key that could not be written, with the names of
  /// the model and the key.
  func failure(
    _ error: any Error, at index: Int, of encoder: any FieldEncoder, writing value: () -> Any
  ) -> any Error {
    let error = encoder.failure(error, at: index, writing: value)
    return (error as? MappingError)?.naming(model: model, key: keys[index].name) ?? error
  }
}

private func shown(_ value: Any) -> String {
  guard let value = unwrapped(value) else { return "nil" }
  return "`\(quoted("\(value)").dropFirst().dropLast())`"
}
