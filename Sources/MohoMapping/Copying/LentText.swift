/// The bytes of a text in UTF-8, in the memory of a decoder.
// SAFETY: Whoever gets one reads the bytes no longer than they stay.
package struct LentText {
  package let bytes: UnsafeBufferPointer<UInt8>
  /// Whether the bytes stay until the decoder is moved to another object. Others
  /// stay until it is asked for the next value.
  package let isLasting: Bool

  @inline(__always)
  package init(_ bytes: UnsafeBufferPointer<UInt8>, isLasting: Bool) {
    self.bytes = bytes
    self.isLasting = isLasting
  }
}

/// A decoder that has the bytes of texts at hand.
package protocol TextLender: FieldDecoder {
  /// The value as text.
  ///
  /// - Throws: As ``FieldDecoder/string(at:)``.
  func text(at index: Int) throws -> LentText
}

/// An encoder that writes texts by their bytes.
package protocol TextBorrower: FieldEncoder {
  /// Writes a text. Bytes that last are not copied: they must stay until the
  /// fields of the object are no longer needed.
  func encode(_ text: LentText, at index: Int) throws
}
