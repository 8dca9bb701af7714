import Foundation
import MohoJSON
import MohoMapping
import Testing

@Suite struct ChunkTests {
  private let adapter = JSONAdapter<TestModel>()

  private static let documents: [(String, StreamLayout)] = [
    (#"[{"username":"a"}, {"username":"é"},5]"#, .rootArray),
    (
      "\u{FEFF}{\"x\":[{}],\"i\":[{\"username\":\"]\\\"👩\"}, 18446744073709551616 ]}",
      .array(at: "i")
    ),
    ("{\"username\":\"a\"}\r\n\n{\"username\":1}\n{}", .lines),
    ("[{},\n{} x]", .rootArray), ("[{}, {", .rootArray), ("{}\n{,}", .lines), ("", .rootArray),
    (#"{"i":1e2}"#, .array(at: "i")),
  ]

  /// The elements and errors of a stream as text.
  private func outcome<Elements: AsyncSequence>(_ elements: Elements) async -> [String]
  where Elements.Element == StreamedElement<TestModel> {
    var found: [String] = []
    do {
      for try await element in elements {
        switch element.result {
        case .success(let model): found.append("\(element.index) \(model)")
        case .failure(let error): found.append("\(element.index) \(error)")
        }
      }
    } catch {
      found.append("\(error)")
    }
    return found
  }

  @Test func chunksMayEndAnywhere() async {
    for (text, layout) in Self.documents {
      let bytes = Array(text.utf8)
      let expected = await outcome(adapter.elements(from: ByteSequence(bytes), as: layout))
      #expect(!expected.isEmpty)
      for first in 0...bytes.count {
        for second in first...bytes.count {
          let chunks = [bytes[..<first], bytes[first..<second], bytes[second...]]
          let found = await outcome(adapter.elements(from: Chunks(chunks), as: layout))
          #expect(found == expected, "\(text) split at \(first) and \(second)")
        }
      }
    }
  }

  @Test func chunksMayBeAnySequenceOfBytes() async {
    let (text, layout) = Self.documents[0]
    let expected = await outcome(adapter.elements(from: ByteSequence(text.utf8), as: layout))

    for size in 1...9 {
      let data = Data(text.utf8)
      let parts = stride(from: 0, to: data.count, by: size).map {
        data[$0..<min($0 + size, data.count)]
      }
      #expect(await outcome(adapter.elements(from: Chunks(parts), as: layout)) == expected)
      let lazy = parts.map { $0.lazy.map { $0 } }
      #expect(await outcome(adapter.elements(from: Chunks(lazy), as: layout)) == expected)
    }
  }

  @Test func elementsAreAvailableWithTheChunkOfTheirLastByte() async throws {
    let (chunks, source) = AsyncStream.makeStream(of: Data.self)
    var elements = adapter.elements(from: chunks).makeAsyncIterator()

    source.yield(Data(#"[{"username":"a"},{"use"#.utf8))
    #expect(try await elements.next()?.model.name == "a")
    source.yield(Data())
    source.yield(Data(#"rname":"b"}"#.utf8))
    #expect(try await elements.next()?.model.name == "b")
  }

  @Test func elementsInManyChunksAreDecodedOnce() async throws {
    let name = String(repeating: "x", count: 2_000_000)
    let bytes = Array(#"[{"username":"\#(name)"}]"#.utf8)
    let chunks = stride(from: 0, to: bytes.count, by: 100).map {
      bytes[$0..<min($0 + 100, bytes.count)]
    }

    let found = await outcome(adapter.elements(from: Chunks(chunks)))

    #expect(found.count == 1)
  }

  @Test func elementsLargerThanTheLimitAreRefused() async throws {
    let text = #"[{"username":"a"},{"username":"\#(String(repeating: "x", count: 3_000))"}]"#

    let error = await #expect(throws: JSONError.self) {
      for try await _ in adapter.elements(from: Chunks([Array(text.utf8)]), limit: 1_000) {}
    }

    #expect(error?.code == .elementTooLarge)
    #expect(error?.offset == 18)
  }

  @Test func whitespaceBeforeAnElementDoesNotCountTowardsTheLimit() async {
    let spaces = String(repeating: " ", count: 100)
    let parts = [#"[{"username":"a"},"# + spaces, #"{"username":"b"}]"#].map { Array($0.utf8) }

    let found = await outcome(adapter.elements(from: Chunks(parts), limit: 50))

    #expect(found.count == 2)
    #expect(await outcome(adapter.elements(from: Chunks(parts))) == found)
  }
}

/// A sequence of chunks.
private struct Chunks<Chunk: Sequence<UInt8>>: AsyncSequence {
  let chunks: [Chunk]

  init(_ chunks: [Chunk]) { self.chunks = chunks }

  func makeAsyncIterator() -> Iterator { Iterator(rest: chunks[...]) }

  struct Iterator: AsyncIteratorProtocol {
    var rest: ArraySlice<Chunk>

    mutating func next() async -> Chunk? { rest.popFirst() }
  }
}
