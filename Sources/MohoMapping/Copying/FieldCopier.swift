/// Copies the fields of objects from decoders to an encoder, as reading a model
/// and writing it would, but without one.
///
/// Not `Sendable`: a copier is used by one thread at a time.
package final class FieldCopier {
  /// How to copy one key. The functions of the key's copy are left out: they
  /// would be retained and released for every field.
  private struct Step {
    let index: Int
    let kind: KeyCopy.Kind
    let isOptional: Bool
  }

  /// Whether a value is written for each key of each object. The functions of
  /// some keys may write none.
  package let writesAll: Bool

  private let steps: [Step]
  private let copies: [KeyCopy]
  private let encoder: any FieldEncoder
  private let sink: (any UTF8Sink)?
  private var decoder: (any FieldDecoder)?
  private var source: (any UTF8Source)?

  init(_ copies: [KeyCopy], order: [Int], to encoder: any FieldEncoder) {
    steps = order.map { index in
      Step(index: index, kind: copies[index].kind, isOptional: copies[index].isOptional)
    }
    writesAll = steps.allSatisfy { $0.kind != .other }
    self.copies = copies
    self.encoder = encoder
    sink = encoder as? any UTF8Sink
  }

  /// Copies the fields of the object that a decoder stands on, all but transient
  /// ones, in declaration order. The first failure ends it.
  ///
  /// - Throws: What the decoder and the encoder throw, which may lack the names of
  ///   the model and the key.
  package func copy(from decoder: any FieldDecoder) throws {
    if self.decoder !== decoder {
      self.decoder = decoder
      // A cast costs more than the fields of an object.
      source = sink == nil ? nil : decoder as? any UTF8Source
    }
    let encoder = encoder
    if let source, let sink {
      try copy(from: decoder, to: encoder) { try sink.encode(source.utf8(at: $0), at: $0) }
    } else {
      try copy(from: decoder, to: encoder) { try encoder.encode(decoder.string(at: $0), at: $0) }
    }
  }

  /// - Parameter copyText: Copies the text at a position.
  @inline(__always)
  private func copy(
    from decoder: any FieldDecoder, to encoder: any FieldEncoder,
    copyText: (Int) throws -> Void
  ) throws {
    try steps.withUnsafeBufferPointer { steps in
      for step in steps {
        let index = step.index
        if step.isOptional, step.kind != .other, try decoder.isNull(at: index) {
          try encoder.encodeNull(at: index)
          continue
        }
        switch step.kind {
        case .bool: try encoder.encode(decoder.bool(at: index), at: index)
        case .int64: try encoder.encode(decoder.int64(at: index), at: index)
        case .double: try encoder.encode(decoder.double(at: index), at: index)
        case .string: try copyText(index)
        case .date:
          let format = copies[index].format
          try encoder.encode(decoder.date(at: index, format), format, at: index)
        case .other: try copies[index].copy(decoder, encoder, index)
        }
      }
    }
  }
}

extension Mapping {
  /// Copies the fields that a store holds to an encoder. Nil where only a model
  /// determines what is written: where it is validated or repaired, chosen by a
  /// discriminator, made of inlined models, or has computed properties.
  package func copier(to encoder: any FieldEncoder) -> FieldCopier? {
    guard !hasRules, !mappingKeys.isOpen, !mappingKeys.isCluster, let copies else { return nil }
    return FieldCopier(copies, order: mappingKeys.stored, to: encoder)
  }

  /// Whether a model of an object's fields writes what they are copied as, which
  /// it may not where the function that makes models changes their values.
  package func copiesAsWritten(from decoder: any FieldDecoder) throws -> Bool {
    let (copied, written) = (FieldRecorder(), FieldRecorder())
    try copier(to: copied)?.copy(from: decoder)
    let model = try model(from: decoder)
    try withUnsafePointer(to: model) { try encode($0, order: mappingKeys.stored, to: written) }
    return copied.contents == written.contents
  }
}
