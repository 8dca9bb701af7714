import Foundation
import MohoJSON
import MohoMapping
import Testing

@Suite struct StreamTests {
  private let adapter = JSONAdapter<TestModel>()

  @Test(arguments: [
    (#"[{"username":"a"}, {"username":"b"}]"#, StreamLayout.rootArray),
    (
      #"{"n":[1],"feed":{"x":{},"items":[{"username":"a"},{"username":"b"}],"y":0}, "z":"]"} "#,
      .array(at: "feed.items")
    ),
    (
      #"[[], [0, [{"username":"a"},{"username":"b"}], 1]]"#,
      .array(at: FieldPath([.index(1), .index(1)]))
    ),
    ("{\"username\":\"a\"}\r\n\n  \n{\"username\":\"b\"}", .lines),
    ("\u{FEFF}{\"username\":\"a\"}\n{\"username\":\"b\"}\n", .lines),
  ])
  func elementsComeInOrder(text: String, layout: StreamLayout) async throws {
    let elements = try await collect(text, as: layout)

    #expect(elements.map(\.index) == [0, 1])
    #expect(try elements.map { try $0.model.name } == ["a", "b"])
  }

  @Test func aBadElementDoesNotEndTheStream() async throws {
    let elements = try await collect(
      "{\"x\":null,\n\"items\":[{\"username\":\"a\"},\n 5, {\"username\":1},{}]}",
      as: .array(at: "items"))

    #expect(elements.map(\.index) == [0, 1, 2, 3])
    #expect(
      elements.compactMap { element in
        if case .failure(let error) = element.result { error.description } else { nil }
      } == [
        "invalid type: number 5, expected object - `TestModel` at /items/1, 3:2",
        "invalid type: number 1, expected string - `TestModel.name` at /items/2/username, 3:17",
      ])
  }

  @Test(arguments: [
    ("[{}, {}", StreamLayout.rootArray, "unexpected end of input at line 1, column 8"),
    ("[{},\n{} x]", .rootArray, #"unexpected "x", expected "," or "]" at line 2, column 4"#),
    ("[{},\n{},]", .rootArray, #"unexpected "]" at line 2, column 4"#),
    ("[{},{}]\n]", .rootArray, #"unexpected "]", expected end of input at line 2, column 1"#),
    ("{}\n{}\n{ ,}", .lines, #"unexpected ",", expected string or "}" at line 3, column 3"#),
    ("{}\n{}\n{}{}", .lines, #"unexpected "{", expected end of input at line 3, column 3"#),
  ])
  func aSyntaxErrorEndsTheStream(text: String, layout: StreamLayout, message: String) async {
    var count = 0

    let error = await #expect(throws: JSONError.self) {
      for try await _ in adapter.elements(from: ByteSequence(text.utf8), as: layout) { count += 1 }
    }

    #expect(error?.description == "invalid JSON: " + message)
    #expect(count == 2)
  }

  @Test(arguments: [
    (#"{"items":5}"#, "invalid type: number 5, expected array - `TestModel` at /items, 1:10"),
    (#" {"items":{"#, "invalid type: object, expected array - `TestModel` at /items, 1:11"),
    ("7", "invalid type: number 7, expected object - `TestModel` at /, 1:1"),
    (#"{"entries":[]}"#, "missing value for `TestModel` at /items"),
  ])
  func aStreamWithoutTheArrayIsAnError(text: String, message: String) async {
    let error = await #expect(throws: MappingError.self) {
      _ = try await collect(text, as: .array(at: "items"))
    }

    #expect(error?.description == message)
  }

  @Test func elementsAreAvailableWithTheirLastByte() async throws {
    let (bytes, source) = AsyncStream.makeStream(of: UInt8.self)
    var elements = adapter.elements(from: bytes).makeAsyncIterator()

    for byte in #"[{"username":"a"}"#.utf8 { source.yield(byte) }
    #expect(try await elements.next()?.model.name == "a")
    for byte in #",{"username":"b"}"#.utf8 { source.yield(byte) }
    #expect(try await elements.next()?.model.name == "b")
  }

  @Test func elementsLargerThanTheLimitAreRefused() async throws {
    let name = String(repeating: "x", count: 300_000)
    let text = #"[{"username":"a"},{"username":"\#(name)"}]"#

    for limit in [1_000, 299_999] {
      let error = await #expect(throws: JSONError.self) {
        for try await _ in adapter.elements(from: ByteSequence(text.utf8), limit: limit) {}
      }
      #expect(error?.code == .elementTooLarge)
      #expect(error?.offset == 18)
    }
    #expect(try await collect(text, as: .rootArray).count == 2)
  }

  @Test func theLimitAppliesToEachElementOfAPart() async throws {
    let text = "[" + Array(repeating: #"{"username":"a"}"#, count: 20).joined(separator: ",") + "]"

    var count = 0
    for try await _ in adapter.elements(from: ByteSequence(text.utf8), limit: 16) { count += 1 }
    #expect(count == 20)

    let error = await #expect(throws: JSONError.self) {
      for try await _ in adapter.elements(from: ByteSequence(text.utf8), limit: 15) {}
    }
    #expect(error?.code == .elementTooLarge)
  }

  @Test func partsOfAFileMayEndAnywhere() async throws {
    let elements = (0..<1_500).map {
      #"{"username":"\u00e9 é 👩‍👧 \#($0)","nested":{"name":"\#($0)"}}"#
    }

    for shift in 0..<50 {
      let text = "[" + String(repeating: " ", count: shift) + elements.joined(separator: ", ") + "]"
      let names = try read(text, as: .rootArray).map { try $0.model.nestedName }
      #expect(names == (0..<1_500).map { "\($0)" }, "shifted by \(shift)")
    }
  }

  private func collect(
    _ text: String, as layout: StreamLayout
  ) async throws -> [StreamedElement<TestModel>] {
    var collected: [StreamedElement<TestModel>] = []
    for try await element in adapter.elements(from: ByteSequence(text.utf8), as: layout) {
      collected.append(element)
    }
    return collected
  }

  private func read(
    _ text: String, as layout: StreamLayout
  ) throws -> [StreamedElement<TestModel>] {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(text.utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    var elements = adapter.elements(from: try FileHandle(forReadingFrom: url), as: layout)
    var collected: [StreamedElement<TestModel>] = []
    while let element = try elements.next() { collected.append(element) }
    return collected
  }
}
