import Foundation
import MohoJSON
import MohoMapping
import Testing

private struct Note: MappedModel, Equatable {
  var text: String
  var count: Int?
  var named: [String: Int]?
  var any: JSONValue?

  static let mapping = Mapping(
    "Note", Note.init,
    .key("text", \.text), .key("count", \.count, json: "n\0"),
    .key("named", \.named), .key("any", \.any))
}

/// U+0000, which JSON text spells as `\u0000`, in strings and keys.
@Suite struct NULTests {
  private let note = Note(
    text: "a\0b", count: 3, named: ["": 1, "\0": 2, "\0\0": 3, "\u{1}a": 4, "\u{1}": 5],
    any: ["z\0": "\0", "z": [["\0": nil]]])
  private let text =
    #"{"text":"a\u0000b","n\u0000":3,"#
    + #""named":{"":1,"\u0000":2,"\u0000\u0000":3,"\u0001a":4,"\u0001":5},"#
    + #""any":{"z\u0000":"\u0000","z":[{"\u0000":null}]}}"#

  private var adapters: [JSONAdapter<Note>] {
    [JSONAdapter(), JSONAdapter<Note>().withoutFastPath, JSONAdapter(unknownKeyPolicy: .refuse)]
  }

  @Test func modelsAreDecodedOnBothPaths() throws {
    #expect(JSONAdapter<Note>().isScanned(Data(text.utf8)))
    for adapter in adapters {
      #expect(try adapter.model(from: text) == note)
      #expect(try adapter.models(from: "[\(text),\(text)]") == [note, note])
      #expect(
        try adapter.models(from: #"{"a\u0000":[1],"b":[\#(text)]}"#, at: "b") == [note])
      let path = FieldPath([.key("a\0"), .key("b")])
      #expect(try adapter.models(from: #"{"a\u0000":{"b":[\#(text)]}}"#, at: path) == [note])
      #expect(try adapter.model(from: JSONDocument(parsing: text)) == note)
    }
  }

  @Test func textIsWrittenAndReadsBackEqual() throws {
    for adapter in adapters {
      for formatting in [JSONFormatting.compact, .pretty] {
        let data = try adapter.data(from: note, formatting: formatting)
        #expect(try adapter.model(from: data) == note)
      }
    }
    #expect(
      try JSONAdapter<Field<String>>().text(from: Field("a\0b")) == #"{"value":"a\u0000b"}"#)
  }

  @Test(arguments: [1, 2, 7, 1_000])
  func streamsReadItInChunksOfAnySize(size: Int) async throws {
    for (layout, text) in [
      (StreamLayout.rootArray, "[\(text),\(text)]"), (.lines, "\(text)\n\(text)"),
      (.array(at: "b"), #"{"a\u0000":{"\u0000":1},"b":[\#(text),\#(text)],"c\u0000":2}"#),
    ] {
      for adapter in adapters {
        let bytes = Array(text.utf8)
        let chunks = stride(from: 0, to: bytes.count, by: size).map {
          Array(bytes[$0..<min($0 + size, bytes.count)])
        }
        let stream = AsyncStream<[UInt8]> { stream in
          for chunk in chunks { stream.yield(chunk) }
          stream.finish()
        }
        var notes: [Note] = []
        for try await element in adapter.elements(from: stream, as: layout) {
          notes.append(try element.model)
        }
        #expect(notes == [note, note])
      }
    }
  }

  @Test func valuesPreserveMembersAndTheirOrder() throws {
    let text = #"{"b\u0000":1,"a":"\u0000","a\u0000":{"\u0000\u0001":[2]},"a\u0001a":3,"":4}"#
    let document = try JSONDocument(parsing: text)
    let value = try #require(document.value())

    #expect(
      value == ["b\0": 1, "a": "\0", "a\0": ["\0\u{1}": [2]], "a\u{1}a": 3, "": 4])
    #expect(try value.data().text == text)
    #expect(document.value(at: FieldPath([.key("a\0"), .key("\0\u{1}"), .index(0)])) == 2)
    #expect(document.kind(at: FieldPath([.key("a\0\0")])) == nil)
    let large = try JSONDocument(parsing: #"{"\u0000":[18446744073709551615,1,-2.5]}"#)
    #expect(try large.value()?.data().text == #"{"\u0000":[18446744073709551615,1,-2.5]}"#)
  }

  @Test func partialModelsAndArchivesPreserveIt() throws {
    let patch = try JSONAdapter<Note>().partial(from: #"{"text":"\u0000","n\u0000":null}"#)
    #expect(patch.applied(to: note) == Note(text: "\0", named: note.named, any: note.any))
    #expect(
      try JSONAdapter<Note>().text(from: patch) == #"{"text":"\u0000","n\u0000":null}"#)

    let archive = ModelArchive<Note>(version: 1, upgrades: [0: { $0["text"] = "new\0" }])
    #expect(try archive.model(from: archive.data(from: note)) == note)
    let old = Data(#"{"version":0,"model":\#(text)}"#.utf8)
    #expect(try archive.model(from: old).text == "new\0")
  }

  @Test(arguments: [
    (#"{"a\u0000":1,"a\u0000":2}"#, 13), (#"{"a\u0000":1,"b":{"\u0000":1,"\u0000" :2}}"#, 29),
    (#"{"\u0001a":1,"\u0000":2,"\u0001\u0061":3}"#, 24),
  ])
  func twoMembersOfOneKeyAreAnErrorAtTheSecond(text: String, offset: Int) {
    let error = syntaxError(Data(text.utf8))

    #expect(error?.code == .duplicateKey)
    #expect(error?.offset == offset)
    for adapter in adapters {
      let walked = #expect(throws: JSONError.self) { try adapter.models(from: "[\(text)]") }
      #expect(walked?.code == .duplicateKey)
      #expect(walked?.offset == offset + 1)
    }
  }

  @Test func errorsAfterSuchKeysHaveTheirPositions() throws {
    for adapter in adapters {
      let element = #"{"text":"\u0000","n\u0000":"\u0000","any":{"\u0000":1}}"#
      let error = #expect(throws: MappingError.self) {
        try adapter.models(from: "[\(text),\n\(element)]")
      }
      #expect(
        error?.description == #"""
          invalid type: string "\0", expected integer - `Note.count` at /1/n\0, 2:28
          """#)
      let syntax = #expect(throws: JSONError.self) {
        try adapter.models(from: #"[{"text":"","\u0000":1,"\u0001":2,"c" 3}]"#)
      }
      #expect(
        syntax?.description == #"invalid JSON: unexpected "3", expected ":" at line 1, column 39"#)
    }
  }

  @Test func unknownKeysAreReportedWithTheirPositions() throws {
    let error = #expect(throws: MappingError.self) {
      try JSONAdapter<Note>(unknownKeyPolicy: .refuse)
        .model(from: #"{"text":"","\u0000":1,"text\u0000":"\u0000"}"#)
    }

    #expect(error?.errors.map(\.code) == [.unknownKey, .unknownKey])
    #expect(error?.errors.map(\.path?.components) == [[.key("\0")], [.key("text\0")]])
    #expect(error?.errors.map(\.position?.offset) == [20, 35])
    #expect(error?.errors.last?.found == #"string "\0""#)
  }

  @Test(arguments: [
    "[\"a\0\"]", "{\"a\0\":1}", "{\"\\u0000\":1,\"a\0\":1}", "{\"\\u0000\":1}\0", "[\0]", "[1\0]",
    #"["\u000"]"#, #"["\u00000"#, #"{"\u0000"}"#,
  ])
  func nulBytesAndInvalidEscapesAreErrors(text: String) {
    #expect(syntaxError(Data(text.utf8)) != nil)
    #expect(throws: JSONError.self) { try JSONAdapter<Note>().models(from: text) }
  }

  /// Keys of the characters that the parser's text replaces, in every combination.
  @Test func similarKeysAreDistinguished() throws {
    let characters = ["\\u0000", "\\u0001", "a", "b", "\\\\"]
    var keys = [""]
    for _ in 0..<3 { keys += keys.flatMap { key in characters.map { key + $0 } } }
    keys = Array(Set(keys)).sorted()
    let text = "{" + keys.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",") + "}"

    let value = try #require(try JSONDocument(parsing: text).value())

    #expect(try value.data().text == text)
    let scanned = try Field<[String: Int]>.decode(#"{"value":\#(text)}"#)
    #expect(scanned.count == keys.count)
  }
}
