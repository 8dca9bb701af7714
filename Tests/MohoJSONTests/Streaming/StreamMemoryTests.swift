import Foundation
import MohoJSON
import MohoMapping
import Testing

@Suite struct StreamMemoryTests {
  // 64 MB of text, of which a stream holds a part of 64 KB, and its buffers.
  @Test(.enabled(if: residentMemory != nil))
  func aLargeStreamIsReadInBoundedMemory() async throws {
    let adapter = JSONAdapter<TestModel>()
    let pipe = Pipe()
    let writer = Thread { [count = 16_000] in
      let padding = String(repeating: "x", count: 4_000)
      for number in 0..<count {
        let element = #"{"username":"\#(number)","more":"\#(padding)"}"#
        let separator = number == 0 ? "[" : ","
        pipe.fileHandleForWriting.write(Data((separator + element).utf8))
      }
      pipe.fileHandleForWriting.write(Data("]".utf8))
      try? pipe.fileHandleForWriting.close()
    }
    writer.start()

    var elements = adapter.elements(from: pipe.fileHandleForReading)
    var before = 0
    var count = 0
    while let element = try elements.next() {
      if try element.model.name == "\(count)" { count += 1 }
      if count == 1_000 { before = try #require(residentMemory) }
    }
    let after = try #require(residentMemory)

    #expect(count == 16_000)
    #expect(after - before < 40_000_000)
  }
}
