import Foundation
import MohoJSON
import MohoMapping
import Testing

private struct Account: MappedModel, Equatable {
  var id: UInt64
  var balance: Decimal?
  var rate: Double?
  var count: Int?

  static let mapping = Mapping(
    "Account", Account.init,
    .key("id", \.id), .key("balance", \.balance), .key("rate", \.rate), .key("count", \.count))
}

@Suite struct LargeNumberTests {
  private let adapter = JSONAdapter<Account>()
  private let element =
    #"{"count" : -0,"id":18446744073709551615,"x":[[],{"-1":9223372036854775807}],"#
    + #""balance":12345678901234567890123456789012345678, "rate": 12345678901234567890 }"#

  private func account() -> Account {
    Account(
      id: .max, balance: Decimal(string: "12345678901234567890123456789012345678"),
      rate: 12_345_678_901_234_567_168, count: 0)
  }

  @Test func documentsElementsAndStreamsAreReadAlike() async throws {
    let account = account()
    let array = Data("[\(element), {\"id\":1},\(element)]".utf8)
    let one = Account(id: 1)

    #expect(try adapter.model(from: Data(element.utf8)) == account)
    #expect(try adapter.models(from: array) == [account, one, account])
    #expect(try adapter.models(from: JSONDocument(parsing: array)) == [account, one, account])
    for layout in [StreamLayout.rootArray, .lines] {
      let text = layout == .lines ? Data("\(element)\n{\"id\":1}\n\(element)".utf8) : array
      var models: [Account] = []
      for try await element in adapter.elements(from: ByteSequence(text), as: layout) {
        models.append(try element.model)
      }
      #expect(models == [account, one, account])
    }
  }

  @Test func decodedNumbersKeepTheirDigits() throws {
    let written = try adapter.data(from: account())

    #expect(
      written.text
        == #"{"id":18446744073709551615,"balance":12345678901234567890123456789012345678,"#
        + #""rate":1.2345678901234567e+19,"count":0}"#)
    #expect(try adapter.model(from: written) == account())
  }

