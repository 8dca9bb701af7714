/// Reads the structured text of rows on the fast path.
///
/// It returns nil for text that needs ``StructuredText``. While a value is decoded, it can
/// also find that the value needs it: the row is then decoded again.
///
/// ```swift
/// try reader.withFallback { try mapping.model(from: rowDecoder) }
/// ```
// SAFETY: Callers do not use decoders after they have released the reader. Another reader
// then uses them.
package final class StructuredTextReader {
  private let keys: FieldKeys
  /// Scans the texts. Nil before the first one, because most rows have no structured text.
  private var usedScanner: TextScanner?
  /// Whether the row is decoded again.
  private var isDiagnosing = false
  /// Whether a value of the row was decoded on the fast path.
  private var isUsed = false
  /// Whether an earlier value of the row needs ``StructuredText``.
  private var hasRefused = false

  /// Creates a reader of the rows of some keys.
  package init(_ keys: FieldKeys) { self.keys = keys }

  deinit {
    guard let textScanner = usedScanner else { return }
    textScanner.end()
    if textScanner.isReusable { keys.idleTextScanners.add(textScanner) }
  }

  /// Calls a closure that decodes a row, and again if a value needs ``StructuredText``.
  package func withFallback<Result>(_ decode: () throws -> Result) rethrows -> Result {
    (isUsed, hasRefused) = (false, false)
    do {
      let result = try decode()
      if !isUsed || !hasRefused && !scanner.pointee.hasRefused { return result }
    } catch {
      // The fast path reports no errors.
      guard isUsed else { throw error }
    }
    isDiagnosing = true
    defer { isDiagnosing = false }
    return try decode()
  }

  /// Returns a decoder of the keys of an object.
  ///
  /// - Parameters:
  ///   - utf8: The text.
  ///   - keys: The keys.
  ///   - isDivided: Whether paths of other keys divide the unknown members; see
  ///     ``FieldKeys/division(at:)``.
  ///   - depth: The number of levels that contain the object.
  package func object(
    _ utf8: UnsafeRawBufferPointer, keys: FieldKeys, isDivided: Bool, depth: Int = 1
  ) -> (any FieldDecoder)? {
    guard !isDiagnosing, !isDivided, depth < NestingDepth.limit,
      let decoder = root.decoder(of: keys)
    else { return nil }
    begin(utf8)
    guard decoder.scan(), isAtEnd else { return nil }
    decoder.depth = depth + 1
    isUsed = true
    return decoder
  }

  /// Returns a decoder of the elements of an array.
  ///
  /// - Parameters:
  ///   - utf8: The text.
  ///   - index: The index of the key.
  ///   - depth: The number of levels that contain the array.
  package func array(
    _ utf8: UnsafeRawBufferPointer, at index: Int, depth: Int = 1
  ) -> FieldElements? {
    guard record(utf8, at: index, .array) else { return nil }
    root.depth = depth
    root.move(to: 0)
    return FieldElements(decoder: root, count: Int(scanner.pointee.tape[0].count))
  }

  /// Returns a decoder of the members of a dictionary.
  ///
  /// - Parameters:
  ///   - utf8: The text.
  ///   - index: The index of the key.
  ///   - depth: The number of levels that contain the dictionary.
  package func dictionary(
    _ utf8: UnsafeRawBufferPointer, at index: Int, depth: Int = 1
  ) -> FieldMembers? {
    guard record(utf8, at: index, .object) else { return nil }
    root.depth = depth
    return try? root.members(ofObjectAt: 0, depth: depth)
  }

  /// Returns the value of a key of any JSON. Nil for other types.
  ///
  /// - Parameters:
  ///   - utf8: The text.
  ///   - index: The index of the key.
  package func json<Value>(
    _ type: Value.Type, _ utf8: UnsafeRawBufferPointer, at index: Int
  ) -> Value? {
    guard Value.self == JSONValue.self else { return nil }
    begin(utf8)
    guard scanner.pointee.recordValue(at: textScanner.site(of: index)), isAtEnd else { return nil }
    return scanner.pointee.jsonValue(at: 0) as? Value
  }

  /// Records the text of a key, which must have a kind.
  private func record(_ utf8: UnsafeRawBufferPointer, at index: Int, _ kind: TokenKind) -> Bool {
    guard !isDiagnosing else { return false }
    begin(utf8)
    guard scanner.pointee.recordValue(at: textScanner.site(of: index)), isAtEnd,
      scanner.pointee.tape[0].kind == kind
    else { return false }
    isUsed = true
    return true
  }

  private func begin(_ utf8: UnsafeRawBufferPointer) {
    if isUsed, scanner.pointee.hasRefused { hasRefused = true }
    textScanner.begin(utf8)
  }

  private var textScanner: TextScanner {
    if let textScanner = usedScanner { return textScanner }
    let textScanner = keys.idleTextScanners.take() ?? TextScanner()
    usedScanner = textScanner
    return textScanner
  }

  private var root: ScanFieldDecoder { textScanner.root }

  private var scanner: UnsafeMutablePointer<ByteScanner> { textScanner.root.scanner }

  private var isAtEnd: Bool {
    scanner.pointee.skipSpace()
    return scanner.pointee.position == scanner.pointee.count
  }
}

/// The memory and the predictions of a ``StructuredTextReader``.
// SAFETY: Decoders refer to the bytes in `buffer`. It is replaced only by `begin`, which
// begins another text, and decoders return no value of an earlier text.
final class TextScanner {
  let root = ScanFieldDecoder(.array, nil, .empty, SharedByteScanner(supplied: nil))
  private var buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// The sites of the texts of each key in the key order predictor.
  private var sites: [Int] = []

  deinit { buffer.deallocate() }

  /// Begins a text.
  func begin(_ utf8: UnsafeRawBufferPointer) {
    if buffer.count < utf8.count {
      buffer.deallocate()
      buffer = .allocate(byteCount: utf8.count * 2, alignment: 1)
    }
    buffer.copyMemory(from: utf8)
    root.scanner.pointee.begin(UnsafeRawBufferPointer(rebasing: buffer[..<utf8.count]))
    root.scanner.pointee.skipSpace()
  }

  /// The site of the texts of a key.
  func site(of index: Int) -> Int {
    while sites.count <= index { sites.append(root.scanner.pointee.keyOrders.addSite()) }
    return sites[index]
  }

  /// Ends the access to the text.
  func end() { root.scanner.pointee.end() }

  /// Whether other texts should be scanned with the memory and the predictions.
  var isReusable: Bool { buffer.count <= 1 << 18 && root.text.isReusable }
}

extension Mapping {
  /// Reads a model from each row of a decoder and appends it, as
  /// ``read(into:from:advance:)``.
  ///
  /// - Parameter texts: Reads the structured text of the rows.
  package func read(
    into models: inout [Model], from decoder: any FieldDecoder, _ texts: StructuredTextReader,
    advance: () throws -> Bool
  ) throws {
    guard fieldKeys.hasStructuredText else {
      return try read(into: &models, from: decoder, advance: advance)
    }
    while try advance() {
      let count = models.count
      try texts.withFallback {
        models.removeLast(models.count - count)
        try read(into: &models, from: decoder, advance: once())
      }
    }
  }
}
