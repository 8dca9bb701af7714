import Foundation
import MohoJSON
import MohoMapping
import Testing

private struct Links: MappedModel, Equatable {
  var url: URL
  var otherURL: URL?

  static let mapping = Mapping(
    "Links", Links.init,
    .key("url", \.url, json: "URL"),
    .key("otherURL", \.otherURL, .standard))
}

private struct Dates: MappedModel, Equatable {
  var text: Date
  var seconds: Date?
  var milliseconds: Date?

  static let mapping = Mapping(
    "Dates", Dates.init,
    .key("text", \.text),
    .key("seconds", \.seconds, .epochSeconds),
    .key("milliseconds", \.milliseconds, .epochMilliseconds))
}

@Suite struct ValueDecodingTests {

  @Test(
    arguments: [
      ("1e2", 100), ("100.0", 100), ("-0.0", 0), ("9007199254740993.0", 9_007_199_254_740_993),
      ("1e17", 100_000_000_000_000_000), ("123456789012345678.0", 123_456_789_012_345_678),
      ("92233720368547758070e-1", .max), ("-9223372036854775808.000", .min),
      ("9223372036854775807", .max), ("-9223372036854775808", .min),
    ] as [(String, Int)])
  func integersAreReadWhereTheyAreExact(text: String, value: Int) throws {
    #expect(try Field<Int>.decode(#"{"value":\#(text)}"#) == value)
  }

