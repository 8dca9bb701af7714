package import Foundation

/// Decoded objects have sorted members, because decoders do not preserve order. Numbers
/// that neither 64 bits nor a double represent are those of `Decimal`.
/// Coders are recursive. Values of more than 128 levels, including those of the coder, are
/// an error. The columns of a store preserve values that coders would change.
extension JSONValue: Codable {
  /// Decodes any JSON value.
  public init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: AnyCodingKey.self) {
      if let text = PreservedJSON.text(in: members, of: decoder),
        let value = try? JSONValue(json: Data(text.utf8))
      {
        self = value
        return
      }
      try Self.checkDepth(of: decoder)
      self = .object(
        try members.allKeys.sorted(byBytesOf: \.stringValue).map { name in
          Member(name.stringValue, try members.decode(JSONValue.self, forKey: name))
        })
    } else if var elements = try? decoder.unkeyedContainer() {
      try Self.checkDepth(of: decoder)
      var values: [JSONValue] = []
      while !elements.isAtEnd { values.append(try elements.decode(JSONValue.self)) }
      self = .array(values)
    } else {
      try self.init(scalar: decoder.singleValueContainer())
    }
  }

  private init(scalar container: any SingleValueDecodingContainer) throws {
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
      // Decoders produce any decimal for a number out of its range, so it is compared
      // with the double.
      if let decimal = try? container.decode(Decimal.self), let exact = NumberText("\(decimal)"),
        exact.double == value, NumberText("\(value)")?.isEqual(to: exact) == false,
        let number = JSONNumber(exact.text)
      {
        self = .exact(number)
      }
    } else {
      self = .string(try container.decode(String.self))
    }
  }

  /// Encodes the value in the encoder's format.
  ///
  /// - Throws: `EncodingError` for a number that neither 64 bits, a double nor a `Decimal`
  ///   represents, for two members of one name, and for more than 128 levels; what the
  ///   encoder throws.
  public func encode(to encoder: any Encoder) throws {
    try encode(
      to: encoder, level: CodingDepth.containers + encoder.codingPath.count + 1,
      isStored: PreservedJSON.isUsed(with: encoder.userInfo))
  }

  private func encode(to encoder: any Encoder, level: Int, isStored: Bool) throws {
    if isStored, isChangedByCoders(at: level), let text = preservedText {
      var container = encoder.container(keyedBy: AnyCodingKey.self)
      return try container.encode(text, forKey: AnyCodingKey(PreservedJSON.name))
    }
    guard level <= Self.greatestCodedLevel else {
      throw EncodingError.invalidValue(
        kind,
        EncodingError.Context(
          codingPath: encoder.codingPath, debugDescription: Self.depthExpectation))
    }
    switch self {
    case .object(let members):
      if let name = members.duplicateName {
        throw EncodingError.invalidValue(
          "two members \(quoted(name))",
          EncodingError.Context(
            codingPath: encoder.codingPath, debugDescription: "expected distinct names"))
      }
      var container = encoder.container(keyedBy: AnyCodingKey.self)
      for member in members {
        try container.encode(
          Nested(value: member.value, level: level + 1, isStored: isStored),
          forKey: AnyCodingKey(member.key))
      }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements {
        try container.encode(Nested(value: element, level: level + 1, isStored: isStored))
      }
    default:
      var container = encoder.singleValueContainer()
      try encodeScalar(to: &container)
    }
  }

  private func encodeScalar(to container: inout any SingleValueEncodingContainer) throws {
    switch withStoredNumber {
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .exact(let number):
      guard let decimal = number.decimal else {
        throw EncodingError.invalidValue(
          number,
          EncodingError.Context(
            codingPath: container.codingPath,
            debugDescription: "number that `Decimal` cannot represent"))
      }
      try container.encode(decimal)
    case .string(let value): try container.encode(value)
    case .null, .array, .object: try container.encodeNil()
    }
  }

  /// The text of the value. Nil if it cannot be written or read again.
  private var preservedText: String? {
    guard let text = try? storedText(), (try? JSONValue(json: Data(text.utf8))) != nil else {
      return nil
    }
    return text
  }

  /// Whether a decoded copy would differ, apart from the values inside.
  private func isChangedByCoders(at level: Int) -> Bool {
    switch self {
    case .object(let members): level > Self.greatestStoredLevel || !members.areKeptByCoders
    case .array: level > Self.greatestStoredLevel
    case .exact:
      if case .exact(let number) = withStoredNumber { !number.isKeptByCoders } else { false }
    default: false
    }
  }

  /// The last level at which structured text contains objects and arrays as they are.
  private static let greatestStoredLevel = 64
  private static let greatestCodedLevel = NestingDepth.limit
  private static let depthExpectation = "expected at most \(greatestCodedLevel) levels"

  /// The level of a decoder is the length of its coding path, except within a root that
  /// was decoded on its own.
  private static func checkDepth(of decoder: any Decoder) throws {
    let path = decoder.codingPath
    guard path.count >= greatestCodedLevel else { return }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(codingPath: path, debugDescription: depthExpectation))
  }

  /// Appends structured text. It is that of ``encode(to:)`` at a level of a coder.
  ///
  /// - Returns: False if the coder refuses the value.
  func appendStored(to text: inout TextBuffer, level: Int) -> Bool {
    if let compact, appendStored(compact, to: &text, level: level) { return true }
    if isChangedByCoders(at: level), let preserved = preservedText {
      text.append(preserved: preserved)
      return true
    }
    guard level <= Self.greatestCodedLevel else { return false }
    switch withStoredNumber {
    case .null: text.append(literal: "null")
    case .bool(let value): text.append(literal: value ? "true" : "false")
    case .integer(let value): text.append(value)
    case .number(let value):
      guard value.isFinite else { return false }
      text.append(stored: value)
    case .exact(let number):
      guard let decimal = number.decimal else { return false }
      text.append(raw: decimal.description)
    case .string(let value): text.append(string: value)
    case .array(let elements):
      text.append("[")
      for (index, element) in elements.enumerated() {
        if index > 0 { text.append(",") }
        guard element.appendStored(to: &text, level: level + 1) else { return false }
      }
      text.append("]")
    case .object(let members):
      // Other objects are preserved.
      guard members.areKeptByCoders else { return false }
      text.append("{")
      for (index, member) in members.enumerated() {
        if index > 0 { text.append(",") }
        text.append(string: member.key)
        text.append(":")
        guard member.value.appendStored(to: &text, level: level + 1) else { return false }
      }
      text.append("}")
    }
    return true
  }

  /// The text of a decoded array or object.
  private var compact: CompactJSON? {
    switch self {
    case .array(let elements): elements.text
    case .object(let members): members.text
    default: nil
    }
  }

  /// Appends the text of an array or object as structured text.
  ///
  /// - Returns: False, without appending, if that requires its parts.
  private func appendStored(
    _ compact: CompactJSON, to text: inout TextBuffer, level: Int
  ) -> Bool {
    guard compact.hasStoredNumbers else { return false }
    switch compact.memberOrder {
    case .kept where level + compact.levels - 1 <= Self.greatestStoredLevel:
      text.append(compact.utf8, compact.utf8.indices)
    case .changed: text.append(preserved: String(decoding: compact.utf8, as: UTF8.self))
    default: return false
    }
    return true
  }

  private struct Nested: Encodable {
    let value: JSONValue
    let level: Int
    let isStored: Bool

    func encode(to encoder: any Encoder) throws {
      try value.encode(to: encoder, level: level, isStored: isStored)
    }
  }
}

