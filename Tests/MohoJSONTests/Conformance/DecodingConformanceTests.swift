import Foundation
import MohoJSON
import MohoMapping
import Testing

/// The conformance cases of basic decoding, types and errors.
@Suite struct DecodingConformanceTests {
  @Test("M-002: nil is written as null by the explicit policy")
  func m002() throws {
    #expect(
      try Case.encode(Case.T.make(count: 5), nullPolicy: .null)
        == #"{"username":null,"count":"5","nested":{"name":null}}"#)
  }

  @Test("M-004: every key is read, nested ones too")
  func m004() throws {
    #expect(
      try Case.decode(#"{"username":"foo","nested":{"name":"bar"},"count":"0"}"#)
        == Case.T.make(name: "foo", count: 0, nestedName: "bar"))
  }

  @Test("M-006: a path that leads into text is an error with its place")
  func m006() {
    let error = Case.error(#"{"username":"foo","nested":"bar","count":"0"}"#, as: Case.T.self)
    #expect(error?.code == .invalidType)
    #expect(error?.path?.pointer == "/nested")
    #expect(error?.found == "string \"bar\"")
  }

  @Test("M-008: unknown keys are ignored at every level")
  func m008() throws {
    let json = #"""
      {"foobar":"foo","count":"2","_":null,"username":"buzz",
       "nested":{"name":"bar","stuffToIgnore":5,"moreNonsense":null}}
      """#
    #expect(try Case.decode(json) == Case.T.make(name: "buzz", count: 2, nestedName: "bar"))
  }

  @Test("M-010: no document is an error", arguments: ["", " ", "\n\t"])
  func m010(json: String) {
    #expect(throws: JSONError.self) { try Case.decode(json, as: Case.T.self) }
  }

  @Test(
    "M-012: a root of another type is an error that names it",
    arguments: [("[]", "array"), ("5", "number 5"), ("true", "true"), ("null", "null")])
  func m012(json: String, found: String) {
    #expect(Case.error(json, as: Case.T.self)?.found == found)
  }

  @Test("M-014: a transform of one's own may be lenient")
  func m014() throws {
    #expect(try Case.decode(#"{"count":"abc"}"#) == Case.T.make(count: 0))
  }

  @Test("M-016: absence takes the default, null does not")
  func m016() throws {
    #expect(try Case.decode("{}", as: Case.WithDefault.self).name == "x")
    #expect(try Case.decode(#"{"name":null}"#, as: Case.WithDefault.self).name == nil)
  }

  @Test("M-018: a missing leaf of a nested path is nil")
  func m018() throws {
    #expect(try Case.decode(#"{"nested":{}}"#, as: Case.T.self).nestedName == nil)
  }

  @Test("M-020: null on the way is null, another type is an error, absence is absence")
  func m020() throws {
    #expect(try Case.decode(#"{"a":{"b":null}}"#, as: Case.Deep.self).value == nil)
    #expect(try Case.decode(#"{"a":{}}"#, as: Case.Deep.self).value == nil)
    #expect(Case.error(#"{"a":{"b":3}}"#, as: Case.Deep.self)?.path?.pointer == "/a/b")
  }

  @Test("M-022: a key with a dot is written with an escape")
  func m022() throws {
    let mapping = Mapping(
      "Str", Case.Str.init, .key("string", \.string, json: #"optional\.detail.name"#))
    let json = Data(#"{"optional.detail":{"name":"Test"}}"#.utf8)
    let adapter = JSONAdapter(mapping)

    #expect(try adapter.model(from: json).string == "Test")
    #expect(try adapter.data(from: Case.Str(string: "Test")) == json)
  }

  @Test("M-024: a path inside another is a declaration error that names both keys")
  func m024() {
    let mapping = Mapping(
      "U", Case.U.init, .key("a", \.url, json: "x"), .key("b", \.otherURL, json: "x.y"))
    #expect(
      mapping.issues.map(\.description) == [
        "`a` is mapped to `x` and `b` to `x.y`: one path is inside the other"
      ])
  }

  @Test("M-026: an empty component is a declaration error", arguments: ["", "a..b", ".a", "a."])
  func m026(path: String) {
    let mapping = Mapping("Str", Case.Str.init, .key("string", \.string, json: path))
    let error = #expect(throws: MappingError.self) {
      try JSONAdapter(mapping).model(from: Data("{}".utf8))
    }
    #expect(error?.code == .invalidDeclaration)
  }

  @Test("M-034: URLs are read by their type and by an explicit transform")
  func m034() throws {
    let json = #"{"URL":"http://github.com/1","otherURL":"http://github.com/2"}"#
    let urls = try Case.decode(json, as: Case.U.self)
    #expect(urls.url?.absoluteString == "http://github.com/1")
    #expect(urls.otherURL?.absoluteString == "http://github.com/2")
  }

  @Test("M-036: UUIDs are read")
  func m036() throws {
    let (one, other) = (
      "D278C472-6DC3-4EE1-A947-861E6AF311C3", "24E1E56A-3F37-4ECE-8310-931F6ACD401A"
    )
    let ids = try Case.decode(#"{"UUID":"\#(one)","otherUUID":"\#(other)"}"#, as: Case.ID.self)
    #expect([ids.uuid.uuidString, ids.otherUUID?.uuidString] == [one, other])
  }

  @Test("M-038: a Bool is written as a truth value")
  func m038() throws {
    #expect(try Case.encode(Case.B(flag: false)) == #"{"flag":false}"#)
  }

  @Test("M-040: a number that is no URL is an error with the number")
  func m040() {
    let error = Case.error(#"{"URL":666}"#, as: Case.U.self)
    #expect(error?.found == "number 666")
    #expect(error?.path?.pointer == "/URL")
  }

  @Test("M-042: a number that is no text is an error with the number")
  func m042() {
    #expect(Case.error(#"{"string":666}"#, as: Case.Str.self)?.found == "number 666")
  }

  @Test("M-048: one policy decides how nil is written, whatever the type")
  func m048() throws {
    #expect(try Case.encode(Case.U()) == "{}")
    #expect(try Case.encode(Case.Str()) == "{}")
    #expect(try Case.encode(Case.U(), nullPolicy: .null) == #"{"URL":null,"otherURL":null}"#)
    #expect(try Case.encode(Case.Str(), nullPolicy: .null) == #"{"string":null}"#)
  }

  @Test("M-050: 3.7 and true are no integers, 1e2 is 100")
  func m050() throws {
    #expect(Case.error(#"{"n":3.7}"#, as: Case.Number.self)?.code == .invalidType)
    #expect(Case.error(#"{"n":true}"#, as: Case.Number.self)?.code == .invalidType)
    #expect(try Case.decode(#"{"n":1e2}"#, as: Case.Number.self).n == 100)
  }

  @Test("M-052: an element of another type is an error with its place")
  func m052() {
    #expect(Case.error(#"{"tags":["a",1]}"#, as: Case.Tags.self)?.path?.pointer == "/tags/1")
  }
}
