import Foundation
import MohoJSON
import MohoMapping
import Testing

@Suite struct StreamMemoryTests {
  // 64 MB of text, of which a stream has 64 KB and its buffers in memory.
  @Test(.enabled(if: residentMemory != nil, "the resident memory is not known"))
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
    // Other tests run in the same process and take memory as well, but not all
    // the time. A stream that kept the text would take 6 MB a tenth.
    var memory: [Int] = []
    var count = 0
    while let element = try elements.next() {
      if try element.model.name == "\(count)" { count += 1 }
      if count % 1_600 == 0 { memory.append(try #require(residentMemory)) }
    }
    let growths = zip(memory.dropFirst(), memory).map { $0 - $1 }

    #expect(count == 16_000)
    #expect(growths.sorted()[2] < 3_000_000, "\(growths)")
  }
}
