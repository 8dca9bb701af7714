/// Walks over the bytes of a JSON text, accepts what the parser accepts or less,
/// and keeps where the values are that are wanted.
///
/// Whatever it does not accept, it says nothing about: methods return false, or
/// ``TokenKind/none``, and the parser is asked. That are mistakes, and also what
/// is rare: more than ``greatestDepth`` levels, numbers near the end of the range
/// of doubles.
///
// SAFETY: What this folder relies on, and nothing outside it has to know:
//
// 1. `start` points to `count` bytes that stay readable and unchanged until the
//    next `begin` or `end`, whose callers see to that. Nobody writes to them.
// 2. `0 <= position <= count` between any two methods.
// 3. A byte is read at an offset that was compared with `count`, or by `byte(at:)`,
//    which does that; a word of 8 bytes where `count - offset >= 8`, and a block of
//    16 where as many are there.
// 4. The offsets in tokens and in `frames` are of bytes that were passed, so
//    that they lie within `count`. Tokens outlive their text: readers compare
//    what they hold with `firstStamp` before they believe it.
// 5. The scanner owns its buffers, each of which is freed with what holds it. None
//    of them can be copied.
//
// Methods that are not inlined are mutating whether they change anything or not: for
// others, all of the scanner would be laid on the stack first.
struct ByteScanner: ~Copyable {
  /// The most levels of arrays and objects.
  static let greatestDepth = 256

  var start: UnsafeRawPointer
  var count = 0
  var position = 0
  /// The values inside those that are wanted.
  var tape = TokenTape()
  /// The keys of the objects around the position.
  var keys = KeyHashes()
  /// The keys that objects nobody wants have had, in this text and others.
  var chains = KeyChains()
  /// The arrays and objects around the position, the innermost one last.
  let frames = UnsafeMutablePointer<Frame>.allocate(capacity: greatestDepth)
  /// Bytes of texts without their escapes.
  var plain = PlainText()
  let powersOfTen = PowersOfTen.tables

  /// Counts what readers are moved to. What they found is theirs as long as
  /// their own stamp is not before that of the text.
  var stamp = 0
  private(set) var firstStamp = 0
  /// How many arrays and objects lead to the position, but for those in `frames`.
  var level = 0
  /// Whether something was found that the parser must be asked about.
  var hasGivenUp = false
  /// How many values were not what was asked for, but for those that need not be.
  var mismatches = 0

  init() {
    // SAFETY: Any address will do for no bytes; this one is the scanner's own.
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

  /// Lets go of the text.
  mutating func end() {
    start = UnsafeRawPointer(frames)
    count = 0
    position = 0
    stamp += 1
    firstStamp = stamp
  }

  deinit { frames.deallocate() }

  /// The byte at an offset; 0 behind the end, which no text has.
  @inline(__always)
  func byte(at offset: Int) -> UInt8 {
    offset < count ? start.load(fromByteOffset: offset, as: UInt8.self) : 0
  }

  /// The byte at the position; 0 at the end.
  @inline(__always)
  var byte: UInt8 { byte(at: position) }

  /// The 8 bytes from an offset on, the first one lowest: there must be as many.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    UInt64(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The 16 bytes from an offset on: there must be as many.
  @inline(__always)
  func block(at offset: Int) -> Block {
    Block(at: start + offset)
  }

  /// Passes a byte, if it is there.
  @inline(__always)
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard byte == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Passes white space.
  @inline(__always)
  mutating func skipSpace() {
    // Few texts have any, and those that do, one space or a line's indentation.
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

  /// The bytes between two offsets that were passed.
  @inline(__always)
  func bytes(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    // SAFETY: Bytes are bytes, whatever the memory was bound to.
    UnsafeBufferPointer(
      start: (start + range.lowerBound).assumingMemoryBound(to: UInt8.self), count: range.count)
  }
}

/// An array or object around the position.
struct Frame {
  let isObject: Bool
  /// Where its keys begin among the hashes.
  let firstKey: Int
  /// Where it is on the tape, if values are kept.
  let token: Int
  /// The place among the chains that it lies at, or -1.
  let place: Int
  /// How far it has come in the chain of that, if it is an object.
  var walk: ChainWalk
  /// How many elements or members came before the one at the position.
  var count = 0
}
