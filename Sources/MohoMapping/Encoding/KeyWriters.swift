/// The functions that write the keys of a mapping.
// The type is not generic in the model: that would cost metadata lookups for
// every field.
package struct KeyWriters: Sendable {
  private let writers: [KeyWriter]
  private let keys: FieldKeys

  init(_ writers: [KeyWriter], _ keys: FieldKeys) {
    self.writers = writers
    self.keys = keys
  }

  /// Writes some fields of a model.
  ///
  /// - Parameters:
  ///   - model: The address of a model of the mapping's type.
  ///   - order: The indexes of the keys, in the order of writing.
  ///   - encoder: Receives the fields.
  /// - Throws: ``MappingError`` if the encoder cannot represent a value or a
  ///   transform throws. If the encoder can go on, it has the errors of all values.
  package func write(
    _ model: UnsafeRawPointer, _ order: [Int], to encoder: any FieldEncoder
  ) throws {
    var errors: [MappingError] = []
    var failed: [Int] = []
    try writers.withUnsafeBufferPointer { writers in
      for index in order {
        do {
          // SAFETY: The array retains the writer. Reading it from the array
          // would retain and release it for every field.
          try Unmanaged.passUnretained(writers[index])._withUnsafeGuaranteedRef {
            try $0.write(model, encoder, index)
          }
        } catch {
          let failure = keys.failure(error, at: index, of: encoder) { writers[index].value(model) }
          try encoder.collect(failure, in: &errors)
          failed.append(index)
        }
      }
    }
    if errors.isEmpty { return }
    // In declaration order.
    try failed.indices.sorted { failed[$0] < failed[$1] }.map { errors[$0] }.check()
  }
}

/// The function that writes a key, in an object that can be borrowed from an
/// array. Functions that are stored in an array directly are called through two
/// thunks.
final class KeyWriter: Sendable {
  let write: PropertyWriter
  /// Returns the value of the key, for messages.
  let value: @Sendable (UnsafeRawPointer) -> Any

  init(
    _ write: @escaping PropertyWriter, value: @escaping @Sendable (UnsafeRawPointer) -> Any
  ) {
    self.write = write
    self.value = value
  }
}
