/// The text of an array or object that has parts, as ``JSONValue/data(formatting:)`` writes it
/// compactly.
///
/// The parts of a decoded value are this text until one of them is accessed.
struct CompactJSON: Sendable {
  /// The text, which is valid JSON in UTF-8.
  let utf8: [UInt8]
  /// The number of elements or members.
  let count: Int
  /// An upper bound of the levels of arrays and objects, from 1.
  let levels: Int
  /// Whether equal numbers have equal text: that of `storedText()`.
  let hasStoredNumbers: Bool
  /// Whether null is among the values.
  let containsNull: Bool
  let memberOrder: MemberOrder

  /// What the coders of structured text do to objects; see ``PreservedJSON``.
  enum MemberOrder {
    /// They keep all objects.
    case kept
    /// They change this object.
    case changed
    /// They may change objects inside.
    case unclear
  }

  /// The value with all its parts.
  var tree: JSONValue {
    utf8.withUnsafeBytes { text in
      // The text was scanned or parsed before.
      (try? JSONValue(scanning: text) ?? JSONValue(parsing: text)) ?? .null
    }
  }
}

extension ByteScanner {
  /// The text of an array or object on the tape that has parts.
  mutating func compactJSON(at start: Int) -> CompactJSON {
    let (root, end) = (tape[start], tape.position(after: start))
    var summary = CompactSummary()
    for position in start..<end {
      let token = tape[position]
      summary.add(token, text: bytes(token.range))
      if token.kind == .object {
        add(objectAt: position, isRoot: position == start, to: &summary)
      } else if token.kind.isNumber, !NumberShape(bytes(token.range)).isPlain {
        add(number: token, to: &summary)
      }
    }
    let source = bytes(root.range)
    let isCompact = summary.isCompact && summary.length == source.count
    return CompactJSON(
      utf8: isCompact ? Array(source) : compactText(at: start, until: end),
      count: Int(root.count),
      levels: summary.containers > 32 ? levels(from: start, to: end) : summary.containers,
      hasStoredNumbers: summary.hasStoredNumbers, containsNull: summary.containsNull,
      memberOrder: summary.memberOrder)
  }

  /// Compares the text of a number with the one that is written.
  private mutating func add(number token: Token, to summary: inout CompactSummary) {
    let number = scalar(token)
    var text = TextBuffer()
    text.append(number: number)
    if !text.bytes.elementsEqual(bytes(token.range)) { summary.isCompact = false }
    switch number.withStoredNumber {
    case .exact: summary.hasStoredNumbers = false
    case let stored where stored.kind != number.kind: summary.hasStoredNumbers = false
    default: break
    }
  }

  /// Compares the names of an object's members.
  private mutating func add(
    objectAt position: Int, isRoot: Bool, to summary: inout CompactSummary
  ) {
    guard summary.memberOrder == .kept else { return }
    var key = position + 1
    var last: Token?
    for _ in 0..<tape[position].count {
      let token = tape[key]
      // Names with different bytes are distinct for coders if they are ASCII.
      guard token.kind == .ascii, !isReserved(token) else {
        summary.memberOrder = .unclear
        return
      }
      if let last, !bytes(last.range).lexicographicallyPrecedes(bytes(token.range)) {
        summary.memberOrder = isRoot ? .changed : .unclear
        // The other names can be reserved, which changes the object, too.
        return
      }
      last = token
      key = tape.position(after: key + 1)
    }
  }

  /// The number of levels of the arrays and objects between two positions of the tape.
  private mutating func levels(from start: Int, to end: Int) -> Int {
    var (levels, ends) = (0, [Int]())
    for position in start..<end {
      guard tape[position].kind == .object || tape[position].kind == .array else { continue }
      while let last = ends.last, last <= position { ends.removeLast() }
      ends.append(tape.position(after: position))
      levels = max(levels, ends.count)
    }
    return levels
  }

