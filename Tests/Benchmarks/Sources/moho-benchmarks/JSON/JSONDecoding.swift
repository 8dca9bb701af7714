import CFloors
import Foundation
import MohoJSON

/// Decodes an array of episodes: Moho, a C program with
/// Jansson, and Foundation.
struct JSONDecoding {
  let input: FeedInput

  var contenders: [Contender] {
    let prepare = { _ = input.data }
    let adapter = JSONAdapter<FeedEpisode>()
    return [
      Contender(name: "Moho", prepare: prepare) {
        try adapter.models(from: input.data).reduce(into: 0.0) { $0 += $1.checksum }
      },
      Contender(name: "C, Jansson element by element", prepare: prepare) {
        input.data.withUnsafeBytes { bytes in
          floor_decode_episodes(bytes.baseAddress, bytes.count)
        }
      },
      Contender(name: "JSONDecoder, Codable", prepare: prepare) {
        try FeedInput.decoder.decode([CodableEpisode].self, from: input.data)
          .reduce(into: 0.0) { $0 += $1.checksum }
      },
      Contender(name: "Moho, streamed from a file", prepare: prepare) {
        let file = try FileHandle(forReadingFrom: input.file)
        defer { try? file.close() }
        var checksum = 0.0
        var elements = adapter.elements(from: file)
        while let element = try elements.next() { checksum += try element.model.checksum }
        return checksum
      },
    ]
  }
}
