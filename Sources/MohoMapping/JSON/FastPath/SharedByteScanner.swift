/// The scanner that nested decoders share.
// SAFETY: This object is the only owner of the scanner, and decoders retain it. It
// is a pointer because checking exclusive access for each byte is expensive.
final class SharedByteScanner {
  /// The values of store-only keys. Nil if the text is that of a store, which contains them.
  let supplied: SuppliedValues?
  /// Whether the text is structured text of a store; see ``StructuredText``.
  let isStored: Bool
  let scanner: UnsafeMutablePointer<ByteScanner> = {
    let scanner = UnsafeMutablePointer<ByteScanner>.allocate(capacity: 1)
    scanner.initialize(to: ByteScanner())
    return scanner
  }()

  init(supplied: SuppliedValues?) {
    self.supplied = supplied
    isStored = supplied == nil
  }

  deinit {
    scanner.deinitialize(count: 1)
    scanner.deallocate()
  }
}

/// Thrown where the fast path cannot continue. The adapter catches it.
struct FastPathExit: Error {
  /// The number of type mismatches before this one.
  let mismatches: Int
}
