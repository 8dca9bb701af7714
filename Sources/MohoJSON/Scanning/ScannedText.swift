/// The scanner that the readers of one call share.
// SAFETY: The only owner of the scanner. Readers keep the owner. A pointer, so
// that what is done for each byte pays for no access to a class.
final class ScannedText {
  let scanner: UnsafeMutablePointer<ByteScanner> = {
    let scanner = UnsafeMutablePointer<ByteScanner>.allocate(capacity: 1)
    scanner.initialize(to: ByteScanner())
    return scanner
  }()

  deinit {
    scanner.deinitialize(count: 1)
    scanner.deallocate()
  }
}

/// Thrown where the parser must be asked. It never leaves the adapter.
struct ScanStop: Error {
  /// How many values had not been what was asked for before this one.
  let mismatches: Int
}
