package import Foundation
import MohoMapping

/// Passes the objects of an adapter's models, and reads their fields, where the
/// adapter's keys and the objects are such as a scanner knows.
// SAFETY: The reader's bytes are those of the last call of a method here: who
// calls reads what it wants before it gives up the bytes, and then calls `end`.
final class ElementScanner {
  let fields: ScanReader

  /// Grows with each object that is given back. Where most of them are, passing
  /// them is lost time.
  private var refusals = 0

  /// Nil where the parser must read everything.
  init?<Model>(_ adapter: JSONAdapter<Model>) {
    guard let plan = adapter.scanPlan else { return nil }
    fields = ScanReader(.object, adapter.mapping.mappingKeys, plan, ScannedText())
  }

  /// Whether what was read since the last object was passed must be read by the
  /// parser instead.
  var hasGivenUp: Bool {
    fields.scanner.pointee.hasGivenUp || fields.scanner.pointee.mismatches > 0
  }

  /// Passes the object that begins at an offset.
  ///
  /// - Returns: Where it ends; nil where the parser must be asked about it.
  func end(ofObjectAt offset: Int, in bytes: UnsafeRawBufferPointer) -> Int? {
    guard refusals < 64 else { return nil }
    fields.scanner.pointee.begin(UnsafeRawBufferPointer(rebasing: bytes[offset...]))
    guard fields.scan() else { return nil }
    if refusals > 0 { refusals -= 1 }
    return offset + fields.scanner.pointee.position
  }

  /// Passes a text that is one object.
  ///
  /// - Returns: Whether the parser need not be asked about it.
  func passDocument(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let mark = bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
    let text = UnsafeRawBufferPointer(rebasing: bytes[mark...])
    fields.scanner.pointee.begin(text)
    fields.scanner.pointee.skipSpace()
    guard fields.scan() else { return false }
    fields.scanner.pointee.skipSpace()
    return fields.scanner.pointee.position == text.count
  }

  /// Notes that the parser has read an object that it need not have read, if the
  /// scanner knew more.
  func refuse() { refusals += 8 }

  /// Lets go of the bytes.
  func end() { fields.scanner.pointee.end() }
}

extension JSONAdapter {
  /// Calls a function with the fields of the object that a text is.
  ///
  /// - Returns: What the function returns; nil where the parser must read the
  ///   text.
  func scan<Result>(
    _ bytes: UnsafeRawBufferPointer, _ body: (any FieldDecoder) throws -> Result
  ) -> Result? {
    guard let scanner = ElementScanner(self) else { return nil }
    defer { scanner.end() }
    guard scanner.passDocument(bytes), let result = try? body(scanner.fields), !scanner.hasGivenUp
    else { return nil }
    return result
  }

  /// Whether a text of one model is read without the parser.
  package func isScanned(_ data: Data) -> Bool {
    // SAFETY: The bytes are used inside the call that lends them only.
    data.withUnsafeBytes { bytes in scan(bytes) { _ = try mapping.model(from: $0) } } != nil
  }

  /// The adapter that has the parser read everything.
  package var withoutScanner: JSONAdapter {
    var adapter = self
    adapter.scanPlan = nil
    return adapter
  }
}