  /// Writes the tokens of a value.
  @inline(never)
  private mutating func compactText(at start: Int, until end: Int) -> [UInt8] {
    var text = TextBuffer()
    var open: [OpenText] = []
    for position in start..<end {
      let token = tape[position]
      let isKey = open.last?.isBeforeKey ?? false
      if !open.isEmpty { open[open.count - 1].separate(&text) }
      switch token.kind {
      case .array, .object:
        let isObject = token.kind == .object
        text.append(isObject ? "{" : "[")
        open.append(OpenText(isObject: isObject, end: tape.position(after: position)))
      case .ascii, .utf8, .escaped:
        text.append(quoting: self.text(token))
        if isKey { text.append(":") }
      default:
        if token.kind.isNumber, !NumberShape(bytes(token.range)).isPlain {
          text.append(number: scalar(token))
        } else {
          text.append(bytes(token.range))
        }
      }
      while let last = open.last, last.end == position + 1 {
        text.append(last.isObject ? "}" : "]")
        open.removeLast()
      }
    }
    return text.bytes
  }
}

/// An array or object that is being written.
private struct OpenText {
  let isObject: Bool
  /// The position of the tape after it.
  let end: Int
  private var isFirst = true
  private var isAfterKey = false

  init(isObject: Bool, end: Int) {
    self.isObject = isObject
    self.end = end
  }

  var isBeforeKey: Bool { isObject && !isAfterKey }

  /// Writes what precedes the next key or value.
  mutating func separate(_ text: inout TextBuffer) {
    if isAfterKey {
      isAfterKey = false
      return
    }
    if !isFirst { text.append(",") }
    isFirst = false
    isAfterKey = isObject
  }
}

/// What decides how the tokens of a value are copied.
private struct CompactSummary {
  /// The length of the text without whitespace.
  var length = 0
  var containers = 0
  /// Whether no token is written in another way.
  var isCompact = true
  var hasStoredNumbers = true
  var containsNull = false
  var memberOrder = CompactJSON.MemberOrder.kept

  mutating func add(_ token: Token, text: UnsafeBufferPointer<UInt8>) {
    switch token.kind {
    case .array, .object:
      containers += 1
      let parts = Int(token.count)
      // Brackets, commas and colons.
      length += 2 + max(0, parts - 1) + (token.kind == .object ? parts : 0)
    case .ascii, .utf8: length += text.count + 2
    case .escaped:
      length += text.count + 2
      isCompact = isCompact && UnsafeRawBufferPointer(text).hasWrittenEscapes
    case .null:
      length += text.count
      containsNull = true
    default: length += text.count
    }
  }
}

/// A form of numbers that are written with the same text, in documents and in stores.
private struct NumberShape {
  /// Whether a valid number is an integer of up to 18 digits, or a decimal fraction of up to
  /// 15 digits without exponent: doubles distinguish all numbers of 15 digits.
  let isPlain: Bool

  init(_ text: UnsafeBufferPointer<UInt8>) {
    let sign = text.first == UInt8(ascii: "-") ? 1 : 0
    let digits = text[sign...]
    guard let point = digits.firstIndex(where: { !$0.isDigit }) else {
      isPlain = digits.count <= 18 && (sign == 0 || digits.first != UInt8(ascii: "0"))
      return
    }
    let fraction = text[(point + 1)...]
    guard text[point] == UInt8(ascii: "."), digits.count <= 16, fraction.allSatisfy(\.isDigit),
      fraction.last != UInt8(ascii: "0")
    else {
      isPlain = false
      return
    }
    // Smaller numbers have an exponent.
    let zeros = fraction.prefix { $0 == UInt8(ascii: "0") }.count
    isPlain = digits.first != UInt8(ascii: "0") || zeros <= 3
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the escape sequences of a valid string are those that are written.
  fileprivate var hasWrittenEscapes: Bool {
    var position = 0
    while position < count {
      if count - position >= ByteBlock.size, let start = baseAddress {
        // SAFETY: The block is inside the text.
        let length = ByteBlock(at: start + position).unescapedLength
        position += length
        if length == ByteBlock.size { continue }
      }
      guard byte(at: position) == UInt8(ascii: "\\") else {
        position += 1
        continue
      }
      switch byte(at: position + 1) {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "b"), UInt8(ascii: "t"),
        UInt8(ascii: "n"), UInt8(ascii: "f"), UInt8(ascii: "r"):
        position += 2
      default: return false
      }
    }
    return true
  }
}

extension TextBuffer {
  /// Appends a number as `ValueWriter` writes it.
  fileprivate mutating func append(number: JSONValue) {
    switch number {
    case .integer(let value): append(value)
    case .number(let value): append(fractional: value)
    case .exact(let number): append(raw: number.text)
    default: break
    }
  }
}