  @Test(arguments: [
    ("3.7", "number 3.7"), ("true", "true"), (#""5""#, #"string "5""#), ("[]", "array"),
    ("{}", "object"), ("1.00000000000000000000001", "number 1.00000000000000000000001"),
    ("-5e-1", "number -5e-1"),
  ])
  func valuesThatAreNotIntegersAreErrors(text: String, found: String) {
    #expect(
      messages { _ = try Field<Int>.decode(#"{"value":\#(text)}"#) }
        == ["invalid type: \(found), expected integer - `Field.value` at /value"])
  }

  @Test(arguments: ["9223372036854775808", "-9223372036854775809", "1e300", "18446744073709551616"])
  func integersBeyond64BitsAreInvalidValues(text: String) {
    #expect(
      messages { _ = try Field<Int>.decode(#"{"value":\#(text)}"#) } == [
        "invalid value: number \(text), expected integer of 64 bits - `Field.value` at /value"
      ])
  }

  @Test func integersOutsideTheirRangeAreErrors() throws {
    #expect(try Field<UInt64>.decode(#"{"value":18446744073709551615}"#) == .max)
    #expect(try Field<UInt64>.decode(#"{"value":9223372036854775808}"#) == 1 << 63)
    #expect(
      messages { _ = try Field<UInt64>.decode(#"{"value":18446744073709551616}"#) } == [
        "invalid value: number 18446744073709551616, expected integer of 64 bits"
          + " - `Field.value` at /value"
      ])
    #expect(
      messages { _ = try Field<UInt64>.decode(#"{"value":-18446744073709551616}"#) } == [
        "invalid value: number -18446744073709551616, expected non-negative integer"
          + " - `Field.value` at /value"
      ])
    #expect(try Field<Int8>.decode(#"{"value":-128}"#) == -128)
    #expect(
      messages { _ = try Field<Int8>.decode(#"{"value":128}"#) } == [
        "invalid value: number 128, expected integer from -128 to 127 - `Field.value` at /value"
      ])
    #expect(
      messages { _ = try Field<UInt>.decode(#"{"value":-1}"#) } == [
        "invalid value: number -1, expected non-negative integer - `Field.value` at /value"
      ])
  }

  @Test func onlyTrueAndFalseAreBooleans() throws {
    #expect(try Field<Bool>.decode(#"{"value":true}"#))
    #expect(try !Field<Bool>.decode(#"{"value":false}"#))
    #expect(
      messages { _ = try Field<Bool>.decode(#"{"value":1}"#) }
        == ["invalid type: number 1, expected boolean - `Field.value` at /value"])
  }

  @Test func doublesAreReadFromAnyNumber() throws {
    #expect(try Field<Double>.decode(#"{"value":5}"#) == 5)
    #expect(try Field<Double>.decode(#"{"value":5e-324}"#) == .leastNonzeroMagnitude)
    #expect(
      messages { _ = try Field<Double>.decode(#"{"value":"5"}"#) }
        == [#"invalid type: string "5", expected number - `Field.value` at /value"#])
  }

  @Test func onlyTextIsText() throws {
    #expect(try Field<String>.decode(#"{"value":"\u00e9\n\"\ud83d\ude00"}"#) == "é\n\"😀")
    #expect(
      messages { _ = try Field<String?>.decode(#"{"value":666}"#) }
        == ["invalid type: number 666, expected string - `Field.value` at /value"])
  }

  @Test(
    arguments: [
      ("0.1", "0.1"), ("19.99", "19.99"), ("12345678901234567", "12345678901234567"),
      ("-9223372036854775808", "-9223372036854775808"), ("1e22", "10000000000000000000000"),
      ("123456789.012345", "123456789.012345"), ("0.0", "0"),
    ])
  func decimalsAreTheNumbersThatTextSpells(text: String, decimal: String) throws {
    #expect(try Field<Decimal>.decode(#"{"value":\#(text)}"#) == Decimal(string: decimal))
  }

  @Test(arguments: ["1e300", "5e-324"])
  func numbersThatDecimalsLackAreRefused(text: String) {
    let found = messages { _ = try Field<Decimal>.decode(#"{"value":\#(text)}"#) }

    #expect(found.first?.hasPrefix("invalid value: number ") == true)
  }

  @Test func dataIsBase64Text() throws {
    #expect(try Field<Data>.decode(#"{"value":"AAH/"}"#) == Data([0, 1, 255]))
    #expect(try Field<Data>.decode(#"{"value":""}"#) == Data())
    #expect(
      messages { _ = try Field<Data>.decode(#"{"value":"A*"}"#) }
        == [#"invalid value: string "A*", expected Base64 text - `Field.value` at /value"#])
  }

  @Test func datesAreReadByTheirFormat() throws {
    let text = #"{"text":"2016-11-22T18:53:35.5Z","seconds":1.5,"milliseconds":1500}"#

    let dates = try JSONAdapter<Dates>().model(from: Data(text.utf8))

    #expect(dates.text == Date(timeIntervalSinceReferenceDate: 501_533_615.5))
    #expect(dates.seconds == Date(timeIntervalSince1970: 1.5))
    #expect(dates.milliseconds == dates.seconds)
  }

  @Test func invalidDatesNameTheFormat() {
    let text = #"{"text":"yesterday","seconds":"1","milliseconds":true}"#

    #expect(
      messages { _ = try JSONAdapter<Dates>().model(from: Data(text.utf8)) } == [
        #"invalid value: string "yesterday", expected ISO 8601 date and time - `Dates.text` at /text"#,
        #"invalid type: string "1", expected seconds since 1970 - `Dates.seconds` at /seconds"#,
        "invalid type: true, expected milliseconds since 1970 - `Dates.milliseconds` at /milliseconds",
      ])
  }

  @Test func urlsAreReadWithAndWithoutATransform() throws {
    let text = #"{"URL":"http://github.com/1","otherURL":"http://github.com/2"}"#

    let links = try JSONAdapter<Links>().model(from: Data(text.utf8))

    #expect(links.url.absoluteString == "http://github.com/1")
    #expect(links.otherURL?.absoluteString == "http://github.com/2")
  }

  @Test func aNumberIsNoURL() {
    #expect(
      messages { _ = try JSONAdapter<Links>().model(from: Data(#"{"URL":666}"#.utf8)) }
        == ["invalid type: number 666, expected string - `Links.url` at /URL"])
  }

  @Test func uuidsAreReadFromText() throws {
    let text = "D278C472-6DC3-4EE1-A947-861E6AF311C3"

    #expect(try Field<UUID>.decode(#"{"value":"\#(text)"}"#) == UUID(uuidString: text))
    #expect(
      messages { _ = try Field<UUID>.decode(#"{"value":"not a valid UUID"}"#) }
        == [#"invalid value: string "not a valid UUID", expected UUID - `Field.value` at /value"#])
  }

  @Test func longTextIsCutInMessages() {
    let text = String(repeating: "x", count: 500)

    let found = messages { _ = try Field<Int>.decode(#"{"value":"\#(text)"}"#) }

    #expect(found.first?.contains(String(repeating: "x", count: 80) + "…\"") == true)
    #expect(found.first?.count ?? 0 < 200)
  }
}
