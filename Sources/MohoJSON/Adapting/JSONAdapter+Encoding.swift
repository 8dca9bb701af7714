public import Foundation
public import MohoMapping

extension JSONAdapter {
  /// The JSON text of a model, in UTF-8.
  ///
  /// Keys are written in declaration order; those that share an object, at the
  /// place of the first. Keys that only a store holds and transient properties
  /// are not written. Array elements that no key is mapped to are null.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - formatting: How the text is laid out.
  ///   - nulls: How nil is written; by the adapter's policy unless given.
  /// - Throws: `MappingError` where a value has no JSON: a number that is not
  ///   finite, a date that its format does not spell, models more than 128
  ///   levels deep.
  public func data(
    from model: Model, formatting: JSONFormatting = .compact, nulls: NullPolicy? = nil
  ) throws -> Data {
    try checkDeclaration()
    let writer = writer(formatting, nulls: nulls ?? self.nulls, depth: 0)
    writer.begin(index: nil)
    try withUnsafePointer(to: model) {
      try mapping.encode($0, order: writer.order, to: writer)
    }
    try writer.end()
    return writer.layout.pointee.text.take()
  }

  /// The JSON text of models, an array, in UTF-8.
  ///
  /// Each model is written as ``data(from:formatting:nulls:)-(Model,_,_)`` does.
  ///
  /// - Throws: `MappingError` where a value has no JSON; its path begins with
  ///   the model's index. The first one ends the writing.
  public func data(
    from models: [Model], formatting: JSONFormatting = .compact, nulls: NullPolicy? = nil
  ) throws -> Data {
    try checkDeclaration()
    let writer = writer(formatting, nulls: nulls ?? self.nulls, depth: 1)
    let (order, writers) = (writer.order, mapping.writers)
    return try models.withUnsafeBytes { bytes in
      try array(of: models.count, with: writer) { index in
        // SAFETY: The index is one of the array's, which therefore has memory.
        guard let start = bytes.baseAddress else { return }
        try writers.write(start + index * MemoryLayout<Model>.stride, order, to: writer)
      }
    }
  }

  /// The text of an array whose objects a function writes the fields of.
  @inline(__always)
  func array(
    of count: Int, with writer: ObjectWriter, _ encode: (Int) throws -> Void
  ) throws -> Data {
    writer.layout.pointee.text.append("[")
    for index in 0..<count {
      if index > 0 { writer.layout.pointee.text.append(",") }
      writer.layout.pointee.breakLine(0)
      writer.begin(index: index)
      try encode(index)
      try writer.end()
    }
    if count > 0 { writer.layout.pointee.breakLine(-1) }
    writer.layout.pointee.text.append("]")
    return writer.layout.pointee.text.take()
  }

  /// - Parameter overridesKeys: Whether nil is null whatever the keys say.
  func writer(
    _ formatting: JSONFormatting, nulls: NullPolicy, overridesKeys: Bool = false, depth: Int
  ) -> ObjectWriter {
    ObjectWriter(
      plan: formatting.contains(.sorted)
        ? OutputPlan(output.sorted, keyCount: mapping.keys.count) : plan,
      keys: mapping.mappingKeys,
      settings: ObjectWriter.Settings(
        nulls: nulls, overridesKeys: overridesKeys, formatting: formatting),
      envelope: envelope, depth: depth)
  }
}
