import Foundation
import MohoMapping
import MohoTesting

@testable import MohoRows

/// A nested model with a key of each type, for random schemas.
struct RandomCard: MappedModel {
  struct Inner: MappedModel {
    var text: String?
    var count: Int

    static let mapping = Mapping(
      "Inner", Inner.init, .key("text", \.text), .key("count", \.count, json: "n[1]", default: 7))
  }

  struct Span: MappedModel {
    var start: Int
    var length: Int

    static let mapping = Mapping(
      "Span", Span.init, .key("start", \.start), .key("length", \.length, default: 2))
  }

  var flag: Bool?
  var count: Int?
  var size: Int
  var ratio: Double?
  var price: Decimal?
  var total: UInt64?
  var text: String?
  var word: String
  var date: Date?
  var day: Date?
  var code: UUID?
  var bytes: Data?
  var inner: Inner
  var span: Span?

  static let mapping = Mapping(
    "Card", RandomCard.init,
    .key("flag", \.flag), .key("count", \.count), .key("size", \.size, default: 3, .nullIsAbsent),
    .key("ratio", \.ratio), .key("price", \.price), .key("total", \.total), .key("text", \.text),
    .key("word", \.word, alternatives: ["old.word", "a b"], default: "ä"),
    .key("date", \.date), .key("day", \.day, .dates(.iso8601Date, .epochSeconds)),
    .key("code", \.code), .key("bytes", \.bytes),
    .key("inner", \.inner, default: Inner(text: "i", count: 1)), .inlined("span", \.span))

  /// The keys, with the types of their values in requests.
  static let keys: [(names: [String], type: ValueType)] = [
    (["flag"], .boolean), (["count"], .integer), (["size"], .integer), (["ratio"], .double),
    (["price"], .decimal), (["total"], .decimal), (["text"], .string), (["word"], .string),
    (["date"], .date), (["day"], .date), (["code"], .string), (["bytes"], .data),
    (["inner", "text"], .string), (["inner", "count"], .integer), (["span", "length"], .integer),
  ]

  static let attribute = Attribute(
    "a.nested", .structured, isOptional: true, backfillValue: nil,
    nestedModel: NestedModel(schema: { mapping.objectSchema }))
}

extension RandomValues {
  /// Generates a value that the column of an attribute can store.
  mutating func value(of attribute: Attribute) -> FieldContent {
    attribute == RandomCard.attribute ? .string(card()) : value(attribute.type)
  }

  /// Generates the text of a ``RandomCard``, in which members are absent, null or of another
  /// form.
  private mutating func card() -> String {
    if generator.oneIn(12) { return pick(["[]", "5", "null", "\"\""]) }
    var members: [String] = []
    func add(_ name: String, _ value: String, _ values: inout RandomValues) {
      if values.generator.oneIn(3) { return }
      let others = ["null", "null", "\"x\"", "5", "2.5", "[]", "{}", "true"]
      let text = values.generator.oneIn(4) ? values.pick(others) : value
      members.append("\(json(name)):\(text)")
    }
    add("flag", generator.oneIn(2) ? "true" : "false", &self)
    add("count", pick(["\(integer())", "1.0", "2.5", "1e1"]), &self)
    add("size", "\(integer())", &self)
    add("ratio", number(), &self)
    add("price", "\(decimal())", &self)
    add("total", "\(unsignedInteger())", &self)
    add("text", json(text()), &self)
    add("word", json(text()), &self)
    add("old", "{\"word\":\(json(text()))}", &self)
    add("a b", json(text()), &self)
    add("date", json(ISO8601.text(date()) ?? ""), &self)
    add("day", pick([json("2001-01-02"), "978307200.5", json("2001-02-29")]), &self)
    add("code", json(pick(["00000000-0000-0000-0000-00000000000a", "x"])), &self)
    add("bytes", json(Data(text().utf8).base64EncodedString()), &self)
    add("inner", "{\"text\":\(json(text())),\"n\":[0,\(integer())]}", &self)
    add("start", "\(integer())", &self)
    add("length", "\(integer())", &self)
    return "{\(members.joined(separator: ","))}"
  }

  private mutating func number() -> String {
    let number = double()
    return number.isFinite ? "\(number)" : "1e400"
  }

  private mutating func date() -> Date {
    let seconds = double()
    return Date(timeIntervalSinceReferenceDate: abs(seconds) < 1e10 ? seconds : 0.25)
  }
}

private func json(_ text: String) -> String {
  (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
}
