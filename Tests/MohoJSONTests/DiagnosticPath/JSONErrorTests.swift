import Foundation
import MohoJSON
import MohoMapping
import Testing

@Suite struct JSONErrorTests {
  @Test(arguments: [
    ("[1 2]", #"unexpected "2", expected "," or "]" at line 1, column 4"#),
    (#"{"a" 1}"#, #"unexpected "1", expected ":" at line 1, column 6"#),
    (#"{"a":1,}"#, #"unexpected "}", expected string or "}" at line 1, column 8"#),
    ("[1,]", #"unexpected "]" at line 1, column 4"#),
    ("{1:2}", #"unexpected "1", expected string or "}" at line 1, column 2"#),
    ("[truex]", #"unexpected "truex" at line 1, column 2"#),
    ("[01]", #"unexpected "01" at line 1, column 2"#),
    ("[+1]", #"unexpected "+1" at line 1, column 2"#),
    ("[1.]", #"unexpected "1." at line 1, column 2"#),
    ("[NaN]", #"unexpected "NaN" at line 1, column 2"#),
    ("'a'", #"unexpected "'a'" at line 1, column 1"#),
    ("[1] x", #"unexpected "x", expected end of input at line 1, column 5"#),
    ("[1]]", #"unexpected "]", expected end of input at line 1, column 4"#),
    ("[\n  1,\n  \"éé\" x]", #"unexpected "x", expected "," or "]" at line 3, column 8"#),
    ("[\r\n1,\r\n\"🇫🇷👩‍👩‍👧\", }", #"unexpected "}" at line 3, column 7"#),
    ("\u{FEFF}[1,]", #"unexpected "]" at line 1, column 4"#),
    (#"{"a" "b"}"#, #"unexpected string "b", expected ":" at line 1, column 6"#),
    (#"["a" "}"]"#, #"unexpected string "}", expected "," or "]" at line 1, column 6"#),
    (#"[] "a\"""#, #"unexpected string "a\"", expected end of input at line 1, column 4"#),
    (#"["a\xb"]"#, #"invalid escape "\x" at line 1, column 4"#),
    (#"["ab\u12G4"]"#, #"invalid escape "\u12G" at line 1, column 5"#),
    ("[\"ab\ncd\"]", "control character U+000A in a string at line 1, column 5"),
    ("[\"é\tb\"]", "control character U+0009 in a string at line 1, column 4"),
  ])
  func unexpectedTokensAreNamedAtTheirStart(text: String, message: String) {
    let error = syntaxError(Data(text.utf8))

    #expect(error?.description == "invalid JSON: \(message)")
    #expect(error?.code == .syntax)
  }

  @Test(arguments: [
    ("[1,", "unexpected end of input at line 1, column 4"),
    ("[1,\n ", "unexpected end of input at line 2, column 2"),
    ("[1", "unexpected end of input at line 1, column 3"),
    (#"{"a""#, "unexpected end of input at line 1, column 5"),
    (#"["abc"#, "unexpected end of input at line 1, column 6"),
    (#"["a\"#, "unexpected end of input in a string at line 1, column 5"),
    (#"["a\u00"#, "unexpected end of input in a string at line 1, column 8"),
  ])
  func truncatedTextsAreErrorsAtTheirEnd(text: String, message: String) {
    let error = syntaxError(Data(text.utf8))

    #expect(error?.description == "invalid JSON: \(message)")
    #expect(error?.code == .unexpectedEnd)
    #expect(error?.offset == text.utf8.count)
  }

  @Test(arguments: ["", " ", "\n\t \r\n", "\u{FEFF}", "\u{FEFF} "])
  func textWithoutAnythingIsEmptyInput(text: String) {
    let error = syntaxError(Data(text.utf8))

    #expect(error?.code == .emptyInput)
    #expect(error?.description == "invalid JSON: the input is empty")
  }

  @Test(
    arguments: [
      (#"{"a":1,"b":{"a":1},"a":2}"#, .duplicateKey, 20, #"duplicate key "a""#),
      ("[12345678901234567890,1e999]", .numberOutOfRange, 23, #"number out of range "1e999""#),
      ("[12345678901234567890,}", .syntax, 23, #"unexpected "}""#),
      ("[1e999]", .numberOutOfRange, 2, #"number out of range "1e999""#),
      ("[\"a\0\"]", .nullCharacter, 4, "control character U+0000 in a string"),
      ("{\"a\0\":1}", .nullCharacter, 4, "control character U+0000 in a string"),
      (#"{"a\u0000":1,"a\u0000":2}"#, .duplicateKey, 14, #"duplicate key "a\u0000""#),
      (#"{"\u0001\u0000":1,"b" 2}"#, .syntax, 23, #"unexpected "2", expected ":""#),
      ("[\0]", .syntax, 2, nil),
      ("[1]\0", .syntax, 4, nil),
      (#"["é","\ud800"]"#, .invalidUTF8, 7, #"lone surrogate "\ud800""#),
      (#"["\ud83d\ude00\ud800\u0041"]"#, .invalidUTF8, 15, #"lone surrogate "\ud800""#),
      (#"["\udc00"]"#, .invalidUTF8, 3, nil),
    ] as [(String, JSONError.Code, Int, String?)])
  func textThatJSONDoesNotAllowIsAnErrorWithItsPosition(
    text: String, code: JSONError.Code, column: Int, message: String?
  ) {
    let error = syntaxError(Data(text.utf8))

    #expect(error?.code == code)
    #expect(error?.line == 1)
    #expect(error?.column == column)
    if let message { #expect(error?.message == message) }
  }

  @Test(
    arguments: [
      ([0x5B, 0x22, 0x61, 0xFF, 0x22, 0x5D], 3),
      ([0x5B, 0xFF, 0x5D], 1),
      ([0x5B, 0x22, 0xE2, 0x82, 0x22, 0x5D], 2),
      ([0x5B, 0x22, 0xED, 0xA0, 0x80, 0x22, 0x5D], 2),
      ([0x5B, 0x22, 0xC0, 0x80, 0x22, 0x5D], 2),
      ([0xFF, 0xFE, 0x5B, 0x00], 0),
      ([0x5B, 0x31, 0xFF], 2),
    ] as [([UInt8], Int)])
  func bytesThatAreNotUTF8AreErrorsWithTheirPositions(bytes: [UInt8], offset: Int) {
    let error = syntaxError(Data(bytes))

    #expect(error?.code == .invalidUTF8)
    #expect(error?.offset == offset)
    #expect(error?.column == offset + 1)
  }

  @Test func everyPrefixOfADocumentIsATypedErrorWithAPosition() {
    let text = """
      {"items": [{"id": -12.5e3, "title": "é\\u00e9\\n\\ud83d\\ude00👩‍👩‍👧",
        "kind": null, "flags": [true, false]}, {}], "next": "a\\\\"}
      """
    let data = Data(text.utf8)

    for end in 0..<data.count {
      let error = syntaxError(data[..<end])

      #expect(error != nil, "cut at \(end)")
      let codes: [JSONError.Code] = [.unexpectedEnd, .emptyInput, .syntax, .invalidUTF8]
      #expect(error.map { codes.contains($0.code) } == true, "cut at \(end)")
      #expect(error.map { 0...end ~= $0.offset } == true, "cut at \(end)")
      #expect(error.map { 1...2 ~= $0.line } == true, "cut at \(end)")
    }
    #expect(syntaxError(data) == nil)
  }

  @Test func anyByteAnywhereIsParsedOrATypedError() {
    let data = Data(#"{"a": [1.5, "b\u00e9", true], "c": null}"#.utf8)

    for position in data.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = data
        changed[position] = byte
        do {
          _ = try JSONDocument(parsing: changed)
        } catch let error as JSONError {
          #expect(0...data.count ~= error.offset, "\(byte) at \(position)")
        } catch {
          Issue.record("\(byte) at \(position): \(error)")
        }
      }
    }
  }

  @Test(arguments: ["[", #"{"a":"#])
  func nestingOf100000LevelsIsTooDeep(opening: String) {
    let error = syntaxError(Data(String(repeating: opening, count: 100_000).utf8))

    #expect(error?.code == .tooDeep)
    #expect(error?.offset == 2048 * opening.utf8.count)
    #expect(error?.message == "more than 2048 levels of nesting")
  }

  @Test func nestingOf2048LevelsIsRead() throws {
    let text = String(repeating: "[", count: 2048) + String(repeating: "]", count: 2048)

    #expect(try JSONDocument(parsing: text).value()?.kind == .array)
  }

  @Test func numbersOf10000DigitsAreReadOrRefused() throws {
    let digits = String(repeating: "7", count: 10_000)

    #expect(syntaxError(Data("[\(digits)]".utf8))?.code == .numberOutOfRange)
    #expect(syntaxError(Data("[\(digits).5]".utf8))?.code == .numberOutOfRange)
    #expect(try JSONDocument(parsing: "[0.\(digits)]").value(at: "[0]") == nil)
    #expect(
      try JSONDocument(parsing: #"{"a":0.\#(digits)}"#).value(at: "a")
        == JSONNumber("0.\(digits)").map { .exact($0) })
    #expect(syntaxError(Data("[\(digits)]".utf8))?.message.count ?? 0 < 120)
  }
}
