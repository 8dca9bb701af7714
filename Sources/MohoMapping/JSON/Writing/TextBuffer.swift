import Foundation

/// JSON text under construction, in memory that grows by doubling.
// SAFETY: `start` points to `capacity` bytes from `malloc`, of which the first `count`
// are initialized. Methods call `reserve(_:)` before they write. The buffer is not
// copyable, so nothing else refers to the memory, which `deinit` frees unless
// `take()` has handed it over.
struct TextBuffer: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private(set) var count = 0

  init() {
    capacity = 512
    start = Self.allocate(nil, capacity)
  }

  deinit { free(start) }

  /// A copy of the bytes.
  var bytes: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }

  /// A copy of the text as a string.
  var string: String {
    String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// Hands over the bytes without a copy, and begins an empty text.
  mutating func take() -> Data {
    let (bytes, length) = (Self.allocate(start, max(count, 1)), count)
    (start, capacity, count) = (Self.allocate(nil, 1), 1, 0)
    return Data(bytesNoCopy: bytes, count: length, deallocator: .free)
  }

  /// Reserves capacity for more bytes.
  @inline(__always)
  mutating func reserve(_ more: Int) {
    if capacity - count < more { grow(more) }
  }

  @inline(never)
  private mutating func grow(_ more: Int) {
    capacity = max(capacity * 2, count + more)
    start = Self.allocate(start, capacity)
  }

  /// Reallocates memory, or allocates it.
  private static func allocate(
    _ old: UnsafeMutablePointer<UInt8>?, _ capacity: Int
  ) -> UnsafeMutablePointer<UInt8> {
    // `realloc` moves pages. Swift's own allocation took twice the memory and 10 %
    // more time. Both end the program when memory is exhausted.
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
    // SAFETY: A literal of more than one character is static UTF-8.
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  @inline(__always)
  mutating func append(_ bytes: [UInt8], _ range: Range<Int>) {
    bytes.withUnsafeBufferPointer { append(UnsafeBufferPointer(rebasing: $0[range])) }
  }

  mutating func append(_ other: borrowing TextBuffer) {
    append(UnsafeBufferPointer(start: other.start, count: other.count))
  }

  mutating func append(_ other: borrowing TextBuffer, _ range: Range<Int>) {
    append(UnsafeBufferPointer(start: other.start + range.lowerBound, count: range.count))
  }

  /// Moves the bytes from a position on to another buffer, whose text they replace.
  mutating func move(from position: Int, to other: inout TextBuffer) {
    other.removeAll()
    other.append(UnsafeBufferPointer(start: start + position, count: count - position))
    count = position
  }

  /// Removes the text from a position on, and retains the memory.
  mutating func removeAll(from position: Int = 0) { count = position }

  /// Appends text without quotes and escape sequences.
  mutating func append(raw text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  @inline(__always)
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress else { return }
    reserve(bytes.count)
    memcpy(start + count, source, bytes.count)
    count += bytes.count
  }

  /// Appends a date in ISO 8601 in quotes.
  ///
  /// - Returns: False, without appending, if the date has no such text.
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

  /// Appends the last digits of a number, with leading zeros.
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

  /// Appends the shortest text that decodes to the same double, which must be finite. A
  /// whole number has no fraction if it fits in an integer.
  mutating func append(_ value: Double) {
    if abs(value) < 1e15, value == value.rounded(.towardZero), value != 0 || value.sign == .plus {
      append(Int64(value))
    } else if !append(decimal: value) {
      append(raw: value.description)
    }
  }

  /// Appends the shortest text that decodes to the same double, which must be finite. Zero
  /// has no sign, and a whole number no fraction.
  mutating func append(stored value: Double) {
    append(value == 0 ? 0 : value)
    if abs(value) >= 1e15, count >= 2, start[count - 2] == UInt8(ascii: ".") { count -= 2 }
  }

  /// Appends the shortest text with a fraction or an exponent that decodes to the same
  /// double, which must be finite.
  mutating func append(fractional value: Double) {
    append(value)
    if abs(value) < 1e15, value == value.rounded(.towardZero), value != 0 || value.sign == .plus {
      append(literal: ".0")
    }
  }

  /// Appends a number of at most six decimals and 15 digits.
  ///
  /// Numbers of up to 15 digits are distinct as doubles. So the number of six decimals
  /// that equals the double is its shortest text, except for trailing zeros.
  ///
  /// - Returns: False, without appending, for other numbers, and for those that are
  ///   shorter with an exponent.
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
  /// Appends a string in quotes. It escapes what RFC 8259 requires: quotes, backslashes
  /// and control characters.
  mutating func append(string: String) {
    // SAFETY: The bytes are used only inside the call.
    if string.utf8.withContiguousStorageIfAvailable({ append(quoting: $0) }) == nil {
      var native = string
      native.withUTF8 { append(quoting: $0) }
    }
  }

  /// Appends UTF-8 as a string in quotes.
  mutating func append(quoting text: UnsafeBufferPointer<UInt8>) {
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

  /// Appends the bytes of a text from its beginning, block by block.
  ///
  /// - Returns: The number of appended bytes.
  // SAFETY: When a block is stored, capacity for the rest of the text is reserved, which
  // is a block or more. Bytes that are stored after an escaped byte do not count. The
  // last block begins with bytes that were appended before. If none of its bytes
  // needs an escape sequence, the block writes them again unchanged.
  @inline(__always)
  private mutating func appendBlocks(
    _ source: UnsafeRawPointer, _ text: UnsafeBufferPointer<UInt8>
  ) -> Int {
    guard text.count >= ByteBlock.size else { return 0 }
    var position = 0
    while text.count - position >= ByteBlock.size {
      let block = ByteBlock(at: source + position)
      block.store(at: start + count)
      let length = block.literalLength
      position += length
      count += length
      if length < ByteBlock.size {
        append(escape: text[position])
        position += 1
        reserve(text.count - position + 1)
      }
    }
    guard position < text.count else { return position }
    let last = ByteBlock(at: source + (text.count - ByteBlock.size))
    guard last.literalLength == ByteBlock.size else { return position }
    count += text.count - position
    last.store(at: start + (count - ByteBlock.size))
    return text.count
  }

  /// Appends bytes of a text that continues with more bytes.
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

  /// Whether one of eight bytes must be escaped: a byte is less than n if subtracting n
  /// borrows, and equal to n if the XOR with n is less than 1.
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
