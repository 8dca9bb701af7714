/// The functions that write the keys of a mapping, whatever the model is.
// Not generic in the model, which would cost metadata look-ups on every field.
package struct KeyWriters: Sendable {
  private let writers: [KeyWriter]
  private let keys: MappingKeys

  /// - Parameters:
  ///   - writers: The functions, in declaration order.
  ///   - keys: The keys, for messages.
  init(_ writers: [KeyWriter], _ keys: MappingKeys) {
    self.writers = writers
    self.keys = keys
  }

  /// Writes some fields of a model that stays where it is in memory.
  ///
  /// - Parameters:
  ///   - model: The model, which is of the mapping's type.
  ///   - order: The positions of the keys, in the order of writing.
  ///   - encoder: Takes the fields.
  /// - Throws: ``MappingError`` where the encoder cannot represent a value or a
  ///   transform throws.
  package func write(
    _ model: UnsafeRawPointer, _ order: [Int], to encoder: any FieldEncoder
  ) throws {
    try writers.withUnsafeBufferPointer { writers in
      for index in order {
        do {
          // SAFETY: The array holds the writer. To take it out would be to
          // retain and release it for every field.
          try Unmanaged.passUnretained(writers[index])._withUnsafeGuaranteedRef {
            try $0.write(model, encoder, index)
          }
        } catch {
          throw keys.failure(error, at: index, of: encoder) { writers[index].value(model) }
        }
      }
    }
  }
}

/// A function in an object, which can be borrowed from an array. In an array of
/// their own, functions would be called by way of two others.
final class KeyWriter: Sendable {
  let write: PropertyWriter
  /// The value of the key, for messages.
  let value: @Sendable (UnsafeRawPointer) -> Any

  init(
    _ write: @escaping PropertyWriter, value: @escaping @Sendable (UnsafeRawPointer) -> Any
  ) {
    self.write = write
    self.value = value
  }
}
