import CommandTesting
import EpisodeFeed
import Foundation
import Testing

@Suite struct CompressedFeedTests {
  @Test(
    arguments: [
      ("gzip", [0x1F, 0x8B, 8, 0]), ("zip", [0x50, 0x4B, 3, 4]), ("zip", [0x50, 0x4B, 5, 6]),
      ("zip", [0x50, 0x4B, 7, 8]), ("bzip2", Array("BZh91AY".utf8)),
      ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]), ("zstd", [0x28, 0xB5, 0x2F, 0xFD]),
    ] as [(String, [UInt8])])
  func aCompressedFileIsRefusedByItsFormat(name: String, bytes: [UInt8]) {
    for isLossy in [true, false] {
      let error = #expect(throws: FeedError.self) {
        try Feed(reading: Data(bytes), isLossy: isLossy)
      }

      #expect(error?.code == .compressed)
      #expect(error?.reason == "the file is compressed with \(name): decompress it first")
    }
  }

  @Test(arguments: [[], [0x1F], [0x50, 0x4B], Array("BZ".utf8), [0x28, 0xB5]] as [[UInt8]])
  func shorterFilesAreNotCompressed(bytes: [UInt8]) {
    let error = #expect(throws: FeedError.self) { try Feed(reading: Data(bytes)) }

    #expect(error?.code != .compressed)
  }

  @Test func theCommandNamesTheFile() async throws {
    let folder = try TemporaryFolder()
    let data = try await gzipped(ScreencastItem.three.data, in: folder)
    _ = try folder.file("feed.json.gz", data)

    let result = try await Tool.episodeFeed.run(["import", "feed.json.gz"], in: folder)

    #expect(result.status == 65)
    #expect(
      result.errors.hasPrefix(
        "Error: feed.json.gz: the file is compressed with gzip: decompress it first\n"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("data")))
  }
}
