/// The fast path: scans objects with the keys of a mapping, each in one pass over its
/// bytes.
// SAFETY: The fields refer to the bytes of the last call. Callers decode the fields
// while the bytes are valid, and then call `end()`. After that they do not use the fields:
// another call may.
package final class ObjectScanner {
  private let decoder: ScanFieldDecoder

  /// Grows with each object that the scanner leaves to the diagnostic path. Above a
  /// limit, scanning is no longer attempted.
  private var refusalScore = 0

  /// Creates a scanner.
  ///
  /// - Parameters:
  ///   - keys: The keys of the objects.
  ///   - plan: The paths of the keys.
  ///   - supplied: The values of store-only keys.
  package init(_ keys: FieldKeys, _ plan: FieldScanPlan, _ supplied: SuppliedValues) {
    decoder = ScanFieldDecoder(.object, keys, plan, SharedByteScanner(supplied: supplied))
  }

  /// The fields of the last object.
  package var fields: any FieldDecoder { decoder }

  /// Whether the last object must be decoded by the diagnostic path.
  package var hasGivenUp: Bool { decoder.scanner.pointee.hasRefused }

  /// Scans the object that begins at an offset.
  ///
  /// - Returns: Its end; nil if it needs the diagnostic path.
  package func end(ofObjectAt offset: Int, in bytes: UnsafeRawBufferPointer) -> Int? {
    guard refusalScore < 64 else { return nil }
    decoder.scanner.pointee.begin(UnsafeRawBufferPointer(rebasing: bytes[offset...]))
    guard decoder.scan() else { return nil }
    if refusalScore > 0 { refusalScore -= 1 }
    return offset + decoder.scanner.pointee.position
  }

  /// Scans a text that is one object.
  ///
  /// - Returns: False if it needs the diagnostic path.
  package func scanDocument(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let text = UnsafeRawBufferPointer(rebasing: bytes[bytes.byteOrderMarkLength...])
    decoder.scanner.pointee.begin(text)
    decoder.scanner.pointee.skipSpace()
    guard decoder.scan() else { return false }
    decoder.scanner.pointee.skipSpace()
    return decoder.scanner.pointee.position == text.count
  }

  /// Records that the diagnostic path has decoded an object.
  package func noteRefusal() { refusalScore += 8 }

  /// Ends the access to the bytes.
  package func end() { decoder.scanner.pointee.end() }

  /// Prepares for other texts.
  ///
  /// - Returns: False if another scanner should read them, because this one keeps much memory
  ///   or knows many keys.
  package func prepareForOtherTexts() -> Bool {
    refusalScore = 0
    return decoder.text.isReusable
  }
}
