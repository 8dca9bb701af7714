/// The UTF-8 bytes of a string in the memory of a decoder.
// SAFETY: Receivers do not read the bytes after they become invalid.
package struct BorrowedUTF8 {
  package let bytes: UnsafeBufferPointer<UInt8>
  /// Whether the bytes stay valid until the decoder moves to another object. If
  /// not, they are valid until the next call of the decoder.
  package let isStable: Bool

  @inline(__always)
  package init(_ bytes: UnsafeBufferPointer<UInt8>, isStable: Bool) {
    self.bytes = bytes
    self.isStable = isStable
  }
}

/// A decoder that returns strings as borrowed bytes.
package protocol UTF8Source: FieldDecoder {
  /// - Throws: As ``FieldDecoder/string(at:)``.
  func utf8(at index: Int) throws -> BorrowedUTF8
}

/// An encoder that writes strings from borrowed bytes.
package protocol UTF8Sink: FieldEncoder {
  /// Writes a string. Stable bytes are not copied: they must stay valid until
  /// the fields of the object are no longer needed.
  func encode(_ text: BorrowedUTF8, at index: Int) throws
}

/// Copies the fields of objects from decoders to an encoder. The result is the
/// same as reading each object into a model and writing the model.
///
/// Not `Sendable`: use a copier from one thread at a time.
package final class FieldCopier {
  // The functions of the key's copy are left out: they would be retained and
  // released for every field.
  private struct Step {
    let index: Int
    let form: PlainForm?
    let isOptional: Bool
  }

  /// Whether a value is written for each key of each object. The function of a
  /// key without a plain form may write nothing.
  package let writesAll: Bool

  private let steps: [Step]
  /// The steps for decoders with supplied values: these are not read in a plain form.
  private let supplyingSteps: [Step]
  private let copies: [KeyCopy]
  private let encoder: any FieldEncoder
  private let sink: (any UTF8Sink)?
  private var decoder: (any FieldDecoder)?
  private var source: (any UTF8Source)?
  private var isSupplied = false

  init(_ copies: [KeyCopy], order: [Int], to encoder: any FieldEncoder) {
    steps = order.map { index in
      Step(index: index, form: copies[index].form, isOptional: copies[index].isOptional)
    }
    supplyingSteps = steps.map { step in
      copies[step.index].isStoreOnly
        ? Step(index: step.index, form: nil, isOptional: step.isOptional) : step
    }
    // The function of a key with a plain form writes a value, too.
    writesAll = steps.allSatisfy { $0.form != nil }
    self.copies = copies
    self.encoder = encoder
    sink = encoder as? any UTF8Sink
  }

  /// Copies the fields of the decoder's current object in declaration order,
  /// except transient keys. Stops at the first error.
  ///
  /// - Throws: Errors of the decoder and the encoder. They may lack the names
  ///   of the model and the key.
  package func copy(from decoder: any FieldDecoder) throws {
    if self.decoder !== decoder {
      self.decoder = decoder
      // A cast costs more than copying the fields of an object.
      source = sink == nil ? nil : decoder as? any UTF8Source
      isSupplied = decoder.suppliedValues?.isEmpty == false
    }
    let encoder = encoder
    if let source, let sink {
      try copy(from: decoder, to: encoder) { try sink.encode(source.utf8(at: $0), at: $0) }
    } else {
      try copy(from: decoder, to: encoder) { try encoder.encode(decoder.string(at: $0), at: $0) }
    }
  }

  @inline(__always)
  private func copy(
    from decoder: any FieldDecoder, to encoder: any FieldEncoder,
    copyString: (Int) throws -> Void
  ) throws {
    try (isSupplied ? supplyingSteps : steps).withUnsafeBufferPointer { steps in
      for step in steps {
        let index = step.index
        if step.isOptional, step.form != nil, try decoder.isNull(at: index) {
          try encoder.encodeNull(at: index)
          continue
        }
        switch step.form {
        case .bool: try encoder.encode(decoder.bool(at: index), at: index)
        case .int64: try encoder.encode(decoder.int64(at: index), at: index)
        case .double: try encoder.encode(decoder.double(at: index), at: index)
        case .string: try copyString(index)
        case .date:
          let format = copies[index].dateFormat
          try encoder.encode(decoder.date(at: index, format), format, at: index)
        case nil: try copies[index].copy(decoder, encoder, index)
        }
      }
    }
  }
}

extension Mapping {
  /// Returns a copier of the fields that a store holds. Nil if the written
  /// values depend on the model: it has validations or repairs, is a cluster,
  /// contains inlined models, or has computed properties.
  package func copier(to encoder: any FieldEncoder) -> FieldCopier? {
    guard !hasRules, !fieldKeys.isOpen, !fieldKeys.isCluster, let copies = parts.copies else {
      return nil
    }
    return FieldCopier(copies, order: fieldKeys.stored, to: encoder)
  }

  /// Whether copying the fields of an object yields the same values as writing
  /// a model of them. It does not if the function that creates models changes
  /// values.
  package func copiesAsWritten(from decoder: any FieldDecoder) throws -> Bool {
    let (copied, written) = (FieldRecorder(), FieldRecorder())
    try copier(to: copied)?.copy(from: decoder)
    let model = try model(from: decoder)
    try withUnsafePointer(to: model) { try encode($0, order: fieldKeys.stored, to: written) }
    return copied.contents == written.contents
  }
}
