/// Makes keys of the bytes that a terminal sends, however they are cut into
/// pieces.
///
/// A key such as ↑ is a sequence that begins with the byte of Esc. Where nothing
/// follows that byte for a moment, it was Esc: a caller waits while
/// ``isWaiting`` and calls ``timeOut()``.
///
/// The sequences are those of ECMA-48 and of xterm's control sequences
/// (<https://invisible-island.net/xterm/ctlseqs/ctlseqs.html>).
public struct KeyDecoder: Sendable {
  private enum State {
    case ground
    /// After Esc.
    case escape
    /// After `ESC [`, with the parameters that have come.
    case sequence([UInt8])
    /// After `ESC O`.
    case function
    /// Inside of a character of several bytes.
    case character([UInt8], length: Int)
    /// Inside of text from the clipboard.
    case paste
  }

  private var state = State.ground
  private var pasted: [UInt8] = []

  /// Makes a decoder that has seen nothing.
  public init() {}

  /// Whether Esc has come that may be a key, or the beginning of one.
  public var isWaiting: Bool {
    switch state {
    case .escape, .sequence, .function: true
    case .ground, .character, .paste: false
    }
  }

  /// The keys that are whole with these bytes.
  public mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
    var keys: [Key] = []
    for byte in bytes { take(byte, &keys) }
    return keys
  }

  /// The keys that have come, where nothing has followed them for a moment.
  public mutating func timeOut() -> [Key] {
    guard isWaiting else { return [] }
    defer { state = .ground }
    if case .escape = state { return [.escape] }
    // A sequence that was cut off.
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
    // Longer ones are none of a keyboard's, and only skipped.
    case 0x20..<0x40: if parameters.count < 32 { state = .sequence(parameters + [byte]) }
    case 0x40..<0x7F:
      state = .ground
      if byte == UInt8(ascii: "~"), parameters == Array("200".utf8) {
        state = .paste
        pasted = []
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
