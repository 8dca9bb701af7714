/// Decodes keys from the bytes of a terminal, in chunks of any size.
///
/// Keys such as ↑ are sequences that begin with an Esc byte. An Esc byte
/// without a successor is the Esc key: while ``isWaiting`` is true, the caller
/// waits for a short time and then calls ``timeOut()``.
///
/// The sequences are those of ECMA-48 and of xterm
/// (<https://invisible-island.net/xterm/ctlseqs/ctlseqs.html>).
public struct KeyDecoder: Sendable {
  private enum State {
    case ground
    /// After Esc.
    case escape
    /// After `ESC [`, with the parameters so far.
    case sequence([UInt8])
    /// After `ESC O`.
    case function
    /// Inside a character of several bytes.
    case character([UInt8], length: Int)
    /// Inside pasted text.
    case paste
    /// After `ESC [ M`, the report of a mouse by a terminal without SGR
    /// reports: three more bytes.
    case mouse([UInt8])
  }

  private var state = State.ground
  private var pasted: [UInt8] = []

  /// Creates a decoder.
  public init() {}

  /// Whether the bytes end with Esc or with an incomplete sequence.
  public var isWaiting: Bool {
    switch state {
    case .escape, .sequence, .function, .mouse: true
    case .ground, .character, .paste: false
    }
  }

  /// Decodes a chunk of bytes and returns the keys that are complete.
  public mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
    var keys: [Key] = []
    for byte in bytes { take(byte, &keys) }
    return keys
  }

  /// Ends an incomplete sequence: a single Esc byte is the Esc key, other bytes
  /// are ignored.
  public mutating func timeOut() -> [Key] {
    guard isWaiting else { return [] }
    defer { state = .ground }
    if case .escape = state { return [.escape] }
    return []
  }

  private mutating func take(_ byte: UInt8, _ keys: inout [Key]) {
    switch state {
    case .ground: begin(byte, &keys)
    case .escape: follow(byte, &keys)
    case .sequence(let parameters): extend(parameters, byte, &keys)
    case .function:
      state = byte == Self.escape ? .escape : .ground
      if let key = KeySequence.key(final: byte) { keys.append(key) }
    case .character(let bytes, let length): complete(bytes, length, byte, &keys)
    case .paste: paste(byte, &keys)
    case .mouse(let bytes): complete(bytes, byte, &keys)
    }
  }

  private mutating func begin(_ byte: UInt8, _ keys: inout [Key]) {
    switch byte {
    case Self.escape: state = .escape
    case 0x0A, 0x0D: keys.append(.enter)
    case 0x09: keys.append(.tab)
    case 0x08, 0x7F: keys.append(.backspace)
    case 0x01...0x1A: keys.append(.control(Character(UnicodeScalar(byte + 0x60))))
    case 0x20..<0x7F: keys.append(.character(Character(UnicodeScalar(byte))))
    case 0xC2...0xDF: state = .character([byte], length: 2)
    case 0xE0...0xEF: state = .character([byte], length: 3)
    case 0xF0...0xF4: state = .character([byte], length: 4)
    default: break
    }
  }

  private mutating func follow(_ byte: UInt8, _ keys: inout [Key]) {
    switch byte {
    case UInt8(ascii: "["): state = .sequence([])
    case UInt8(ascii: "O"): state = .function
    case Self.escape: keys.append(.escape)
    case 0x20..<0x7F:
      state = .ground
      keys.append(.alternate(Character(UnicodeScalar(byte))))
    default:
      state = .ground
      keys.append(.escape)
      begin(byte, &keys)
    }
  }

  private mutating func extend(_ parameters: [UInt8], _ byte: UInt8, _ keys: inout [Key]) {
    switch byte {
    // No key has more parameters. Longer sequences are skipped.
    case 0x20..<0x40: if parameters.count < 32 { state = .sequence(parameters + [byte]) }
    case 0x40..<0x7F:
      state = .ground
      if byte == UInt8(ascii: "~"), parameters == Array("200".utf8) {
        state = .paste
        pasted = []
      } else if byte == UInt8(ascii: "M"), parameters.isEmpty {
        state = .mouse([])
      } else if let key = KeySequence.key(parameters, final: byte) {
        keys.append(key)
      }
    default:
      state = .ground
      begin(byte, &keys)
    }
  }

  private mutating func complete(
    _ bytes: [UInt8], _ length: Int, _ byte: UInt8, _ keys: inout [Key]
  ) {
    guard byte & 0xC0 == 0x80 else {
      state = .ground
      return begin(byte, &keys)
    }
    let bytes = bytes + [byte]
    if bytes.count < length {
      state = .character(bytes, length: length)
      return
    }
    state = .ground
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    keys += text.map { .character($0) }
  }

  /// Each byte of the report is 32 greater than its value; positions begin
  /// with 1.
  private mutating func complete(_ bytes: [UInt8], _ byte: UInt8, _ keys: inout [Key]) {
    let bytes = bytes + [byte]
    guard bytes.count == 3 else { return state = .mouse(bytes) }
    state = .ground
    guard bytes[0] >= 32, bytes[1] > 32, bytes[2] > 32 else { return }
    let event = MouseEvent(
      button: Int(bytes[0]) - 32, line: Int(bytes[2]) - 33, column: Int(bytes[1]) - 33)
    if let event { keys.append(.mouse(event)) }
  }

  private mutating func paste(_ byte: UInt8, _ keys: inout [Key]) {
    pasted.append(byte)
    guard byte == UInt8(ascii: "~"), pasted.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd)
    else { return }
    state = .ground
    let text = pasted.dropLast(Self.pasteEnd.count)
    pasted = []
    keys.append(.paste(String(decoding: text, as: UTF8.self)))
  }

  private static let escape: UInt8 = 0x1B
  private static let pasteEnd = Array("\u{1B}[201~".utf8)
}
