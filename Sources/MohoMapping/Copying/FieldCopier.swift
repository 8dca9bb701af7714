/// Copies the fields of objects from decoders to an encoder, as reading a model
/// and writing it would, but without one.
///
/// Not `Sendable`: a copier is used by one thread at a time.
package final class FieldCopier {
  private let copies: [KeyCopy]
  private let order: [Int]
  private let encoder: any FieldEncoder
  private let borrower: (any TextBorrower)?
  private var decoder: (any FieldDecoder)?
  private var lender: (any TextLender)?

  init(_ copies: [KeyCopy], order: [Int], to encoder: any FieldEncoder) {
    self.copies = copies
    self.order = order
    self.encoder = encoder
    borrower = encoder as? any TextBorrower
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
      lender = borrower == nil ? nil : decoder as? any TextLender
    }
    let (lender, borrower, encoder) = (lender, borrower, encoder)
    try copies.withUnsafeBufferPointer { copies in
      for index in order {
        // SAFETY: The array holds the object. To take it out would be to retain and
        // release it for every field.
        try Unmanaged.passUnretained(copies[index])._withUnsafeGuaranteedRef { key in
          if key.kind == .other { return try key.copy(decoder, encoder, index) }
          if key.isOptional, try decoder.isNull(at: index) {
            return try encoder.encodeNull(at: index)
          }
          switch key.kind {
          case .other: break
          case .bool: try encoder.encode(decoder.bool(at: index), at: index)
          case .int64: try encoder.encode(decoder.int64(at: index), at: index)
          case .date:
            try encoder.encode(decoder.date(at: index, key.format), key.format, at: index)
          case .double: try encoder.encode(decoder.double(at: index), at: index)
          case .string:
            if let lender, let borrower {
              try borrower.encode(lender.text(at: index), at: index)
            } else {
              try encoder.encode(decoder.string(at: index), at: index)
            }
          }
        }
      }
    }
  }
}

extension Mapping {
  /// Copies the fields of objects to an encoder; nil where only a model of them
  /// says what is written: where it is validated or repaired, chosen or made of
  /// several places, or has properties that are computed.
  package func copier(to encoder: any FieldEncoder) -> FieldCopier? {
    guard !hasRules, !table.isOpen, !table.isCluster, let copies else { return nil }
    return FieldCopier(copies, order: table.written, to: encoder)
  }

  /// Whether a model of an object's fields writes what they are copied as, which
  /// it may not where the function that makes models changes their values.
  package func copiesAsWritten(from decoder: any FieldDecoder) throws -> Bool {
    let (copied, written) = (FieldRecorder(), FieldRecorder())
    try copier(to: copied)?.copy(from: decoder)
    try encode(model(from: decoder), to: written)
    return copied.contents == written.contents
  }
}
