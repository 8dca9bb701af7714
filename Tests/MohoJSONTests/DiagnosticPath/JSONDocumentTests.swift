import Foundation
import MohoJSON
import MohoMapping
import Testing

@Suite struct JSONDocumentTests {
  @Test(
    arguments: [
      ("null", nil), ("true", true), ("false", false),
      ("-9223372036854775808", -9_223_372_036_854_775_808),
      ("1e2", 100.0), ("-0.5", -0.5), (#""aéA""#, "aéA"), ("[]", []), ("{}", [:]),
      (#"{"b":[1,{"c":null}],"a":""}"#, ["b": [1, ["c": nil]], "a": ""]),
    ] as [(String, JSONValue)])
  func anyRootIsAValue(text: String, value: JSONValue) throws {
    #expect(try JSONDocument(parsing: text).value() == value)
  }

  @Test func objectsKeepTheOrderOfTheirMembers() throws {
    let keys = (0..<500).map { "key\($0 * 7919 % 500)" }
    let text = "{" + keys.map { "\"\($0)\":1" }.joined(separator: ",") + "}"

    guard case .object(let members)? = try JSONDocument(parsing: text).value() else {
      Issue.record("no object")
      return
    }
    #expect(members.map(\.key) == keys)
  }

  @Test func pathsLeadThroughObjectsAndArrays() throws {
    let document = try JSONDocument(
      parsing: #"{"a":{"b":[{"c":1},[2,3]]},"a.b":4,"":5,"n":null}"#)

    #expect(document.value(at: "a.b[0].c") == 1)
    #expect(document.value(at: "a.b[1][1]") == 3)
    #expect(document.value(at: #"a\.b"#) == 4)
    #expect(document.value(at: FieldPath([.key("")])) == 5)
    #expect(document.value(at: "n.x") == JSONValue.null)
    #expect(document.value(at: "a.b[2]") == nil)
    #expect(document.value(at: FieldPath([.key("a"), .key("b"), .index(-1)])) == nil)
    #expect(document.value(at: "a.b.c") == nil)
    #expect(document.value(at: "x") == nil)
    #expect(document.value(at: FieldPath([.key("a\0")])) == nil)
  }

  @Test func kindsAreKnownWithoutCopying() throws {
    let document = try JSONDocument(parsing: #"{"a":[1,1.5,"",true,null,{}]}"#)

    let kinds = (0..<7).map { document.kind(at: FieldPath([.key("a"), .index($0)])) }
    #expect(kinds == [.integer, .number, .string, .bool, .null, .object, nil])
    #expect(document.kind() == .object)
    #expect(document.kind(at: "a") == .array)
  }

  @Test func aByteOrderMarkIsSkipped() throws {
    #expect(try JSONDocument(parsing: "\u{FEFF}[1]").value() == [1])
    #expect(syntaxError(Data("[\u{FEFF}1]".utf8))?.column == 2)
  }

  @Test func slicesOfDataAreRead() throws {
    let data = Data("xx[1]yy".utf8)

    #expect(try JSONDocument(parsing: data[2..<5]).value() == [1])
  }

  @Test func aDocumentIsReadByManyTasksAtATime() async throws {
    let text = "[" + (0..<200).map { #"{"username":"n\#($0)"}"# }.joined(separator: ",") + "]"
    let document = try JSONDocument(parsing: text)
    let adapter = JSONAdapter<TestModel>()

    try await withThrowingTaskGroup(of: [TestModel].self) { group in
      for _ in 0..<8 { group.addTask { try adapter.models(from: document) } }
      for try await models in group { #expect(models.last?.name == "n199") }
    }
  }

  @Test(arguments: ["[1\u{0}]", "[true\u{0},1]", "{\"a\":[1\u{0} ]}", "1\u{0}", "[\u{0}1]"])
  func nulBytesAreNotWhitespace(text: String) {
    #expect(throws: JSONError.self) { try JSONDocument(parsing: text) }
    #expect(throws: JSONError.self) {
      _ = try JSONAdapter<TestModel>().models(from: Data(text.utf8))
    }
  }

  @Test(arguments: [2046, 2047, 2048])
  func elementsMayBeAsDeepAsInADocument(depth: Int) {
    let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let data = Data("[{\"more\":\(nested)}]".utf8)

    let isDocument = (try? JSONDocument(parsing: data)) != nil

    #expect(isDocument == (depth <= 2046))
    #expect(((try? JSONAdapter<TestModel>().models(from: data)) != nil) == isDocument)
  }
}
