import Foundation
import MohoMapping

/// JSON text in the making, in memory that grows by doubling.
// SAFETY: `start` points to `capacity` bytes from `malloc`, of which the first
// `count` are initialized. Whoever writes calls `reserve(_:)` before. The
// buffer cannot be copied, so that nobody else has the pointer, which `deinit`
// frees unless `take()` gave it away.
struct TextBuffer: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private(set) var count = 0

  init() {
    capacity = 512
    start = Self.allocate(nil, capacity)
  }

  deinit { free(start) }

  /// The bytes, copied.
  var bytes: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }

  /// Gives the bytes away, without a copy, and begins anew.
  mutating func take() -> Data {
    let (bytes, length) = (Self.allocate(start, max(count, 1)), count)
    (start, capacity, count) = (Self.allocate(nil, 1), 1, 0)
    return Data(bytesNoCopy: bytes, count: length, deallocator: .free)
  }

  /// Makes room for more bytes.
  @inline(__always)
  mutating func reserve(_ more: Int) {
    if capacity - count < more { grow(more) }
  }

  @inline(never)
  private mutating func grow(_ more: Int) {
    capacity = max(capacity * 2, count + more)
    start = Self.allocate(start, capacity)
  }

  /// - Returns: Memory for so many bytes, with the content of other memory,
  ///   which it replaces.
  private static func allocate(
    _ old: UnsafeMutablePointer<UInt8>?, _ capacity: Int
  ) -> UnsafeMutablePointer<UInt8> {
    // `realloc` moves pages: with Swift's own allocation, writing took twice the
    // memory and a tenth more time. Like that one, it ends the program where
    // there is no memory.
    guard let memory = realloc(old, capacity) else { fatalError("out of memory") }
    return memory.assumingMemoryBound(to: UInt8.self)
  }
}

extension TextBuffer {
  @inline(__always)
  mutating func append(_ character: Unicode.Scalar) {
    reserve(1)
    start[count] = UInt8(ascii: character)
    count += 1
  }

  /// Appends a literal of more than one character.
  mutating func append(literal text: StaticString) {
    // SAFETY: Such a literal is stored as UTF-8, for the life of the process.
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends a part of some bytes.
  @inline(__always)
  mutating func append(_ bytes: [UInt8], _ range: Range<Int>) {
    bytes.withUnsafeBufferPointer { append(UnsafeBufferPointer(rebasing: $0[range])) }
  }

  /// Appends what another buffer holds.
  mutating func append(_ other: borrowing TextBuffer) {
    append(UnsafeBufferPointer(start: other.start, count: other.count))
  }

  /// Takes the bytes from a position on off the text.
  mutating func cut(from position: Int) -> [UInt8] {
    let bytes = Array(UnsafeBufferPointer(start: start + position, count: count - position))
    count = position
    return bytes
  }

  /// Forgets the text and keeps the memory.
  mutating func removeAll() { count = 0 }

  /// Appends text as it is.
  mutating func append(raw text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  @inline(__always)
  private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress else { return }
    reserve(bytes.count)
    memcpy(start + count, source, bytes.count)
    count += bytes.count
  }

  /// Appends a date by ISO 8601 in quotes.
  ///
  /// - Returns: False, having appended nothing, for dates without such text.
  mutating func append(iso8601 date: Date) -> Bool {
    reserve(ISO8601.maximumLength + 2)
    guard let length = ISO8601.write(date, to: start + count + 1) else { return false }
    start[count] = UInt8(ascii: "\"")
    start[count + 1 + length] = UInt8(ascii: "\"")
    count += length + 2
    return true
  }
}

extension TextBuffer {
  mutating func append(_ value: Int64) {
    if value < 0 { append("-") }
    append(value.magnitude)
  }

  mutating func append(_ value: UInt64) {
    append(value, digits: Self.digitCount(value))
  }

  /// Appends the last digits of a number, with zeros in front.
  private mutating func append(_ value: UInt64, digits: Int) {
    reserve(digits)
    var rest = value
    var position = count + digits
    while position > count + 1 {
      position -= 2
      let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
      let (tens, ones) = UInt8(truncatingIfNeeded: pair).quotientAndRemainder(dividingBy: 10)
      start[position] = UInt8(ascii: "0") + tens
      start[position + 1] = UInt8(ascii: "0") + ones
      rest = quotient
    }
    if position > count { start[count] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10) }
    count += digits
  }

  private static func digitCount(_ value: UInt64) -> Int {
    var count = 1
    var bound: UInt64 = 10
    while value >= bound {
      count += 1
      let (next, isOver) = bound.multipliedReportingOverflow(by: 10)
      if isOver { break }
      bound = next
    }
    return count
  }

  /// Appends the shortest text that reads back as the same double, an integer
  /// without fraction where integers hold it. The double must be finite.
  mutating func append(_ value: Double) {
    if abs(value) < 1e15, value == value.rounded(.towardZero), value != 0 || value.sign == .plus {
      append(Int64(value))
    } else if !append(decimal: value) {
      append(raw: value.description)
    }
  }

