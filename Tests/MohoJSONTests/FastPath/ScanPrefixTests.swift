import Foundation
import MohoJSON
import MohoMapping
import Testing

/// Texts that end anywhere, in memory that ends with their last byte.
@Suite struct ScanPrefixTests {
  private static let documents = [
    #"{"id":1,"title":"a","unknown":{"a":[1,-2.5e3,true,false,null,"x\u00e9\ud83d\ude00"],"b":{}}}"#,
    "{ \"id\" : 1844674407370955161 ,\n            \"title\":\"Mohorovičić and 語 and 👩‍👧\"}",
    #"{"id":100.0,"media":{"url":"http:\/\/example.com\/\u0041"},"stats":{"count":3},"images":[{},{"url":"u"}]}"#,
    #"{"parts":[{"n":1,"parts":[{"n":2,"at":{"start":0.30000000000000004}}]},{"n":3}],"id":7,"grid":[[1,2],[]]}"#,
    #"{"k\u0069d":0,"tit\u006ce":"eighteen bytes here","place":{"lat":1e2},"note":"n","id":-0,"named":{"a":1,"\u0062":2}}"#,
    #"{"date":"2026-11-20T08:30:00Z","times":{"epoch":1.5},"new":true,"any":[{"a":12345678901234567890.5}],"id":1}"#,
  ]

  @Test(arguments: documents) func everyPrefixIsReadAlike(document: String) {
    let (scanning, parsing) = (
      JSONAdapter<ScannedShow>(), JSONAdapter<ScannedShow>().withoutFastPath
    )
    let text = Array(document.utf8)
    #expect(scanning.isScanned(Data(text)))

    for count in 0...text.count {
      for (before, after) in [("", ""), ("[", ""), ("[", "]"), ("[{},", "")] {
        let prefix = Data(
          exactly: Array(before.utf8) + text.prefix(count) + Array(after.utf8))
        #expect(
          Verdict { try scanning.model(from: prefix) }
            == Verdict { try parsing.model(from: prefix) }, "\(count) bytes")
        #expect(
          Verdict { try scanning.lossyModels(from: prefix) }
            == Verdict { try parsing.lossyModels(from: prefix) }, "\(count) bytes")
      }
    }
  }

  /// A key is compared by words of eight bytes, of which the last one would pass the end.
  @Test func noByteAfterTheTextIsRead() throws {
    // A multiple of the size of pages.
    let size = 1 << 16
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 2 * size, alignment: size)
    defer { memory.deallocate() }
    // Shorter data would be copied.
    let text = Array(#"{"title":"a longer text","id":1}"#.utf8)
    let start = memory + size - text.count
    start.copyMemory(from: text, byteCount: text.count)
    try #require(mprotect(memory + size, size, PROT_NONE) == 0)
    defer { #expect(mprotect(memory + size, size, PROT_READ | PROT_WRITE) == 0) }

    let data = Data(bytesNoCopy: start, count: text.count, deallocator: .none)

    #expect(JSONAdapter<ScannedShow>().isScanned(data))
  }

  /// Every byte at every position.
  @Test(arguments: documents.prefix(3)) func everyByteIsReadAlike(document: String) {
    let (scanning, parsing) = (
      JSONAdapter<ScannedShow>(), JSONAdapter<ScannedShow>().withoutFastPath
    )
    let text = Array(document.utf8)

    for position in text.indices {
      for byte in stride(from: UInt8(0), to: 255, by: position.isMultiple(of: 5) ? 1 : 17) {
        var other = text
        other[position] = byte
        let data = Data(exactly: other)
        #expect(
          Verdict { try scanning.model(from: data) } == Verdict { try parsing.model(from: data) },
          "byte \(byte) at \(position)")
      }
    }
  }

  /// The last bytes of a text are read one by one. The model has no inlined keys, for which an
  /// object is read twice.
  @Test(arguments: ["7", "-1", "0", "12", "1.5", "1.25", "1e2", "2e-1", "12345678"])
  func everyByteAfterTheLastNumberIsReadAlike(number: String) {
    let (scanning, parsing) = (
      JSONAdapter<ScannedPart>(), JSONAdapter<ScannedPart>().withoutFastPath
    )

    for byte in UInt8(0)...255 {
      for (before, after) in [
        (#"{"n":"#, "}"), (#"{"n":"#, "5}"), (#"{"n":1,"at":{"start":"#, "}}"),
      ] {
        let text = Array((before + number).utf8) + [byte] + Array(after.utf8)
        let data = Data(exactly: text)
        #expect(
          Verdict { try scanning.model(from: data) } == Verdict { try parsing.model(from: data) },
          "byte \(byte) in \(before)\(number)")
      }
    }
  }
}
