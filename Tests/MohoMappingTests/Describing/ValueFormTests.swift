import Foundation
import Testing

@testable import MohoMapping

/// The forms are stored in files, so their texts must not change.
@Suite struct ValueFormTests {
  private struct One<Value: Sendable> {
    var value: Value
  }

  private enum Kind: String, FieldValue, CaseIterable { case paid, free }
  private enum Level: Int, FieldValue, CaseIterable { case low = 1, high = 9 }
  private struct Color: Codable, Hashable { var red: Int }

  private struct Leaf: MappedModel, Hashable {
    var id: Int
    var name: String?
    var sub: [Leaf]
    static let mapping = Mapping(
      "Leaf", Leaf.init, .key("id", \.id, .unique), .key("name", \.name, json: "a.name"),
      .key("sub", \.sub))
  }

  private struct Open: MappedModel, Hashable {
    var at: Date
    var others: [String: Int]
    static let mapping = Mapping(
      "Open", Open.init, .key("at", \.at, .dates(.iso8601, .epochSeconds)),
      .unknown("others", \.others))
  }

  private func text<Value: Sendable>(_ transform: Transform<Value>) -> String? {
    let mapping = Mapping<One<Value>>(
      "One", { One(value: $0) }, .key("value", \.value, transform))
    return mapping.valueForms["value"]?.text
  }

  private func text<Value: FieldValue>(_ type: Value.Type) -> String? {
    text(Transform<Value>.standard)
  }

  @Test func standardTypesHaveStableForms() {
    #expect(text(Int.self) == "integer")
    #expect(text(Int16.self) == "integer -32768...32767")
    #expect(text(UInt8.self) == "integer 0...255")
    #expect(text(UInt64.self) == "unsigned")
    #expect(text(Double.self) == "double")
    #expect(text(Float.self) == "float")
    #expect(text(Decimal.self) == "decimal")
    #expect(text(Bool.self) == "boolean")
    #expect(text(String.self) == "string")
    #expect(text(String?.self) == "string")
    #expect(text(Date.self) == "date")
    #expect(text(Data.self) == "data")
    #expect(text(UUID.self) == "uuid")
    #expect(text(URL.self) == "string uri-reference")
    #expect(text(Kind.self) == #"{"one":["\"free\"","\"paid\""]}"#)
    #expect(text(Level.self) == #"{"one":["1","9"]}"#)
    #expect(text(OpenEnum<Kind>.self) == "string")
  }

  @Test func structuresHaveStableForms() {
    #expect(text([Int].self) == #"{"array":"integer"}"#)
    #expect(text([String?].self) == #"{"array":{"optional":"string"}}"#)
    #expect(text(Set<Decimal>.self) == #"{"array":"decimal"}"#)
    #expect(text([String: [Float]].self) == #"{"dictionary":{"array":"float"}}"#)
    #expect(text([UUID].self) == #"{"array":"string uuid"}"#)
    #expect(text([Date].self) == #"{"array":"date iso8601"}"#)
    #expect(
      text(Leaf.self)
        == #"{"model":{"a.name":{"optional":"string"},"id":"integer","sub":{"array":"model ^1"}}}"#)
    #expect(text(Open.self) == #"{"open model":{"at":"date oneOf[iso8601,epochSeconds]"}}"#)
  }

  @Test func transformsHaveStableForms() {
    #expect(text(Transform<Date>.epochSeconds) == "date")
    #expect(text(Transform<Int>.numberInString) == #"string /^-?(0|[1-9][0-9]*)$/"#)
    #expect(text(Transform<Int>.numberOrString) == "integer")
    #expect(text(Transform<Double>.numberOrString) == "double")
    #expect(text(Transform<String>.stringOrInteger) == "string")
    #expect(text(Transform<Bool>.booleanAsNumber) == #"{"one":["0","1"]}"#)
    #expect(text(Transform<Bool>.booleanInString) == #"{"one":["\"false\"","\"true\""]}"#)
    #expect(text(Transform<Color>.codable) == "codable Color")
    #expect(text(Transform<Color?>.codable) == "codable Color")
    #expect(text(Transform<Kind>.rawValue(unknown: .free)) == "string")
    #expect(text(Transform<Int>.table(["a": 1, "b": 2])) == #"{"one":["\"a\"","\"b\""]}"#)
    #expect(text(Transform<Int>.standard.map(to: { "\($0)" }, from: { Int($0) ?? 0 })) == "integer")
    #expect(text(Transform<Int>.standard.array) == #"{"array":"integer"}"#)
    #expect(
      text(Transform<Int>.standard.lossyArray) == #"{"array":{"anyOf":["integer","custom"]}}"#)
    #expect(text(Transform<Date>.epochSeconds.array) == #"{"array":"date epochSeconds"}"#)
    #expect(
      text(Transform<Date>.format("yyyy").array)
        == #"{"array":"date /yyyy/ en_US_POSIX GMT"}"#)
    #expect(
      text(Transform<Double>.decimalFormat(locale: Locale(identifier: "de_DE")))
        == "string number de_DE")
    #expect(
      text(Transform<Int>(.string, read: { _, _ in 0 }, write: { _, _, _ in })) == "custom string")
  }

  static let texts = [
    "integer", "integer 0...255", "string /^a/", #"{"one":["\"a\\\"b\"","1"]}"#, "date oneOf[a,b]",
    #"{"anyOf":["integer",{"array":"any"}]}"#, #"{"optional":{"dictionary":"model ^2"}}"#,
    #"{"cluster":{"tag a":{"model":{"x.y":"integer -1...1"}},"unknown":"any"}}"#,
    #"{"open model":{}}"#,
  ]

  @Test(arguments: texts) func aTextIsParsed(_ text: String) {
    #expect(ValueForm(text: text).text == text)
  }

  @Test(arguments: ["{", "{}", #"{"x":1}"#, "", #"{"array":3}"#])
  func aTextThatIsNoFormIsReadByNoOther(_ text: String) {
    #expect(!ValueForm.string.reads(ValueForm(text: text)))
  }

  @Test(arguments: [
    ("integer 0...9", "unsigned", true), ("integer -1...9", "unsigned", false),
    ("integer 1...9", "integer 0...9", true), ("integer 0...9", "integer 1...9", false),
    ("integer 0...9", "integer 0...8", false), ("integer 0...9", "double", true),
    ("integer", "double", false),
    ("integer -9007199254740991...9007199254740991", "double", true),
    ("integer -9007199254740992...9", "double", false),
    ("integer 0...9007199254740992", "double", false),
  ])
  func integersAreReadIfTheirRangeFits(old: String, new: String, expected: Bool) {
    #expect(ValueForm(text: new).reads(ValueForm(text: old)) == expected)
  }

  /// Each form reads itself, and a form that is read by another one is read by all that
  /// read that one.
  @Test func readingIsReflexiveAndTransitive() {
    let forms =
      (Self.texts + [
        "double", "float", "decimal", "unsigned", "string", "uuid", "date a", "any",
        #"{"array":"integer"}"#, #"{"array":"integer 1...2"}"#, #"{"one":["\"a\""]}"#,
        #"{"model":{"x":"integer"}}"#, #"{"optional":"integer"}"#,
      ]).map { ValueForm(text: $0) }
    for a in forms {
      #expect(a.reads(a))
      for b in forms where b.reads(a) {
        for c in forms where c.reads(b) { #expect(c.reads(a), "\(a.text) \(b.text) \(c.text)") }
      }
    }
  }
}
