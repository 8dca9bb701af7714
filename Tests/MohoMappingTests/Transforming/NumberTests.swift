import Foundation
import MohoMapping
import Testing

@Suite struct NumberTests {
  private func expectBounds<I: FixedWidthInteger & FieldValue>(of type: I.Type) throws {
    let transform = Transform<I>.numberInString
    for value in [I.min, I.max, 0, 1] {
      #expect(try transform.read(.string("\(value)")) == value)
      #expect(try transform.written(value) == .string("\(value)"))
    }
    for outside in ["\(I.max)0", "-\(I.max)0"] {
      #expect(
        transform.refusal(.string(outside))
          == "invalid value: string \"\(outside)\", expected integer from \(I.min) to \(I.max) in a string"
          + " - `Form.value` at /0")
    }
  }

  @Test func integersOfEveryWidthAreReadFromStrings() throws {
    try expectBounds(of: Int8.self)
    try expectBounds(of: Int16.self)
    try expectBounds(of: Int32.self)
    try expectBounds(of: Int64.self)
    try expectBounds(of: Int.self)
    try expectBounds(of: UInt8.self)
    try expectBounds(of: UInt16.self)
    try expectBounds(of: UInt32.self)
    try expectBounds(of: UInt64.self)
    try expectBounds(of: UInt.self)
  }

  @Test(arguments: [
    "abc", "", " 5", "5 ", "+5", "05", "5.0", "5e0", "5x", "0x5", "5,000", "-", "--5", "٥",
    "5\u{0}",
  ])
  func aStringThatIsNotAnIntegerIsAnError(text: String) {
    let refusal = Transform<Int8>.numberInString.refusal(.string(text))

    #expect(refusal.hasPrefix("invalid value: string \""))
    #expect(
      refusal.hasSuffix(", expected integer from -128 to 127 in a string - `Form.value` at /0"))
  }

  @Test func numbersInStringsAreStrings() {
    #expect(
      Transform<Int>.numberInString.refusal(.int64(5))
        == "invalid type: number 5, expected string - `Form.value` at /0")
    #expect(
      Transform<Double>.numberInString.refusal(.null)
        == "unexpected null: null, expected string - `Form.value` at /0")
    #expect(
      Transform<Decimal>.numberInString.refusal(nil)
        == "missing value for `Form.value` at /0")
  }

  @Test func nilIsWrittenAsNull() throws {
    let transform = Transform<Int>.numberInString.optional

    #expect(try transform.read(.null) == nil)
    #expect(try transform.read(nil) == nil)
    #expect(try transform.written(nil) == .null)
    #expect(try transform.written(5) == .string("5"))
  }

  @Test(
    arguments: [
      ("0.5", 0.5, "0.5"), ("-0", -0.0, "-0.0"), ("12", 12, "12.0"), ("1E3", 1000, "1000.0"),
      ("5e-324", .leastNonzeroMagnitude, "5e-324"), ("1e+300", 1e300, "1e+300"),
    ] as [(String, Double, String)])
  func doublesAreReadFromStrings(text: String, value: Double, written: String) throws {
    let transform = Transform<Double>.numberInString

    #expect(try transform.read(.string(text)).bitPattern == value.bitPattern)
    #expect(try transform.written(value) == .string(written))
    #expect(try transform.read(.string(written)).bitPattern == value.bitPattern)
  }

  @Test(arguments: [
    "abc", "", " 1", "1 ", "+1", "01", ".5", "5.", "1e", "1e+", "nan", "inf", "1e999",
  ])
  func aStringThatIsNotANumberIsAnError(text: String) {
    #expect(
      Transform<Double>.numberInString.refusal(.string(text))
        == "invalid value: string \"\(text)\", expected number in a string - `Form.value` at /0")
  }

  @Test func aNumberThatIsNotFiniteIsNotWritten() {
    #expect(
      Transform<Double>.numberInString.refusal(writing: .nan)
        == "invalid value: nan, expected finite number - `Form.value`")
    #expect(
      Transform<Decimal>.numberInString.refusal(writing: .nan)
        == "invalid value: NaN, expected finite number - `Form.value`")
  }

  @Test(arguments: [
    ("19.99", "19.99"), ("-0", "0"), ("0.10", "0.1"), ("1e3", "1000"), ("-1.5E-0002", "-0.015"),
    ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
    ("0.1234567890123456789012345678901234567", "0.1234567890123456789012345678901234567"),
    ("1000000000000000000.0000000000000000001", "1000000000000000000.0000000000000000001"),
    ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
    ("340282366920938463463374607431768211455", "340282366920938463463374607431768211455"),
    ("-0.123456789012345678901234567890123456789", "-0.123456789012345678901234567890123456789"),
    ("1e128", "1" + String(repeating: "0", count: 128)),
  ])
  func decimalsInStringsAreExact(text: String, written: String) throws {
    let transform = Transform<Decimal>.numberInString

    let value = try transform.read(.string(text))

    #expect(try transform.written(value) == .string(written))
    #expect(try transform.read(.string(written)) == value)
  }

  @Test(arguments: [
    "340282366920938463463374607431768211456", "1e166", "1e-129", "1e99999999999999999999", "1x",
  ])
  func aNumberThatDecimalCannotRepresentIsAnError(text: String) {
    #expect(
      Transform<Decimal>.numberInString.refusal(.string(text))
        == "invalid value: string \"\(text)\", expected decimal number in a string - `Form.value` at /0"
    )
  }

  @Test func numbersOrStringsAreWrittenAsNumbers() throws {
    #expect(try Transform<Int>.numberOrString.read(.int64(5)) == 5)
    #expect(try Transform<Int>.numberOrString.read(.string("5")) == 5)
    #expect(try Transform<Int>.numberOrString.written(5) == .int64(5))
    #expect(try Transform<Double>.numberOrString.read(.string("0.5")) == 0.5)
    #expect(try Transform<Double>.numberOrString.written(0.5) == .double(0.5))
    #expect(try Transform<Decimal>.numberOrString.read(.string("0.5")) == 0.5)
    #expect(try Transform<Decimal>.numberOrString.written(0.5) == .decimal(0.5))
    #expect(
      Transform<UInt8>.numberOrString.refusal(.string("x"))
        == "invalid value: string \"x\", expected integer or integer from 0 to 255 in a string"
        + " - `Form.value` at /0")
    #expect(
      Transform<UInt8>.numberOrString.refusal(.bool(true))
        == "invalid type: true, expected integer or string - `Form.value` at /0")
  }

  @Test func identifiersAreStringsOrIntegers() throws {
    let transform = Transform<String>.stringOrInteger

    #expect(try transform.read(.string("007")) == "007")
    #expect(try transform.read(.int64(-7)) == "-7")
    #expect(try transform.written("-7") == .string("-7"))
    #expect(
      transform.refusal(.double(0.5))
        == "invalid type: number 0.5, expected string or integer - `Form.value` at /0")
  }

  @Test func booleansCanBeNumbersOrStrings() throws {
    for value in [true, false] {
      let number = FieldContent.int64(value ? 1 : 0)
      let text = FieldContent.string(value ? "true" : "false")
      #expect(try Transform<Bool>.booleanAsNumber.read(number) == value)
      #expect(try Transform<Bool>.booleanAsNumber.written(value) == number)
      #expect(try Transform<Bool>.booleanInString.read(text) == value)
      #expect(try Transform<Bool>.booleanInString.written(value) == text)
      let any = Transform<Bool>.standard.or(.booleanAsNumber).or(.booleanInString)
      for content in [number, text, .bool(value)] { #expect(try any.read(content) == value) }
      #expect(try any.written(value) == .bool(value))
    }
    #expect(try Transform<Bool>.booleanAsNumber.optional.read(.null) == nil)
    #expect(try Transform<Bool>.booleanAsNumber.optional.written(nil) == .null)
  }

  @Test func booleansInStringsAreStrict() {
    #expect(
      Transform<Bool>.booleanAsNumber.refusal(.int64(2))
        == "invalid value: number 2, expected 0 or 1 - `Form.value` at /0")
    #expect(
      Transform<Bool>.booleanAsNumber.refusal(.bool(true))
        == "invalid type: true, expected integer - `Form.value` at /0")
    #expect(
      Transform<Bool>.booleanInString.refusal(.string("True"))
        == "invalid value: string \"True\", expected \"true\" or \"false\" - `Form.value` at /0")
    #expect(
      Transform<Bool>.standard.refusal(.int64(1))
        == "invalid type: number 1, expected true or false - `Form.value` at /0")
  }

  @Test func localizedNumbersAreReadAndWritten() throws {
    let english = Transform<Double>.decimalFormat(locale: Locale(identifier: "en_US"))
    let german = Transform<Double>.decimalFormat(
      locale: Locale(identifier: "de_DE"), fractionDigits: 2)

    #expect(try english.read(.string("0.12345")) == 0.12345)
    #expect(try english.read(.string("-12345.678")) == -12345.678)
    #expect(try english.read(.string("12,345.678")) == 12345.678)
    #expect(try english.written(12345.678) == .string("12,345.678"))
    #expect(try english.written(0.12345) == .string("0.12345"))
    #expect(try english.optional.read(.null) == nil)
    #expect(try english.optional.written(nil) == .null)
    #expect(try german.written(12345.678) == .string("12.345,68"))
    #expect(try german.read(.string("12.345,68")) == 12345.68)
    for text in ["abc", "", "1x", " 1", "1 ", "NaN", "1e5", "-", "1-"] {
      #expect(
        english.refusal(.string(text))
          == "invalid value: string \"\(text)\", expected number like \"1,234.5\" - `Form.value` at /0"
      )
    }
    #expect(
      english.refusal(writing: .infinity)
        == "invalid value: inf, expected finite number - `Form.value`")
  }
}
