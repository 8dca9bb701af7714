import Foundation
import MohoJSON

/// Encodes an array of episodes: Moho, a writer specialized for this type, and
/// Foundation. The checksum is the number of bytes, because the order of keys
/// differs.
struct JSONEncoding {
  let input: FeedInput

  var contenders: [Contender] {
    let adapter = JSONAdapter<FeedEpisode>()
    return [
      Contender(name: "Moho", prepare: { _ = input.models }) {
        Double(try adapter.data(from: input.models).count)
      },
      Contender(name: "Swift, a straight-line writer", prepare: { _ = input.models }) {
        Double(StraightLineWriter.data(input.models).count)
      },
      Contender(name: "JSONEncoder, Codable", prepare: { _ = input.codables }) {
        Double(try FeedInput.encoder.encode(input.codables).count)
      },
    ]
  }

  /// Throws an error if Foundation decodes the output of Moho to different
  /// episodes.
  func check() throws {
    let data = try JSONAdapter<FeedEpisode>().data(from: input.models)
    let models = try FeedInput.decoder.decode([CodableEpisode].self, from: data).map(\.model)
    guard models == input.models else {
      throw ChecksumMismatch(description: "the decoded episodes differ from the encoded ones")
    }
  }
}
