package import Foundation
import MohoMapping

/// The fast path: scans the objects of an adapter's models in one pass over their
/// bytes.
// SAFETY: The fields refer to the bytes of the last call. Callers decode the fields
// while the bytes are valid, and then call `end()`.
final class ObjectScanner {
  let fields: ScanFieldDecoder

  /// Grows with each object that the scanner leaves to the diagnostic path. Above a
  /// limit, scanning is no longer attempted.
  private var refusalScore = 0

  /// Nil if the adapter needs the diagnostic path.
  init?<Model>(_ adapter: JSONAdapter<Model>) {
    guard let plan = adapter.scanPlan else { return nil }
    fields = ScanFieldDecoder(
      .object, adapter.mapping.mappingKeys, plan,
      SharedByteScanner(adapter.supplied))
  }

  /// Whether the last object must be decoded by the diagnostic path.
  var hasGivenUp: Bool {
    fields.scanner.pointee.hasGivenUp || fields.scanner.pointee.mismatches > 0
  }

  /// Scans the object that begins at an offset.
  ///
  /// - Returns: Its end; nil if it needs the diagnostic path.
  func end(ofObjectAt offset: Int, in bytes: UnsafeRawBufferPointer) -> Int? {
    guard refusalScore < 64 else { return nil }
    fields.scanner.pointee.begin(UnsafeRawBufferPointer(rebasing: bytes[offset...]))
    guard fields.scan() else { return nil }
    if refusalScore > 0 { refusalScore -= 1 }
    return offset + fields.scanner.pointee.position
  }

  /// Scans a text that is one object.
  ///
  /// - Returns: False if it needs the diagnostic path.
  func scanDocument(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let text = UnsafeRawBufferPointer(rebasing: bytes[bytes.byteOrderMarkLength...])
    fields.scanner.pointee.begin(text)
    fields.scanner.pointee.skipSpace()
    guard fields.scan() else { return false }
    fields.scanner.pointee.skipSpace()
    return fields.scanner.pointee.position == text.count
  }

  /// Records that the diagnostic path has decoded an object.
  func noteRefusal() { refusalScore += 8 }

  /// Ends the access to the bytes.
  func end() { fields.scanner.pointee.end() }
}

extension JSONAdapter {
  /// Calls a function with the fields of a text that is one object.
  ///
  /// - Returns: The function's result; nil if the text needs the diagnostic path.
  func scan<Result>(
    _ bytes: UnsafeRawBufferPointer, _ body: (any FieldDecoder) throws -> Result
  ) -> Result? {
    guard let scanner = ObjectScanner(self) else { return nil }
    defer { scanner.end() }
    guard scanner.scanDocument(bytes), let result = try? body(scanner.fields), !scanner.hasGivenUp
    else { return nil }
    return result
  }

  /// Whether the fast path decodes a text of one model.
  package func isScanned(_ data: Data) -> Bool {
    // SAFETY: The bytes are used only inside the call.
    data.withUnsafeBytes { bytes in scan(bytes) { _ = try mapping.model(from: $0) } } != nil
  }

  /// The adapter without the fast path.
  package var withoutFastPath: JSONAdapter {
    var adapter = self
    adapter.scanPlan = nil
    return adapter
  }
}