extension JSONValue.Members {
  /// Whether coders of structured text keep all members and their order: their names are
  /// distinct, sorted by their bytes, and not reserved.
  var areKeptByCoders: Bool {
    var isASCII = true
    var last: String?
    for member in self {
      let name = member.key
      if name.utf8.starts(with: PreservedJSON.reservedPrefix.utf8) { return false }
      if let last, !last.precedesInBytes(name) { return false }
      last = name
      isASCII = isASCII && name.utf8.allSatisfy { $0 < 0x80 }
    }
    // Coders consider names with different bytes equal if their characters are.
    return isASCII || Set(map(\.key)).count == count
  }
}

extension TextBuffer {
  /// Appends the text of preserved JSON; see ``PreservedJSON``.
  fileprivate mutating func append(preserved json: String) {
    append("{")
    append(string: PreservedJSON.name)
    append(":")
    append(string: json)
    append("}")
  }
}

extension JSONNumber {
  /// Whether coders keep the number.
  var isKeptByCoders: Bool {
    guard let decimal else { return false }
    return "\(decimal)".utf8.count { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } <= 38
  }
}

extension JSONValue: AnyJSON {
  package init(json: Data) throws {
    // SAFETY: The bytes are used only inside the call.
    self = try json.withUnsafeBytes { try JSONValue(scanning: $0) ?? JSONValue(parsing: $0) }
  }

  package func storedText() throws -> String {
    var writer = ValueWriter(formatting: .compact, depth: 0, isStored: true)
    try writer.append(self)
    return writer.text.string
  }
}
