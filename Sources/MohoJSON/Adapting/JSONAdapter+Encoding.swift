public import Foundation
public import MohoMapping

extension JSONAdapter {
  /// Encodes a model as JSON text in UTF-8.
  ///
  /// Keys are written in declaration order. Keys with a common parent object follow
  /// its first key. Store-only keys and transient properties are omitted. Array
  /// elements without a key are null.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - formatting: The layout of the text.
  ///   - nullPolicy: How nil is encoded; the adapter's policy by default.
  /// - Throws: `MappingError` if JSON cannot represent a value: a number that is not
  ///   finite, a date outside its format, or more than 128 nested models.
  public func data(
    from model: Model, formatting: JSONFormatting = .compact, nullPolicy: NullPolicy? = nil
  ) throws -> Data {
    try checkDeclaration()
    return try text(formatting, nullPolicy ?? self.nullPolicy, depth: 0) { writer in
      writer.begin(index: nil)
      try withUnsafePointer(to: model) {
        try mapping.encode($0, order: writer.order, to: writer)
      }
      try writer.end()
    }
  }

  /// Encodes models as a JSON array in UTF-8.
  ///
  /// Each model is encoded as by ``data(from:formatting:nullPolicy:)-(Model,_,_)``.
  ///
  /// - Throws: `MappingError` if JSON cannot represent a value. Its path begins with
  ///   the model's index. The first error stops the encoding.
  public func data(
    from models: [Model], formatting: JSONFormatting = .compact, nullPolicy: NullPolicy? = nil
  ) throws -> Data {
    try checkDeclaration()
    return try text(formatting, nullPolicy ?? self.nullPolicy, depth: 1) { writer in
      let (order, writers) = (writer.order, mapping.writers)
      try models.withUnsafeBytes { bytes in
        try writer.writeArray(of: models.count) { index in
          // SAFETY: The index is valid, so the array has memory.
          guard let start = bytes.baseAddress else { return }
          try writers.write(start + index * MemoryLayout<Model>.stride, order, to: writer)
        }
      }
    }
  }

  /// Returns the text that a function writes.
  ///
  /// - Parameters:
  ///   - overridesKeys: Whether the policy applies to keys that declare another one.
  ///   - depth: The nesting depth of the objects.
  func text(
    _ formatting: JSONFormatting, _ nullPolicy: NullPolicy, overridesKeys: Bool = false,
    depth: Int, _ write: (ObjectWriter) throws -> Void
  ) throws -> Data {
    let settings = ObjectWriter.Settings(
      nullPolicy: nullPolicy, overridesKeys: overridesKeys, formatting: formatting)
    let writer =
      idleWriters.take { $0.settings == settings && $0.rootDepth == depth }
      ?? ObjectWriter(
        plan: formatting.contains(.sorted)
          ? OutputPlan(output.sorted, keyCount: mapping.keys.count) : plan,
        keys: mapping.fieldKeys, settings: settings, envelope: envelope, depth: depth)
    try write(writer)
    let text = try writer.takeText()
    if text.count <= ObjectWriter.greatestIdleLength { idleWriters.add(writer) }
    return text
  }
}
