import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How bytes represent text.
///
/// The forms of Unicode and Windows-1252 are decoded here. Other encodings are
/// decoded by `iconv` on Linux and by Foundation on Apple platforms. Elsewhere
/// they are not supported.
enum TextEncoding: Hashable {
  case utf8
  case utf16(isBigEndian: Bool)
  case utf32(isBigEndian: Bool)
  case windows1252
  /// An encoding by the lowercase name of a declaration.
  case named(String)

  /// The encodings that extend ASCII or have an ASCII form of their own, by the
  /// beginnings of their names. `iconv` knows others, such as its internal ones.
  private static let families = [
    "iso-8859-", "windows-", "cp", "ibm", "koi8-", "gb", "big5", "euc-", "iso-2022-", "tis-620",
    "mac", "viscii", "johab", "armscii", "georgian",
  ]

  /// The encoding with a name, as documents declare it; nil for names that are
  /// not supported. The names of UTF-16 and UTF-32 have the value ``utf8``: the
  /// form of the bytes shows these encodings before a name is needed.
  init?(_ name: String) {
    let name = name.trimmingCharacters(in: .whitespaces).lowercased().replacing("_", with: "-")
      .replacing(/^x-/, with: "").replacing(/^iso-?8859-?/, with: "iso-8859-")
      .replacing(/^windows(?=\d)/, with: "windows-")
    switch name {
    case _ where name.hasPrefix("utf") || name.hasPrefix("ucs") || name.hasPrefix("iso-10646"):
      self = .utf8
    // The encodings of web pages: Latin-1 and ASCII are Windows-1252, which has
    // characters instead of control characters.
    case "us-ascii", "ascii", "ansi-x3.4-1968", "iso-8859-1", "latin1", "latin-1", "windows-1252",
      "cp1252":
      self = .windows1252
    case _ where Self.aliases[name] != nil: self = .named(name)
    case _ where name.count <= 40 && Self.families.contains(where: name.hasPrefix):
      self = .named(name)
    default: return nil
    }
  }

  /// Encodings that contain another one, which documents declare instead.
  private static let aliases = [
    "gb2312": ["GB18030"], "gb-2312-80": ["GB18030"], "gbk": ["GB18030"],
    "euc-kr": ["CP949"], "ks-c-5601-1987": ["CP949"], "ks-c-5601-1989": ["CP949"],
    "shift-jis": ["CP932", "SHIFT_JIS"], "sjis": ["CP932"], "windows-31j": ["CP932"],
    "euc-jp": ["EUC-JP", "EUC-JP-MS"], "big5": ["BIG5-HKSCS", "CP950"], "tis-620": ["CP874"],
    "iso-8859-9": ["CP1254"], "iso-8859-11": ["CP874"], "latin2": ["ISO-8859-2"],
    "macroman": ["MACINTOSH"], "mac-roman": ["MACINTOSH"], "windows-949": ["CP949"],
    "windows-874": ["CP874"],
  ]

  /// Converts text to UTF-8; nil if the bytes are not text in the encoding.
  func utf8(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    switch self {
    case .utf8: return String(validating: bytes, as: UTF8.self) == nil ? nil : Array(bytes)
    case .utf16(let isBigEndian):
      guard let units: [UInt16] = Self.units(bytes, isBigEndian) else { return nil }
      return String(validating: units, as: UTF16.self).map { Array($0.utf8) }
    case .utf32(let isBigEndian):
      guard let units: [UInt32] = Self.units(bytes, isBigEndian) else { return nil }
      return String(validating: units, as: UTF32.self).map { Array($0.utf8) }
    case .windows1252: return Windows1252.utf8(bytes)
    case .named(let name):
      return (Self.aliases[name] ?? [name]).lazy.compactMap { converted(bytes, $0) }.first
    }
  }

  private static func units<Unit: FixedWidthInteger>(
    _ bytes: ArraySlice<UInt8>, _ isBigEndian: Bool
  ) -> [Unit]? {
    let size = MemoryLayout<Unit>.size
    guard bytes.count.isMultiple(of: size) else { return nil }
    return stride(from: bytes.startIndex, to: bytes.endIndex, by: size).map { start in
      let unit = bytes[start..<start + size]
      return (isBigEndian ? Array(unit) : unit.reversed()).reduce(0) { $0 << 8 | Unit($1) }
    }
  }

  #if canImport(Darwin)
    private func converted(_ bytes: ArraySlice<UInt8>, _ name: String) -> [UInt8]? {
      let encoding = CFStringConvertIANACharSetNameToEncoding(name as CFString)
      guard encoding != kCFStringEncodingInvalidId else { return nil }
      return String(
        data: Data(bytes),
        encoding: String.Encoding(rawValue: CFStringConvertEncodingToNSStringEncoding(encoding))
      ).map { Array($0.utf8) }
    }
  #elseif canImport(Glibc) || canImport(Musl)
    private func converted(_ bytes: ArraySlice<UInt8>, _ name: String) -> [UInt8]? {
      guard let converter = iconv_open("UTF-8", name),
        converter != UnsafeMutableRawPointer(bitPattern: -1)
      else { return nil }
      defer { iconv_close(converter) }
      var input = bytes.map { CChar(bitPattern: $0) }
      // A character of one byte has at most three bytes in UTF-8, and several
      // characters have at most as many as that.
      var output = [CChar](repeating: 0, count: input.count * 4 + 16)
      // SAFETY: the pointers and counts are those of the arrays, which do not
      // change meanwhile. `iconv` advances them within these bounds.
      let rest: Int? = input.withUnsafeMutableBufferPointer { input in
        output.withUnsafeMutableBufferPointer { output in
          var (source, count) = (input.baseAddress, input.count)
          var (target, space) = (output.baseAddress, output.count)
          let failure = Int(bitPattern: UInt.max)
          guard iconv(converter, &source, &count, &target, &space) != failure, count == 0,
            iconv(converter, nil, nil, &target, &space) != failure
          else { return nil }
          return space
        }
      }
      guard let rest else { return nil }
      let text = output.dropLast(rest).map { UInt8(bitPattern: $0) }
      return TextEncoding.utf8.utf8(text[...])
    }
  #else
    private func converted(_ bytes: ArraySlice<UInt8>, _ name: String) -> [UInt8]? { nil }
  #endif
}

/// The encoding Windows-1252, as browsers read it: each byte is a character.
enum Windows1252 {
  /// The characters from 0x80 to 0x9F.
  private static let characters: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039,
    0x152, 0x8D, 0x17D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC,
    0x2122, 0x161, 0x203A, 0x153, 0x9D, 0x17E, 0x178,
  ]

  /// The character of a byte.
  static func scalar(_ byte: UInt8) -> Unicode.Scalar {
    guard case 0x80...0x9F = byte else { return Unicode.Scalar(byte) }
    return Unicode.Scalar(characters[Int(byte) - 0x80]) ?? Unicode.Scalar(byte)
  }

  /// Converts text to UTF-8.
  static func utf8(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    bytes.flatMap { $0 < 0x80 ? [$0] : Array(String(scalar($0)).utf8) }
  }

  /// Returns text in UTF-8, in which bytes that are not UTF-8 are read as
  /// Windows-1252.
  static func repaired(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 16)
    var parser = Unicode.UTF8.ForwardParser()
    var (iterator, position) = (bytes.makeIterator(), bytes.startIndex)
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let scalar):
        result += scalar
        position += scalar.count
      case .error(let length):
        result += utf8(bytes[position..<position + length])
        position += length
      case .emptyInput: return result
      }
    }
  }
}
