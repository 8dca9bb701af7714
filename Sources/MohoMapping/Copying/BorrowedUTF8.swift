/// The bytes of a text in UTF-8, in the memory of a decoder.
// SAFETY: Whoever gets one reads the bytes no longer than they stay.
package struct BorrowedUTF8 {
  package let bytes: UnsafeBufferPointer<UInt8>
  /// Whether the bytes stay until the decoder is moved to another object. Others
  /// stay until it is asked for the next value.
  package let isStable: Bool

  @inline(__always)
  package init(_ bytes: UnsafeBufferPointer<UInt8>, isStable: Bool) {
    self.bytes = bytes
    self.isStable = isStable
  }
}

/// A decoder that has the bytes of texts at hand.
package protocol UTF8Source: FieldDecoder {
  /// The value as text.
  ///
  /// - Throws: As ``FieldDecoder/string(at:)``.
  func utf8(at index: Int) throws -> BorrowedUTF8
}

/// An encoder that writes texts by their bytes.
package protocol UTF8Sink: FieldEncoder {
  /// Writes a text. Bytes that last are not copied: they must stay until the
  /// fields of the object are no longer needed.
  func encode(_ text: BorrowedUTF8, at index: Int) throws
}
