/// Writes the models of a mapping, at their addresses.
// The type is not generic in the model: that would cost metadata lookups for every nested
// model.
final class MappingWriter: Sendable {
  /// Calls a closure with the address of a model with validations and repairs applied.
  typealias Validation =
    @Sendable (
      UnsafeRawPointer, any FieldEncoder, (UnsafeRawPointer) throws -> Void
    ) throws -> Void

  let keys: FieldKeys
  private let writers: KeyWriters
  /// Whether the mapping has no issues, not counting those of ``keys``.
  private let isDeclared: Bool
  /// Nil if the mapping has no rules.
  private let validation: Validation?

  init(_ keys: FieldKeys, _ writers: KeyWriters, isDeclared: Bool, _ validation: Validation?) {
    self.keys = keys
    self.writers = writers
    self.isDeclared = isDeclared
    self.validation = validation
  }

  /// Whether the declaration has no issues.
  var isSound: Bool { isDeclared && keys.isSound }

  /// Writes the fields of a model, as ``Mapping/encode(_:to:)``. The declaration must not have
  /// issues.
  func write(_ model: UnsafeRawPointer, to encoder: any FieldEncoder) throws {
    if let validation, encoder.validatesModels {
      return try validation(model, encoder) { try writeFields(of: $0, to: encoder) }
    }
    try writeFields(of: model, to: encoder)
  }

  /// Writes a model as the value of a key. The declaration must not have issues.
  func write(_ model: UnsafeRawPointer, to encoder: any FieldEncoder, at index: Int) throws {
    try encoder.encodeObject(at: index, keys: keys) { try write(model, to: $0) }
  }

  private func writeFields(of model: UnsafeRawPointer, to encoder: any FieldEncoder) throws {
    try writers.write(model, encoder.order(of: keys) ?? keys.written, to: encoder)
  }
}

extension Mapping {
  /// Writes a model as the value of a key.
  func encode(_ model: Model, to encoder: any FieldEncoder, at index: Int) throws {
    try checkDeclaration()
    let writer = writer
    try withUnsafePointer(to: model) {
      try writer.write(UnsafeRawPointer($0), to: encoder, at: index)
    }
  }
}