  @Test func aNumberThatAKeyCannotHoldIsAnErrorOfTheKey() {
    let text = "[{\"id\":1},\n {\"id\":2,\"count\":9223372036854775808}, {\"id\":-1e3}]"

    let error = #expect(throws: MappingError.self) { try adapter.models(from: Data(text.utf8)) }

    #expect(
      error?.description == """
        invalid value: number 9223372036854775808, expected integer of 64 bits - `Account.count` \
        at /1/count, 2:18
        invalid value: number -1e3, expected non-negative integer - `Account.id` at /2/id, 2:46
        """)
  }

  @Test func exactValuesKeepNumbersThatNoCaseRepresents() throws {
    let texts = [
      "18446744073709551615", "-9223372036854775809", "0.1000000000000000055", "1e-400",
      "12345678901234567890.5", "-0.30000000000000000000000000000000000001E+2",
    ]
    for text in texts {
      let value = try #require(try JSONDocument(parsing: text).value())
      #expect(value == JSONNumber(text).map { .exact($0) })
      #expect(value.kind == .number)
      #expect(try value.data().text == text)
    }
    let all = "[" + texts.joined(separator: ",") + "]"
    #expect(try JSONDocument(parsing: all).value()?.data().text == all)
  }

  @Test func valuesAreDoublesIfDoublesAreExact() throws {
    #expect(
      try JSONDocument(parsing: "[1e22,10000000000000000000000,0.1,5e-324,-0.0,1.50]").value()
        == [1e22, 1e22, 0.1, .number(.leastNonzeroMagnitude), -0.0, 1.5])
  }

  @Test(arguments: ["", "1.", "01", "+1", "1e", " 1", "1 ", "0x1", "nan", "1,2"])
  func invalidTextMakesNoNumber(text: String) {
    #expect(JSONNumber(text) == nil)
  }

  @Test func otherNumbersOfTheDocumentStayIntegers() throws {
    let text =
      #"{"a":[1,{"b":[-0,2.0,3]},18446744073709551615,"4"],"c":-9223372036854775808,"d":1e0}"#
    let document = try JSONDocument(parsing: text)

    #expect(
      document.value() == [
        "a": [
          1, ["b": [0, 2.0, 3]], JSONNumber("18446744073709551615").map { .exact($0) } ?? nil, "4",
        ],
        "c": .integer(.min), "d": 1.0,
      ])
    #expect(document.kind(at: "a[0]") == .integer)
    #expect(document.kind(at: "a[2]") == .number)
    #expect(try JSONDocument(parsing: "18446744073709551615").kind() == .number)
  }

  @Test func codableValuesReadThemToo() throws {
    struct Coded: MappedModel {
      struct Sum: Codable, Equatable { var amount: Decimal; var id: UInt64 }
      var sum: Sum
      static let mapping = Mapping("Coded", Coded.init, .key("sum", \.sum, .codable))
    }
    let text = #"{"x":1.5,"sum":{"amount":1234567890.1234567891,"id":18446744073709551615}}"#

    let sum = try JSONAdapter<Coded>().model(from: Data(text.utf8)).sum

    #expect(sum == .init(amount: try #require(Decimal(string: "1234567890.1234567891")), id: .max))
  }

  @Test func alternativesAndCollectedValuesAreExactToo() throws {
    struct Found: MappedModel {
      var id: UInt64
      var sums: [Decimal]
      static let mapping = Mapping(
        "Found", Found.init,
        .key("id", \.id, alternatives: ["old.id"]), .key("sums", \.sums, json: "rows[*].sum"))
    }
    let (one, other) = ("1234567890.1234567890123", "12345678901234567890123")
    let text =
      #"{"old":{"x":1e1,"id":18446744073709551615},"#
      + #""rows":[{"n":0.5,"sum":\#(one)},{"sum":\#(other)}]}"#

    let found = try JSONAdapter<Found>().model(from: Data(text.utf8))

    #expect(found.id == .max)
    #expect(found.sums == [Decimal(string: one), Decimal(string: other)])
  }

  @Test func anyJSONAndUnknownMembersKeepTheirDigits() throws {
    struct Preserved: MappedModel {
      var id: Int
      var any: JSONValue
      var others: [String: JSONValue]
      static let mapping = Mapping(
        "Preserved", Preserved.init,
        .key("id", \.id), .key("any", \.any, json: "x.any"), .unknown("others", \.others))
    }
    let adapter = JSONAdapter<Preserved>()
    let text =
      #"{"id":1,"x":{"any":[1.5,{"a":18446744073709551615}],"b":0.1000000000000000055},"#
      + #""c":[2,-9223372036854775809],"d.e":1e-400}"#

    let kept = try adapter.model(from: Data(text.utf8))

    #expect(kept.others["c"] == [2, JSONNumber("-9223372036854775809").map { .exact($0) } ?? nil])
    #expect(kept.others["x.b"] == JSONNumber("0.1000000000000000055").map { .exact($0) })
    #expect(try adapter.data(from: kept).text == text)
    let elements = Data("[\(text),\(text)]".utf8)
    #expect(try adapter.data(from: adapter.models(from: elements)) == elements)
  }

  @Test func manyUnknownNumbersAreDecodedInLinearTime() throws {
    struct Preserved: MappedModel {
      var others: [String: JSONValue]
      static let mapping = Mapping("Preserved", Preserved.init, .unknown("others", \.others))
    }
    let members = (0..<20_000).map { #""m\#($0)":\#($0).25"# }

    let kept = try JSONAdapter<Preserved>().model(
      from: Data(("{" + members.joined(separator: ",") + "}").utf8))

    #expect(kept.others.count == 20_000)
    #expect(kept.others["m19999"] == 19999.25)
  }

  @Test func codersPreserveDecimals() throws {
    let texts = [
      "18446744073709551615", "-12345678901234567890.5", "0.1", "5e-324", "1e+300", "-7",
      "0.30000000000000004", "1.7976931348623157e+308",
    ]
    for text in texts {
      let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
      #expect(try value.data().text == text)
      let coded = try JSONEncoder().encode(value)
      #expect(try JSONDecoder().decode(JSONValue.self, from: coded) == value, "\(text)")
    }
    let long = try #require(JSONNumber("0." + String(repeating: "7", count: 50)))
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(JSONValue.exact(long)) }
  }

  @Test(arguments: [1, 3, 10, 19, 20, 63, 64, 65, 128, 400, 5_000])
  func zeroIsZeroWithAnyExponent(digits: Int) throws {
    struct Zeros: MappedModel, Equatable {
      var double: Double
      var float: Float
      var decimal: Decimal
      var integer: Int64
      var byte: UInt8
      var date: Date
      var value: JSONValue
      static let mapping = Mapping(
        "Zeros", Zeros.init,
        .key("double", \.double), .key("float", \.float), .key("decimal", \.decimal),
        .key("integer", \.integer), .key("byte", \.byte), .key("date", \.date, .epochSeconds),
        .key("value", \.value))
    }
    let zeros = Zeros(
      double: 0, float: 0, decimal: 0, integer: 0, byte: 0, date: Date(timeIntervalSince1970: 0),
      value: 0)
    let keys = Zeros.mapping.keys.map(\.name)
    let adapter = JSONAdapter<Zeros>()
    let fraction = "0." + String(repeating: "0", count: digits)
    for mantissa in ["0", "-0", "0.0", "-0.000", fraction] {
      for exponent in ["e", "E+", "e-"] {
        for digit in ["1", "9", "0"] {
          let number = mantissa + exponent + String(repeating: digit, count: digits)
          let text = "{\(keys.map { "\"\($0)\":\(number)" }.joined(separator: ","))}"
          for adapter in [adapter, adapter.withoutFastPath] {
            #expect(try adapter.model(from: text) == zeros, "\(number.prefix(60))")
            #expect(try adapter.models(from: "[\(text)]") == [zeros])
          }
          let sign = try adapter.model(from: text).double.sign
          #expect(sign == (mantissa.hasPrefix("-") ? .minus : .plus), "\(number.prefix(60))")
          #expect(JSONNumber(number)?.decimal == 0)
        }
      }
    }
  }

  @Test func tinyNumbersAreZeroAsDoublesAndExactAsValues() throws {
    for digits in [4, 18, 19, 20, 64, 400] {
      let text = "7e-" + String(repeating: "3", count: digits)
      for adapter in [JSONAdapter<Account>(), JSONAdapter<Account>().withoutFastPath] {
        #expect(try adapter.model(from: "{\"id\":1,\"rate\":\(text)}").rate == 0)
        #expect(throws: MappingError.self) {
          try adapter.model(from: "{\"id\":1,\"balance\":\(text)}")
        }
        #expect(throws: MappingError.self) {
          try adapter.model(from: "{\"id\":1,\"count\":\(text)}")
        }
      }
      #expect(try JSONDocument(parsing: text).value()?.data().text == text)
      #expect(syntaxError(Data(text.replacing("-", with: "+").utf8))?.code == .numberOutOfRange)
    }
  }

  @Test(arguments: ["0.9e309", "-0.09e310", "0.18e309", "1.8e308", "1e309"])
  func aNumberBeyondTheGreatestDoubleIsAnErrorWithoutAKeyToo(number: String) {
    for text in [#"{"id":1,"x":\#(number)}"#, #"{"id":1,"x":[{"y":\#(number)}]}"#] {
      for adapter in [JSONAdapter<Account>(), JSONAdapter<Account>().withoutFastPath] {
        #expect(throws: JSONError.self, "\(text)") { try adapter.model(from: text) }
      }
      #expect(syntaxError(Data(text.utf8))?.code == .numberOutOfRange)
    }
  }

  @Test func nestingStaysBounded() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + "18446744073709551615,1"
        + String(repeating: "]", count: depth)
    }

    #expect(try JSONDocument(parsing: nested(2047)).kind() == .array)
    #expect(syntaxError(Data(nested(2048).utf8))?.code == .tooDeep)
  }
}
