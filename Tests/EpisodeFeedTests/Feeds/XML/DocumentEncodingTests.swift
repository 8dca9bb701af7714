import Foundation
import Testing

@testable import EpisodeFeed

/// Documents in the encodings of real feeds.
@Suite struct DocumentEncodingTests {
  private func document(_ title: String, _ declaration: String) -> String {
    String(decoding: rssFeed("<guid>1</guid><title>\(title)</title>"), as: UTF8.self)
      .replacing(#"<?xml version="1.0" encoding="UTF-8"?>"#, with: declaration)
  }

  private func title(_ data: Data, charset: String? = nil) throws -> String? {
    try Feed(reading: data, charset: charset).episodes.first?.title
  }

  private func utf32(_ text: String, isBigEndian: Bool) -> Data {
    Data(
      text.unicodeScalars.flatMap { scalar in
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: scalar.value >> $0) }
        return isBigEndian ? bytes : bytes.reversed()
      })
  }

  @Test(arguments: ["utf-32", "UTF-32BE", "utf-32le", "utf-8"], [true, false])
  func utf32IsRead(name: String, isBigEndian: Bool) throws {
    let text = document("é 🌋", "<?xml version='1.0' encoding='\(name)'?>")

    for mark in ["", "\u{FEFF}"] {
      #expect(try title(utf32(mark + text, isBigEndian: isBigEndian)) == "é 🌋")
    }
  }

  @Test func textThatLooksLikeUTF32AfterDecodingIsRefused() {
    let inner = utf32("\u{FEFF}<rss/>", isBigEndian: true)
    let twice = utf32(
      String(String.UnicodeScalarView(inner.map { Unicode.Scalar($0) })), isBigEndian: true)
    for data in [inner, twice, Data([0x3C, 0, 0, 0]) + Data("rss/>".utf8)] {
      #expect(throws: FeedError.self) { try Feed(reading: data) }
    }
  }

  @Test func declarationsOfEntitiesAreRefusedInEveryEncoding() {
    let text = "<!DOCTYPE r [<!ENTITY a 'x'><!ENTITY b '&a;&a;'>]><rss>&b;</rss>"
    for data in [
      Data(text.utf8), utf32(text, isBigEndian: true), utf32("\u{FEFF}" + text, isBigEndian: false),
      text.data(using: .utf16LittleEndian) ?? Data(),
    ] {
      let error = #expect(throws: FeedError.self) { try Feed(reading: data) }
      #expect(error?.reason.contains("declarations of entities") == true)
    }
  }

  @Test(arguments: [
    "<?xml\tversion='1.0'\tencoding='ENC'?>",
    "<?xml\r\nversion='1.0'\r\nencoding\r\n=\r\n'ENC'\r\n?>",
    "<?xml version = \"1.0\" encoding = \"ENC\" standalone='yes' ?>", "<?xml encoding='ENC'?>",
    "\r\n <?xml version='1.0' encoding='ENC'?>",
    "<?xml version='1.0'\(String(repeating: " ", count: 1_500))encoding='ENC'?>",
  ])
  func theDeclarationMayHaveAnySpacing(declaration: String) throws {
    for (name, encoding) in [("iso-8859-1", String.Encoding.isoLatin1), ("utf-8", .utf8)] {
      let text = document("é ÿ", declaration.replacing("ENC", with: name))

      #expect(try title(#require(text.data(using: encoding))) == "é ÿ")
    }
  }

  /// Bytes of a title in an encoding, by Python.
  static let encodings: [(String, String, [UInt8])] = [
    ("koi8-r", "Жук", [0xF6, 0xD5, 0xCB]), ("KOI8-U", "Їжа", [0xB7, 0xD6, 0xC1]),
    ("gb18030", "新闻", [0xD0, 0xC2, 0xCE, 0xC5]), ("gb2312", "新闻", [0xD0, 0xC2, 0xCE, 0xC5]),
    ("GBK", "镕", [0xE9, 0x46]), ("big5", "新聞", [0xB7, 0x73, 0xBB, 0x44]),
    ("euc-kr", "뉴스", [0xB4, 0xBA, 0xBD, 0xBA]), ("ks_c_5601-1987", "똠", [0x8C, 0x63]),
    ("shift_jis", "日本", [0x93, 0xFA, 0x96, 0x7B]), ("x-sjis", "①", [0x87, 0x40]),
    ("EUC-JP", "日本", [0xC6, 0xFC, 0xCB, 0xDC]), ("iso-8859-2", "ł", [0xB3]),
    ("ISO_8859-5", "Ж", [0xB6]), ("iso-8859-7", "Ω", [0xD9]), ("iso8859-9", "ğ", [0xF0]),
    ("iso-8859-15", "€", [0xA4]), ("windows-1250", "ř", [0xF8]), ("windows-1251", "Ж", [0xC6]),
    ("windows-1253", "Ω", [0xD9]), ("windows-1254", "ş", [0xFE]), ("windows-1255", "א", [0xE0]),
    ("windows-1256", "ب", [0xC8]), ("windows-1257", "ž", [0xFE]), ("cp866", "Ж", [0x86]),
    ("windows-874", "ก", [0xA1]), ("tis-620", "ก", [0xA1]), ("macintosh", "é", [0x8E]),
    ("us-ascii", "é“", [0xE9, 0x93]),
    ("iso-2022-jp", "日", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42]),
  ]

  @Test(arguments: encodings)
  func legacyEncodingsAreRead(name: String, expected: String, bytes: [UInt8]) throws {
    func data(_ declared: String) throws -> Data {
      let text = document("TITLE", "<?xml version='1.0' encoding='\(declared)'?>")
      let range = try #require(text.range(of: "TITLE"))
      return Data(text[..<range.lowerBound].utf8) + bytes + Data(text[range.upperBound...].utf8)
    }

    #expect(try title(data(name)) == expected)
    #expect(try title(data("utf-8"), charset: name) == expected)
  }

  @Test func theOrderIsMarkThenServerThenDeclaration() throws {
    let text = document("é", "<?xml version='1.0' encoding='windows-1251'?>")
    let latin = try #require(text.data(using: .isoLatin1))

    #expect(try title(latin) == "й")
    #expect(try title(latin, charset: "ISO-8859-1") == "é")
    #expect(try title(Data(text.utf8), charset: "utf-8") == "é")
    #expect(try title(Data(("\u{FEFF}" + text).utf8), charset: "iso-8859-1") == "é")
    #expect(try title(latin, charset: "utf-8") == "й", "the bytes are not UTF-8")
    #expect(try title(Data(text.utf8), charset: "utf-16") == "é", "the bytes are not UTF-16")
  }

  @Test func windows1252InUTF8IsRead() throws {
    let text = document("TITLE é", "<?xml version='1.0' encoding='utf-8'?>")
    let range = try #require(text.range(of: "TITLE"))
    let data =
      Data(text[..<range.lowerBound].utf8) + [0x93, 0xE9, 0x21, 0x94, 0x80]
      + Data(text[range.upperBound...].utf8)

    #expect(try title(data) == "“é!”€ é")
    #expect(try title(Data([0xEF, 0xBB, 0xBF]) + data) == "“é!”€ é")
  }

  @Test func textThatIsNotInItsEncodingIsRefused() {
    for (name, bytes) in [("foo", [0xE9]), ("euc-jp", [0xFF, 0xFF]), ("internal", [0xE9])] {
      let data =
        Data("<?xml version='1.0' encoding='\(name)'?><rss><channel><title>".utf8)
        + bytes.map { UInt8($0) } + Data("</title></channel></rss>".utf8)

      #expect(throws: FeedError.self) { try Feed(reading: data) }
    }
  }

  @Test func ebcdicIsReadByItsFirstBytes() throws {
    let text = document("E", "<?xml version='1.0' encoding='cp037'?>")
    var bytes = Array(text.utf8)
    // The part of cp037 that the document has.
    let codes: [Character: UInt8] = [
      " ": 0x40, "<": 0x4C, ">": 0x6E, "?": 0x6F, "=": 0x7E, "'": 0x7D, "\"": 0x7F, "/": 0x61,
      ":": 0x7A, ".": 0x4B, "-": 0x60, "\n": 0x25,
    ]
    bytes = text.map { character in
      guard let ascii = character.asciiValue else { return 0x6F }
      switch ascii {
      case UInt8(ascii: "a")...UInt8(ascii: "i"): return 0x81 &+ (ascii - 0x61)
      case UInt8(ascii: "j")...UInt8(ascii: "r"): return 0x91 &+ (ascii - 0x6A)
      case UInt8(ascii: "s")...UInt8(ascii: "z"): return 0xA2 &+ (ascii - 0x73)
      case UInt8(ascii: "A")...UInt8(ascii: "I"): return 0xC1 &+ (ascii - 0x41)
      case UInt8(ascii: "J")...UInt8(ascii: "R"): return 0xD1 &+ (ascii - 0x4A)
      case UInt8(ascii: "S")...UInt8(ascii: "Z"): return 0xE2 &+ (ascii - 0x53)
      case UInt8(ascii: "0")...UInt8(ascii: "9"): return 0xF0 &+ (ascii - 0x30)
      default: return codes[character] ?? 0x6F
      }
    }

    #expect(try title(Data(bytes)) == "E")
  }

  @Test(arguments: [
    ("text/xml; charset=koi8-r", "koi8-r"), ("text/xml;CHARSET=\"KOI8-R\"; a=b", "KOI8-R"),
    ("text/xml; x=1; charset = utf-8 ", "utf-8"), ("text/xml", nil), ("text/xml; charset=", nil),
  ])
  func theCharsetOfAMediaTypeIsFound(type: String, charset: String?) {
    #expect(FetchedFeed.charset(type) == charset)
  }
}
