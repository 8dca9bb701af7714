import Foundation
import MohoJSON

/// Encodes an array of episodes: Moho, a writer made for them alone, and
/// Foundation. The checksum is the
/// number of bytes: keys stand in another order.
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

  /// Throws where what Moho writes does not read back equal by Foundation.
  func check() throws {
    let data = try JSONAdapter<FeedEpisode>().data(from: input.models)
    let models = try FeedInput.decoder.decode([CodableEpisode].self, from: data).map(\.model)
    guard models == input.models else {
      throw ChecksumMismatch(description: "the encoded episodes do not read back equal")
    }
  }
}
