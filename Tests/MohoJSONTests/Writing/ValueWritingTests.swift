import Foundation
import MohoJSON
import MohoMapping
import MohoTesting
import Testing

private struct Epochs: MappedModel, Equatable {
  var seconds: Date
  var milliseconds: Date

  static let mapping = Mapping(
    "Epochs", Epochs.init,
    .key("seconds", \.seconds, .epochSeconds),
    .key("milliseconds", \.milliseconds, .epochMilliseconds))
}

private struct Unwritten: MappedModel {
  var size: Double

  static let mapping = Mapping(
    "Unwritten", Unwritten.init, .key("size", \.size, default: 0.0, .storeOnly))
}

@Suite struct ValueWritingTests {
  private func text<Value: FieldValue & Equatable>(_ value: Value) throws -> String {
    let text = try JSONAdapter<Field<Value>>().data(from: Field(value)).text
    return String(text.dropFirst(#"{"value":"#.count).dropLast())
  }

  @Test(
    arguments: [
      (0, "0"), (-0.0, "-0.0"), (1, "1"), (-100, "-100"), (0.1, "0.1"), (1e14, "100000000000000"),
      (1e300, "1e+300"), (.leastNonzeroMagnitude, "5e-324"),
      (.greatestFiniteMagnitude, "1.7976931348623157e+308"), (1 / 3, "0.3333333333333333"),
    ] as [(Double, String)])
  func doublesAreWrittenInTheirShortestForm(value: Double, expected: String) throws {
    #expect(try text(value) == expected)
    let read = try Field<Double>.decode(#"{"value":\#(expected)}"#)
    #expect(read.bitPattern == value.bitPattern)
  }

  @Test(
    arguments: [
      (0, "0"), (-0.0, "-0.0"), (0.1, "0.1"), (-2.5, "-2.5"), (16_777_216, "16777216"),
      (1 / 3, "0.33333334"), (3.4028235e38, "3.4028235e+38"), (.leastNonzeroMagnitude, "1e-45"),
    ] as [(Float, String)])
  func floatsAreWrittenByTheirOwnDigits(value: Float, expected: String) throws {
    #expect(try text(value) == expected)
    #expect(try text([value]) == "[\(expected)]")
  }

  @Test func everyFloatReadsBackEqual() throws {
    var generator = SeededGenerator(seed: 1)
    let adapter = JSONAdapter<Field<Float>>()
    for _ in 0..<20_000 {
      let value = Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
      guard value.isFinite else { continue }
      let read = try adapter.model(from: adapter.data(from: Field(value))).value
      #expect(read.bitPattern == value.bitPattern, "\(value)")
    }
  }

  @Test func integersAreWrittenExactly() throws {
    #expect(try text(Int64.min) == "-9223372036854775808")
    #expect(try text(Int64.max) == "9223372036854775807")
    #expect(try text(UInt64.max) == "18446744073709551615")
    #expect(try text(0) == "0")
  }

  @Test func decimalsAreWrittenExactly() throws {
    for text in ["0.1", "-19.99", "12345678901234567890.123456789", "1000"] {
      #expect(try self.text(try #require(Decimal(string: text))) == text)
    }
  }

  @Test func wholeDecimalsBeyondIntegersReadBack() throws {
    for (text, written) in [
      ("9223372036854775807", "9223372036854775807"),
      ("9223372036854775808", "9223372036854775808"),
      ("-10000000000000000000000", "-10000000000000000000000"),
    ] {
      let value = try #require(Decimal(string: text))
      #expect(try self.text(value) == written)
      #expect(try Field<Decimal>.decode(#"{"value":\#(written)}"#) == value)
    }
  }

  @Test func booleansAreTheirTokens() throws {
    #expect(try text(false) == "false")
    #expect(try text(true) == "true")
  }

  @Test(arguments: [
    ("", #""""#), ("a\"b\\c/d", #""a\"b\\c/d""#), ("\n\r\t\u{8}\u{C}", #""\n\r\t\b\f""#),
    ("\u{0}\u{1}\u{1F}\u{7F}", "\"\\u0000\\u0001\\u001f\u{7F}\""), ("é😀\u{2028}", "\"é😀\u{2028}\""),
  ])
  func onlyRequiredCharactersAreEscaped(value: String, expected: String) throws {
    #expect(try text(value) == expected)
  }

  @Test func dataIsBase64Text() throws {
    #expect(try text(Data([0, 1, 255])) == #""AAH/""#)
    #expect(try text(Data()) == #""""#)
  }

  @Test func urlsReadBack() throws {
    let url = try #require(URL(string: "http://www.github.com/"))

    #expect(try text(url) == #""http://www.github.com/""#)
    #expect(try text(URL?.none).isEmpty)
  }

  @Test func datesAreWrittenInTheirFormat() throws {
    let date = Date(timeIntervalSince1970: 1_479_840_815.25)

    #expect(try text(date) == #""2016-11-22T18:53:35.250Z""#)
    #expect(
      try JSONAdapter<Epochs>().data(from: Epochs(seconds: date, milliseconds: date)).text
        == #"{"seconds":1479840815.25,"milliseconds":1479840815250}"#)
  }

  @Test(arguments: [-3_816_715_602_192, -112_325_595_326, 1_479_840_815_123])
  func wholeMillisecondsAreWrittenWhole(milliseconds: Int) throws {
    let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)

    let text = try JSONAdapter<Epochs>().data(from: Epochs(seconds: date, milliseconds: date)).text

    #expect(text.hasSuffix(#""milliseconds":\#(milliseconds)}"#))
  }

  @Test func valuesThatJSONCannotRepresentAreErrorsWithTheirPosition() {
    let adapter = JSONAdapter<Field<Double>>(envelope: "data")
    let far = Date(timeIntervalSinceReferenceDate: 1e12)
    let never = Date(timeIntervalSinceReferenceDate: .infinity)

    #expect(
      messages { _ = try adapter.data(from: [Field(1), Field(.nan)]) } == [
        "invalid value: number nan, expected finite number - `Field.value` at /1/data/value"
      ])
    #expect(
      messages { _ = try text(-Double.infinity) }
        == ["invalid value: number -inf, expected finite number - `Field.value` at /value"])
    #expect(
      messages { _ = try text(Decimal.nan) }
        == ["invalid value: number NaN, expected finite number - `Field.value` at /value"])
    #expect(
      messages { _ = try text(far) } == [
        "invalid value: date 1000000000000.0 seconds from 2001,"
          + " expected date in the years 0 to 9999 - `Field.value` at /value"
      ])
    #expect(
      messages {
        _ = try JSONAdapter<Epochs>().data(from: Epochs(seconds: far, milliseconds: never))
      } == [
        "invalid value: date inf, expected finite date - `Epochs.milliseconds` at /milliseconds"
      ])
  }

  @Test func valuesThatAreNotEncodedNeedNoJSON() throws {
    #expect(try JSONAdapter<Unwritten>().data(from: Unwritten(size: .nan)).text == "{}")
  }

  @Test func doublesOfEverySizeAreWrittenShortest() throws {
    var generator = SeededGenerator(seed: 7)
    let adapter = JSONAdapter<Field<Double>>()

    for round in 0..<20_000 {
      let digits = Double(Int64.random(in: -999_999_999_999...999_999_999_999, using: &generator))
      let scale = [1, 10, 100, 1e3, 1e6, 1e7, 1e12, 1e-9][round % 8]
      let value =
        round.isMultiple(of: 3)
        ? Double.random(in: -1...1, using: &generator) * scale : digits / scale
      let data = try adapter.data(from: Field(value))

      #expect(try adapter.model(from: data).value == value, "round \(round)")
      let isInteger = abs(value) < 1e15 && value == value.rounded()
      let shortest = isInteger ? "\(Int(value))" : value.description
      #expect(data.text == #"{"value":\#(shortest)}"#, "round \(round)")
    }
  }

  @Test func requiredEscapesAreWrittenAtEveryPosition() throws {
    let adapter = JSONAdapter<Field<String>>()

    for escaped in ["\"", "\\", "\n", "\u{1}", "\u{1F}", "\u{7F}", "\u{80}", "é"] {
      // Up to two blocks of 16 bytes and a rest, at different offsets.
      for length in 0..<40 {
        for place in 0...length {
          var text = String(repeating: "x", count: length)
          text.insert(contentsOf: escaped, at: text.index(text.startIndex, offsetBy: place))
          if place.isMultiple(of: 3) { text = escaped + text + "\n" }
          let data = try adapter.data(from: Field(text))
          #expect(
            try adapter.model(from: data).value == text, "\(escaped) at \(place) of \(length)")
          #expect(!data.contains { $0 < 0x20 })
        }
      }
    }
  }
}
