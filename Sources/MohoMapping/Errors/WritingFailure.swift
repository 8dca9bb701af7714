/// An error of an adapter and not of a value, such as a database that cannot be
/// written. It passes through mappings as it is.
package protocol AdapterError: Error {}

extension FieldEncoder {
  /// The error of a value that was not written.
  ///
  /// What transforms and other code of the user throw becomes a
  /// ``MappingError`` with that error beneath it. A ``MappingError`` gets the
  /// path of the value unless it has one.
  ///
  /// - Parameter value: The value, for the message.
  package func failure(
    _ error: any Error, at index: Int, writing value: () -> Any
  ) -> any Error {
    if error is any AdapterError { return error }
    let path = path(at: index)
    if let error = error as? MappingError { return error.locating(at: path) }
    return MappingError(.invalidValue, path: path, found: shown(value()), underlying: error)
  }
}

extension MappingKeys {
  /// The error of a key that was not written, with the names of the model and
  /// the key.
  func failure(
    _ error: any Error, at index: Int, of encoder: any FieldEncoder, writing value: () -> Any
  ) -> any Error {
    let error = encoder.failure(error, at: index, writing: value)
    return (error as? MappingError)?.naming(model: model, key: keys[index].name) ?? error
  }
}

/// A value of any type as messages show it.
private func shown(_ value: Any) -> String {
  guard let value = unwrapped(value) else { return "nil" }
  return "`\(quoted("\(value)").dropFirst().dropLast())`"
}
