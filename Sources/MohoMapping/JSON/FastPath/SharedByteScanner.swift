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

  /// Scans preserved JSON, which the text contains as a string. Nil if there was none.
  private var preserved: SharedByteScanner?
  /// The sites of `preserved`, by the hashes of the keys that have preserved JSON.
  private var preservedSites: [UInt64: Int] = [:]

  init(supplied: SuppliedValues?) {
    self.supplied = supplied
    isStored = supplied == nil
  }

  deinit {
    scanner.deinitialize(count: 1)
    scanner.deallocate()
  }

  /// The value of the preserved JSON at a position of the tape; see ``PreservedJSON``. Nil
  /// for other objects.
  func preservedJSON(at position: Int) -> JSONValue? {
    let object = scanner.pointee.tape[position]
    guard object.kind == .object, object.count == 1 else { return nil }
    let key = scanner.pointee.tape[position + 1]
    let json = scanner.pointee.tape[position + 2]
    guard json.kind.isText,
      scanner.pointee.text(key).elementsEqual(PreservedJSON.name.utf8)
    else { return nil }
    let preserved = preserved ?? SharedByteScanner(supplied: nil)
    self.preserved = preserved
    let site = preservedSite(
      in: preserved, of: position > 0 ? scanner.pointee.tape[position - 1].hash : 0)
    // SAFETY: The bytes are used only before the next call of `scanner`.
    return preserved.scanner.pointee.value(
      of: UnsafeRawBufferPointer(scanner.pointee.text(json)), at: site)
  }

  /// Whether other texts should be scanned with the memory and the predictions.
  var isReusable: Bool {
    scanner.pointee.isReusable && preserved?.scanner.pointee.isReusable != false
  }

  private func preservedSite(in preserved: SharedByteScanner, of key: UInt64) -> Int {
    if let site = preservedSites[key] { return site }
    guard preservedSites.count < 256 else { return -1 }
    let site = preserved.scanner.pointee.keyOrders.addSite()
    preservedSites[key] = site
    return site
  }
}

/// Thrown where the fast path cannot continue. The adapter catches it.
struct FastPathExit: Error {
  /// The number of type mismatches before this one.
  let mismatches: Int
}
