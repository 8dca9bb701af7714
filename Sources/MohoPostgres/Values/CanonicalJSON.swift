/// Reads JSON, and writes it in the form of `StructuredValue.canonical(_:)`.
struct CanonicalJSON {
  /// The depth up to which JSON decoders read values.
  private static let maximumDepth = 512
  /// The largest exponent of a number that `jsonb` may store.
  private static let maximumExponent = 131_072

  private let json: [UInt8]
  private var position = 0
  private var depth = 0

  private init(_ json: [UInt8]) { self.json = json }

  /// Returns nil if the bytes are not JSON.
  static func text(of json: [UInt8]) -> [UInt8]? {
    var reader = CanonicalJSON(json)
    var output: [UInt8] = []
    output.reserveCapacity(json.count)
    guard reader.appendValue(to: &output) else { return nil }
    reader.skipSpace()
    return reader.position == json.count ? output : nil
  }

  private var next: UInt8? { position < json.count ? json[position] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  /// Skips white space and a byte. Returns false if the next byte is another one.
  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func appendValue(to output: inout [UInt8]) -> Bool {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return nested { $0.appendObject(to: &output) }
    case UInt8(ascii: "["): return nested { $0.appendArray(to: &output) }
    case UInt8(ascii: "\""):
      guard let string = string() else { return false }
      Self.append(string, to: &output)
      return true
    case UInt8(ascii: "t"): return append("true", to: &output)
    case UInt8(ascii: "f"): return append("false", to: &output)
    case UInt8(ascii: "n"): return append("null", to: &output)
    default: return appendNumber(to: &output)
    }
  }

  private mutating func nested(_ body: (inout CanonicalJSON) -> Bool) -> Bool {
    position += 1
    depth += 1
    defer { depth -= 1 }
    return depth <= Self.maximumDepth && body(&self)
  }

  private mutating func append(_ word: StaticString, to output: inout [UInt8]) -> Bool {
    let word = word.withUTF8Buffer { Array($0) }
    guard json[position...].starts(with: word) else { return false }
    position += word.count
    output += word
    return true
  }

  private mutating func appendArray(to output: inout [UInt8]) -> Bool {
    output.append(UInt8(ascii: "["))
    if !skip("]") {
      repeat {
        if output.last != UInt8(ascii: "[") { output.append(UInt8(ascii: ",")) }
        guard appendValue(to: &output) else { return false }
      } while skip(",")
      guard skip("]") else { return false }
    }
    output.append(UInt8(ascii: "]"))
    return true
  }

  private mutating func appendObject(to output: inout [UInt8]) -> Bool {
    var members: [[UInt8]: [UInt8]] = [:]
    if !skip("}") {
      repeat {
        skipSpace()
        guard let name = string(), skip(":") else { return false }
        var value: [UInt8] = []
        guard appendValue(to: &value) else { return false }
        // The last one of several members with the same name counts.
        members[name] = value
      } while skip(",")
      guard skip("}") else { return false }
    }
    output.append(UInt8(ascii: "{"))
    var isFirst = true
    for (name, value) in members.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      if !isFirst { output.append(UInt8(ascii: ",")) }
      isFirst = false
      Self.append(name, to: &output)
      output.append(UInt8(ascii: ":"))
      output += value
    }
    output.append(UInt8(ascii: "}"))
    return true
  }
}

extension CanonicalJSON {
  /// Reads a string, and returns its characters in UTF-8.
  private mutating func string() -> [UInt8]? {
    guard next == UInt8(ascii: "\"") else { return nil }
    position += 1
    var bytes: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return bytes
      case UInt8(ascii: "\\"):
        guard let scalar = escapedCharacter() else { return nil }
        bytes += Array(String(Character(scalar)).utf8)
      case 0..<0x20: return nil
      default: bytes.append(byte)
      }
    }
    return nil
  }

  /// Reads the rest of an escape sequence.
  private mutating func escapedCharacter() -> Unicode.Scalar? {
    guard let byte = next else { return nil }
    position += 1
    switch byte {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "u"): break
    default: return nil
    }
    guard let unit = hexadecimal() else { return nil }
    guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) }
    guard json[position...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else {
      return nil
    }
    position += 2
    guard let trail = hexadecimal(), UTF16.isTrailSurrogate(trail) else { return nil }
    return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
  }

  private mutating func hexadecimal() -> UInt16? {
    guard position + 4 <= json.count else { return nil }
    var unit: UInt16 = 0
    for byte in json[position..<position + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      unit = unit << 4 | UInt16(digit)
    }
    position += 4
    return unit
  }

  /// Appends a string with the escape sequences of PostgreSQL.
  private static func append(_ string: [UInt8], to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    for byte in string {
      switch byte {
      case 0x08: output += Array("\\b".utf8)
      case 0x0C: output += Array("\\f".utf8)
      case 0x0A: output += Array("\\n".utf8)
      case 0x0D: output += Array("\\r".utf8)
      case 0x09: output += Array("\\t".utf8)
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), byte]
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        output += Array(("\\u00" + (byte < 0x10 ? "0" : "") + digits).utf8)
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
  }
}

extension CanonicalJSON {
  private mutating func appendNumber(to output: inout [UInt8]) -> Bool {
    let isNegative = next == UInt8(ascii: "-")
    if isNegative { position += 1 }
    var digits = digits()
    guard !digits.isEmpty, digits.count == 1 || digits.first != UInt8(ascii: "0") else {
      return false
    }
    // The number of digits before the point.
    var integerCount = digits.count
    if next == UInt8(ascii: ".") {
      position += 1
      let fraction = self.digits()
      if fraction.isEmpty { return false }
      digits += fraction
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      position += 1
      let isNegativeExponent = next == UInt8(ascii: "-")
      if isNegativeExponent || next == UInt8(ascii: "+") { position += 1 }
      guard let exponent = Int(String(decoding: self.digits(), as: UTF8.self)),
        exponent <= Self.maximumExponent
      else { return false }
      integerCount += isNegativeExponent ? -exponent : exponent
    }
    Self.append(digits, integerCount, isNegative, to: &output)
    return true
  }

  private mutating func digits() -> ArraySlice<UInt8> {
    let rest = json[position...]
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    position = digits.endIndex
    return digits
  }

  /// Appends a number without its exponent.
  private static func append(
    _ digits: ArraySlice<UInt8>, _ integerCount: Int, _ isNegative: Bool,
    to output: inout [UInt8]
  ) {
    let zero = UInt8(ascii: "0")
    let leading = digits.prefix { $0 == zero }.count
    var digits = digits.dropFirst(leading)
    let integerCount = integerCount - leading
    while digits.last == zero { digits = digits.dropLast() }
    if digits.isEmpty { return output.append(zero) }
    if isNegative { output.append(UInt8(ascii: "-")) }
    if integerCount <= 0 {
      output += [zero, UInt8(ascii: ".")]
      output += Array(repeating: zero, count: -integerCount)
      output += digits
    } else {
      output += digits.prefix(integerCount)
      output += Array(repeating: zero, count: max(0, integerCount - digits.count))
      if digits.count > integerCount {
        output.append(UInt8(ascii: "."))
        output += digits.dropFirst(integerCount)
      }
    }
  }
}