  /// Appends the shortest text with a fraction or an exponent that reads back as
  /// the same double. The double must be finite.
  mutating func append(fractional value: Double) {
    append(value)
    if abs(value) < 1e15, value == value.rounded(.towardZero), value != 0 || value.sign == .plus {
      append(literal: ".0")
    }
  }

  /// Appends a number of at most six decimals and 15 digits.
  ///
  /// Different numbers of up to 15 digits are different doubles, and so the one
  /// of six decimals that reads back as the double is its shortest text, but
  /// for zeros at the end.
  ///
  /// - Returns: False, having appended nothing, for other numbers, and for those
  ///   that are shorter with an exponent.
  private mutating func append(decimal value: Double) -> Bool {
    let scale = 1e6
    let units = (abs(value) * scale).rounded()
    guard abs(value) >= 1e-4, units < 1e15, units / scale == abs(value) else { return false }
    if value < 0 { append("-") }
    let (whole, fraction) = UInt64(units).quotientAndRemainder(dividingBy: UInt64(scale))
    append(whole)
    append(".")
    append(fraction, digits: 6)
    while start[count - 1] == UInt8(ascii: "0") { count -= 1 }
    return true
  }
}

extension TextBuffer {
  /// Appends text in quotes. Only what RFC 8259 requires is escaped: quotes,
  /// backslashes and control characters.
  mutating func append(string: String) {
    // SAFETY: The bytes are used inside the call that lends them only.
    if string.utf8.withContiguousStorageIfAvailable({ append(quoting: $0) }) == nil {
      var native = string
      native.withUTF8 { append(quoting: $0) }
    }
  }

  private mutating func append(quoting text: UnsafeBufferPointer<UInt8>) {
    reserve(text.count + 2)
    start[count] = UInt8(ascii: "\"")
    count += 1
    var position = 0
    if let source = UnsafeRawPointer(text.baseAddress) {
      position = appendBlocks(source, text)
      // The rest is shorter than a block, or follows an escaped byte. Copy eight
      // bytes at a time while none needs an escape.
      while position + 8 <= text.count {
        let word = source.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        if Self.hasEscaped(word) {
          append(escaping: text[position..<(position + 8)], before: text.count - position)
        } else {
          UnsafeMutableRawPointer(start + count).storeBytes(of: word, as: UInt64.self)
          count += 8
        }
        position += 8
      }
    }
    append(escaping: text[position...], before: 0)
    append("\"")
  }

  /// Appends the bytes of a text from its beginning on, in blocks, as long as there
  /// are any.
  ///
  /// - Returns: How many of them were appended.
  // SAFETY: Where a block is stored, there is room for all that is left of the
  // text, which is a block or more; bytes stored after an escaped byte do not
  // count. The last block begins with bytes that were appended already. If none
  // of its bytes needs an escape, the block writes them again unchanged.
  @inline(__always)
  private mutating func appendBlocks(
    _ source: UnsafeRawPointer, _ text: UnsafeBufferPointer<UInt8>
  ) -> Int {
    guard text.count >= Block.size else { return 0 }
    var position = 0
    while text.count - position >= Block.size {
      let block = Block(at: source + position)
      block.store(at: start + count)
      let length = block.literalLength
      position += length
      count += length
      if length < Block.size {
        append(escape: text[position])
        position += 1
        reserve(text.count - position + 1)
      }
    }
    guard position < text.count else { return position }
    let last = Block(at: source + (text.count - Block.size))
    guard last.literalLength == Block.size else { return position }
    count += text.count - position
    last.store(at: start + (count - Block.size))
    return text.count
  }

  /// Appends bytes of a text that has some more behind them.
  private mutating func append(escaping bytes: Slice<UnsafeBufferPointer<UInt8>>, before rest: Int)
  {
    reserve(bytes.count * 6 + rest + 1)
    for byte in bytes {
      if Self.isEscaped(byte) {
        append(escape: byte)
      } else {
        start[count] = byte
        count += 1
      }
    }
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  /// Whether one of eight bytes is escaped: a byte is less than n where taking n
  /// from it borrows, and equal to n where the difference is less than 1.
  /// (Sean Eron Anderson, *Bit Twiddling Hacks*: "Determine if a word has a byte
  /// less than n".)
  @inline(__always)
  private static func hasEscaped(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
    let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
    let isControl = (word &- ones &* 0x20) & ~word
    let isQuote = (quote &- ones) & ~quote
    let isBackslash = (backslash &- ones) & ~backslash
    return (isControl | isQuote | isBackslash) & (ones &* 0x80) != 0
  }

  private mutating func append(escape byte: UInt8) {
    append("\\")
    switch byte {
    case 0x08: append("b")
    case 0x09: append("t")
    case 0x0A: append("n")
    case 0x0C: append("f")
    case 0x0D: append("r")
    case UInt8(ascii: "\""): append("\"")
    case UInt8(ascii: "\\"): append("\\")
    default:
      append(literal: "u00")
      let digits: StaticString = "0123456789abcdef"
      append(Unicode.Scalar(digits.utf8Start[Int(byte >> 4)]))
      append(Unicode.Scalar(digits.utf8Start[Int(byte & 15)]))
    }
  }
}
