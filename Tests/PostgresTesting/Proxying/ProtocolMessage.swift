/// A message of the PostgreSQL protocol, or a record of TLS.
struct ProtocolMessage {
  /// The form of the start of a message.
  enum Form {
    /// The length and the body.
    case untyped
    /// A single byte.
    case byte
    /// The type, the length without the type, and the body.
    case typed
    /// The type and the version, the length of the body, and the body.
    case record
  }

  let form: Form
  let bytes: ArraySlice<UInt8>

  private var headerCount: Int {
    switch form {
    case .untyped: 4
    case .byte: 1
    case .typed, .record: 5
    }
  }

  var body: ArraySlice<UInt8> { bytes.dropFirst(headerCount) }

  /// The length in the message, which includes itself, except in a record.
  var length: Int {
    switch form {
    case .untyped: bytes.count
    case .byte: 1
    case .typed: bytes.count - 1
    case .record: bytes.count - 5
    }
  }

  /// The type, or nil if the form has none.
  var type: UnicodeScalar? {
    switch form {
    case .typed, .record: bytes.first.map { UnicodeScalar($0) }
    case .untyped, .byte: nil
    }
  }

  /// Whether the message has data of a `COPY`.
  var isData: Bool { form == .typed && type == "d" }

  func with(type: UInt8) -> ArraySlice<UInt8> { [type] + bytes.dropFirst() }

  /// The message with another length and the same number of bytes.
  func with(length: Int) -> ArraySlice<UInt8> {
    let bigEndian = (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) }
    switch form {
    case .untyped: return bigEndian + body
    case .byte: return bytes
    case .typed: return bytes.prefix(1) + bigEndian + body
    case .record: return bytes.prefix(3) + bigEndian.suffix(2) + body
    }
  }

  /// A message with another body and its length.
  func with(body: some Sequence<UInt8>) -> ArraySlice<UInt8> {
    let bytes = bytes.prefix(headerCount) + body
    return ProtocolMessage(form: form, bytes: bytes).withOwnLength
  }

  private var withOwnLength: ArraySlice<UInt8> { with(length: length) }
}

extension ProtocolMessage: CustomStringConvertible {
  var description: String {
    "\(type.map { form == .typed ? "\($0)" : "record" } ?? "untyped") of \(bytes.count) bytes"
  }
}

extension ProtocolMessage {
  /// Takes the first message from bytes.
  ///
  /// - Returns: Nil if the message is not complete.
  init?(_ form: Form, takenFrom buffer: inout ArraySlice<UInt8>) {
    func integer(at offset: Int, size: Int) -> Int {
      buffer.dropFirst(offset).prefix(size).reduce(0) { $0 << 8 | Int($1) }
    }
    let count: Int
    switch form {
    case .untyped: count = buffer.count < 4 ? 4 : max(4, integer(at: 0, size: 4))
    case .byte: count = 1
    case .typed: count = buffer.count < 5 ? 5 : 1 + max(4, integer(at: 1, size: 4))
    case .record: count = buffer.count < 5 ? 5 : 5 + integer(at: 3, size: 2)
    }
    guard buffer.count >= count else { return nil }
    self.init(form: form, bytes: buffer.prefix(count))
    buffer = buffer.dropFirst(count)
  }
}
