/// Scans the bytes of a JSON text in one pass, and records the tokens of requested
/// values.
///
/// It accepts at most what the diagnostic path accepts. Methods return false, or
/// ``TokenKind/none``, at invalid text, and at rare valid text: more than
/// ``maxDepth`` levels inside a value, and numbers near the limit of doubles.
///
// SAFETY: The fast path relies on these rules:
//
// 1. `start` points to `count` bytes that stay readable and unchanged until the
//    next `begin` or `end`. Callers guarantee this.
// 2. `0 <= position <= count` between any two methods.
// 3. A byte is read at an offset that was compared with `count`, or by `byte(at:)`,
//    which compares it; a word of 8 bytes if `count - offset >= 8`, and a block of
//    16 bytes if `count - offset >= 16`.
// 4. The offsets in tokens and in `frames` are offsets of scanned bytes, and so are
//    at most `count`. Tokens outlive their text: decoders compare their stamp with
//    `firstStamp` before they use a token.
// 5. The scanner owns its buffers, which are not copyable. Each is freed with its
//    owner.
//
// Methods that are not inlined are mutating even if they change nothing, because
// others would copy the whole scanner to the stack.
struct ByteScanner: ~Copyable {
  /// The most levels of arrays and objects inside a value.
  static let maxDepth = 256

  var start: UnsafeRawPointer
  var count = 0
  var position = 0
  /// The tokens of recorded values.
  var tape = TokenTape()
  /// The keys of the open objects.
  var keys = DuplicateKeyDetector()
  /// The order of the keys of skipped and recorded objects, across texts.
  var keyOrders = KeyOrderPredictor()
  /// The open arrays and objects, the innermost one last.
  let frames = UnsafeMutablePointer<ScanFrame>.allocate(capacity: maxDepth)
  var unescapeBuffer = UnescapeBuffer()
  let powersOfTen = PowersOfTen.tables

  /// The number of moves of decoders. A decoder's stamp is valid from the first stamp
  /// of the text on.
  var stamp = 0
  private(set) var firstStamp = 0
  /// The number of open arrays and objects that are not in `frames`.
  var level = 0
  /// Whether the diagnostic path must decode the object.
  var hasGivenUp = false
  /// The number of values of another type than requested, without forgiven ones.
  var mismatches = 0

  /// Whether the diagnostic path must decode the object, because of its text or because a
  /// value had another type.
  var hasRefused: Bool { hasGivenUp || mismatches > 0 }

  init() {
    // SAFETY: Any valid address is suitable for zero bytes.
    start = UnsafeRawPointer(frames)
  }

  /// Begins a text.
  mutating func begin(_ bytes: UnsafeRawBufferPointer) {
    guard let first = bytes.baseAddress else { return end() }
    start = first
    // Tokens have offsets of 32 bits.
    count = min(bytes.count, Int(UInt32.max) - 1)
    position = 0
    tape.removeAll()
    keys.removeAll()
    level = 0
    stamp += 1
    firstStamp = stamp
    hasGivenUp = false
    mismatches = 0
  }

  /// Ends the text.
  mutating func end() {
    start = UnsafeRawPointer(frames)
    count = 0
    position = 0
    stamp += 1
    firstStamp = stamp
  }

  /// Whether other texts should be scanned with the memory and the predictions.
  var isReusable: Bool {
    tape.capacity <= 1 << 15 && keys.capacity <= 1 << 15 && unescapeBuffer.capacity <= 1 << 18
      && !keyOrders.isHalfFull
  }

  deinit { frames.deallocate() }

  /// The byte at an offset, or 0 past the end. NUL bytes are never valid.
  @inline(__always)
  func byte(at offset: Int) -> UInt8 {
    offset < count ? start.load(fromByteOffset: offset, as: UInt8.self) : 0
  }

  /// The byte at the position; 0 at the end.
  @inline(__always)
  var byte: UInt8 { byte(at: position) }

  /// The 8 bytes from an offset on, in little-endian order. They must exist.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    UInt64(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The 16 bytes from an offset on. They must exist.
  @inline(__always)
  func block(at offset: Int) -> ByteBlock {
    ByteBlock(at: start + offset)
  }

  /// Skips a byte if it is the next one.
  @inline(__always)
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard byte == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Skips whitespace.
  @inline(__always)
  mutating func skipSpace() {
    // Most texts have none, or single spaces and indentation.
    if byte > 0x20 { return }
    skipSomeSpace()
  }

  @inline(never)
  private mutating func skipSomeSpace() {
    var position = position
    while position < count {
      switch byte(at: position) {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default:
        self.position = position
        return
      }
      while count - position >= 8, word(at: position) == 0x2020_2020_2020_2020 { position += 8 }
    }
    self.position = position
  }

  /// All bytes.
  @inline(__always)
  var text: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

  /// The content of a string that was passed, with its escape sequences replaced. It
  /// is valid until the next call.
  @inline(__always)
  mutating func text(_ token: Token) -> UnsafeBufferPointer<UInt8> {
    token.kind == .escaped ? unescapeBuffer.unescape(text, token.range) : bytes(token.range)
  }

  /// The bytes between two offsets.
  @inline(__always)
  func bytes(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    // SAFETY: Bytes are bytes, whatever the memory was bound to.
    UnsafeBufferPointer(
      start: (start + range.lowerBound).assumingMemoryBound(to: UInt8.self), count: range.count)
  }
}

/// An open array or object.
struct ScanFrame {
  let isObject: Bool
  /// The start of its keys in the duplicate key detector.
  let firstKey: Int
  /// Its tape position, if it is recorded.
  let token: Int
  /// Its site in the key order predictor, or -1.
  let site: Int
  /// The prediction of its next key, if it is an object.
  var prediction: PredictionCursor
  /// The number of parts before the current one.
  var count = 0
}
