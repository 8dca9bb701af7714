import Foundation
import MohoJSON
import MohoMapping
import Testing

/// The conformance cases of basic decoding, types and errors.
@Suite struct DecodingConformanceTests {
  @Test func nilIsWrittenAsNullByTheExplicitPolicy() throws {
    #expect(
      try Case.encode(Case.T.make(count: 5), nullPolicy: .null)
        == #"{"username":null,"count":"5","nested":{"name":null}}"#)
  }

  @Test func everyKeyIsReadNestedOnesToo() throws {
    #expect(
      try Case.decode(#"{"username":"foo","nested":{"name":"bar"},"count":"0"}"#)
        == Case.T.make(name: "foo", count: 0, nestedName: "bar"))
  }

  @Test func aPathThatLeadsIntoTextIsAnErrorWithItsPath() {
    let error = Case.error(#"{"username":"foo","nested":"bar","count":"0"}"#, as: Case.T.self)
    #expect(error?.code == .invalidType)
    #expect(error?.path?.pointer == "/nested")
    #expect(error?.found == "string \"bar\"")
  }

  @Test func unknownKeysAreIgnoredAtEveryLevel() throws {
    let json = #"""
      {"foobar":"foo","count":"2","_":null,"username":"buzz",
       "nested":{"name":"bar","stuffToIgnore":5,"moreNonsense":null}}
      """#
    #expect(try Case.decode(json) == Case.T.make(name: "buzz", count: 2, nestedName: "bar"))
  }

  @Test(arguments: ["", " ", "\n\t"])
  func noDocumentIsAnError(json: String) {
    #expect(throws: JSONError.self) { try Case.decode(json, as: Case.T.self) }
  }

  @Test(arguments: [("[]", "array"), ("5", "number 5"), ("true", "true"), ("null", "null")])
  func aRootOfAnotherTypeIsAnErrorThatNamesIt(json: String, found: String) {
    #expect(Case.error(json, as: Case.T.self)?.found == found)
  }

  @Test func aTransformOfOnesOwnMayBeLenient() throws {
    #expect(try Case.decode(#"{"count":"abc"}"#) == Case.T.make(count: 0))
  }

  @Test func absenceTakesTheDefaultNullDoesNot() throws {
    #expect(try Case.decode("{}", as: Case.WithDefault.self).name == "x")
    #expect(try Case.decode(#"{"name":null}"#, as: Case.WithDefault.self).name == nil)
  }

  @Test func aMissingLeafOfANestedPathIsNil() throws {
    #expect(try Case.decode(#"{"nested":{}}"#, as: Case.T.self).nestedName == nil)
  }

  @Test func nullOnTheWayIsNullAnotherTypeIsAnErrorAbsenceIsAbsence() throws {
    #expect(try Case.decode(#"{"a":{"b":null}}"#, as: Case.Deep.self).value == nil)
    #expect(try Case.decode(#"{"a":{}}"#, as: Case.Deep.self).value == nil)
    #expect(Case.error(#"{"a":{"b":3}}"#, as: Case.Deep.self)?.path?.pointer == "/a/b")
  }

  @Test func aKeyWithADotIsWrittenWithAnEscape() throws {
    let mapping = Mapping(
      "Str", Case.Str.init, .key("string", \.string, json: #"optional\.detail.name"#))
    let json = Data(#"{"optional.detail":{"name":"Test"}}"#.utf8)
    let adapter = JSONAdapter(mapping)

    #expect(try adapter.model(from: json).string == "Test")
    #expect(try adapter.data(from: Case.Str(string: "Test")) == json)
  }

  @Test func aPathInsideAnotherIsADeclarationErrorThatNamesBothKeys() {
    let mapping = Mapping(
      "U", Case.U.init, .key("a", \.url, json: "x"), .key("b", \.otherURL, json: "x.y"))
    #expect(
      mapping.issues.map(\.description) == [
        "`a` is mapped to `x` and `b` to `x.y`: one path is inside the other"
      ])
  }

  @Test(arguments: ["", "a..b", ".a", "a."])
  func anEmptyComponentIsADeclarationError(path: String) {
    let mapping = Mapping("Str", Case.Str.init, .key("string", \.string, json: path))
    let error = #expect(throws: MappingError.self) {
      try JSONAdapter(mapping).model(from: Data("{}".utf8))
    }
    #expect(error?.code == .invalidDeclaration)
  }

  @Test func urlsAreReadByTheirTypeAndByAnExplicitTransform() throws {
    let json = #"{"URL":"http://github.com/1","otherURL":"http://github.com/2"}"#
    let urls = try Case.decode(json, as: Case.U.self)
    #expect(urls.url?.absoluteString == "http://github.com/1")
    #expect(urls.otherURL?.absoluteString == "http://github.com/2")
  }

  @Test func uuidsAreRead() throws {
    let (one, other) = (
      "D278C472-6DC3-4EE1-A947-861E6AF311C3", "24E1E56A-3F37-4ECE-8310-931F6ACD401A"
    )
    let ids = try Case.decode(#"{"UUID":"\#(one)","otherUUID":"\#(other)"}"#, as: Case.ID.self)
    #expect([ids.uuid.uuidString, ids.otherUUID?.uuidString] == [one, other])
  }

  @Test func aBoolIsWrittenAsATruthValue() throws {
    #expect(try Case.encode(Case.B(flag: false)) == #"{"flag":false}"#)
  }

  @Test func aNumberThatIsNotURLIsAnErrorWithTheNumber() {
    let error = Case.error(#"{"URL":666}"#, as: Case.U.self)
    #expect(error?.found == "number 666")
    #expect(error?.path?.pointer == "/URL")
  }

  @Test func aNumberThatIsNotTextIsAnErrorWithTheNumber() {
    #expect(Case.error(#"{"string":666}"#, as: Case.Str.self)?.found == "number 666")
  }

  @Test func onePolicyDecidesHowNilIsWrittenWhateverTheType() throws {
    #expect(try Case.encode(Case.U()) == "{}")
    #expect(try Case.encode(Case.Str()) == "{}")
    #expect(try Case.encode(Case.U(), nullPolicy: .null) == #"{"URL":null,"otherURL":null}"#)
    #expect(try Case.encode(Case.Str(), nullPolicy: .null) == #"{"string":null}"#)
  }

  @Test func fractionsAndTrueAreNotIntegersButExponentsMayBe() throws {
    #expect(Case.error(#"{"n":3.7}"#, as: Case.Number.self)?.code == .invalidType)
    #expect(Case.error(#"{"n":true}"#, as: Case.Number.self)?.code == .invalidType)
    #expect(try Case.decode(#"{"n":1e2}"#, as: Case.Number.self).n == 100)
  }

  @Test func anElementOfAnotherTypeIsAnErrorWithItsPath() {
    #expect(Case.error(#"{"tags":["a",1]}"#, as: Case.Tags.self)?.path?.pointer == "/tags/1")
  }
}
