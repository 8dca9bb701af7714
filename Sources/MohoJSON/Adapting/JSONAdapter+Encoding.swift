public import Foundation
import MohoMapping

extension JSONAdapter {
  /// The JSON text of a model, in UTF-8.
  ///
  /// Keys are written in declaration order; those that share an object, at the
  /// place of the first. Keys that only a store holds and transient properties
  /// are not written. Array elements that no key is mapped to are null.
  ///
  /// - Throws: ``MappingError`` where a value has no JSON: a number that is not
  ///   finite, a date that its format does not spell.
  public func data(
    from model: Model, formatting: JSONFormatting = .compact
  ) throws -> Data {
    try checkDeclaration()
    let writer = writer(formatting, nulls: nulls, depth: 0)
    writer.begin(index: nil)
    try withUnsafePointer(to: model) {
      try mapping.encode($0, order: writer.order, to: writer)
    }
    try writer.end()
    return writer.layout.text.take()
  }

  /// The JSON text of models, an array, in UTF-8.
  ///
  /// Each model is written as ``data(from:formatting:)-(Model,_)`` does.
  ///
  /// - Throws: ``MappingError`` where a value has no JSON; its path begins with
  ///   the model's index. The first one ends the writing.
  public func data(
    from models: [Model], formatting: JSONFormatting = .compact
  ) throws -> Data {
    try checkDeclaration()
    let writer = writer(formatting, nulls: nulls, depth: 1)
    writer.layout.text.append("[")
    let order = writer.order
    try models.withUnsafeBufferPointer { models in
      for index in models.indices {
        if index > 0 { writer.layout.text.append(",") }
        writer.layout.breakLine(0)
        writer.begin(index: index)
        // SAFETY: The index is one of the buffer's, which therefore has memory.
        guard let model = models.baseAddress?.advanced(by: index) else { continue }
        try mapping.encode(model, order: order, to: writer)
        try writer.end()
      }
    }
    if !models.isEmpty { writer.layout.breakLine(-1) }
    writer.layout.text.append("]")
    return writer.layout.text.take()
  }

  func writer(
    _ formatting: JSONFormatting, nulls: NullPolicy, depth: Int
  ) -> ObjectWriter {
    ObjectWriter(
      plan: formatting.contains(.sorted)
        ? OutputPlan(output.sorted, keyCount: mapping.keys.count) : plan,
      keys: mapping.table,
      settings: ObjectWriter.Settings(nulls: nulls, formatting: formatting),
      envelope: envelope, depth: depth)
  }

  /// The JSON of models as a value, an array, to be put into a document.
  ///
  /// ```swift
  /// let feed: JSONValue = ["title": "Deep Time", "items": try adapter.value(from: episodes)]
  /// let text = try feed.data(formatting: .pretty)
  /// ```
  ///
  /// - Throws: As ``data(from:formatting:)-([Model],_)``, and ``JSONError``
  ///   where a model holds what is not read back.
  public func value(from models: [Model]) throws -> JSONValue {
    try JSONDocument(parsing: data(from: models)).value() ?? []
  }
}
