import Foundation
import MohoJSON
import MohoTesting

/// The statuses of a microblog as a JSON array: a file, or generated statuses
/// of about 5 KB with boosts, polls, cards, and attachments of all types.
struct MicroblogDocument {
  /// The name of the server, which the document does not contain.
  static let server = "social.example.com"

  let text: Data
  /// The number of statuses that are not boosts of others.
  let count: Int

  /// Reads a file.
  init(file: URL) throws {
    text = try Data(contentsOf: file)
    count = try JSONDecoder().decode([CodableJSON].self, from: text).count
  }

  /// Generates statuses that depend only on the seed and the number of
  /// statuses. One in four boosts another one, and several can boost the same.
  init(count: Int, seed: UInt64 = 1) {
    var writer = StatusText(accounts: max(count / 8, 1), seed: seed, isVaried: true)
    let boosts = (0..<max(count / 8, 1)).map { number in
      writer.status(count + number, favorites: writer.random.below(5_000))
    }
    let statuses = (0..<count).map { number in
      let boost = writer.random.oneIn(4) ? boosts[writer.random.below(boosts.count)] : "null"
      return writer.status(number, favorites: writer.random.below(5_000), boost: boost)
    }
    text = Data("[\(statuses.joined(separator: ","))]".utf8)
    self.count = count
  }

  private init(text: Data, count: Int) {
    self.text = text
    self.count = count
  }

  /// The adapter of the statuses of this server.
  static var adapter: JSONAdapter<MicroblogStatus> {
    JSONAdapter<MicroblogStatus>().setting(\.server, to: server)
  }

  /// The document with one more favorite of every hundredth status.
  func changed() throws -> MicroblogDocument {
    var statuses = try Self.adapter.models(from: text)
    for index in statuses.indices where index % 100 == 0 { statuses[index].counts.favorites += 1 }
    return MicroblogDocument(text: try Self.adapter.data(from: statuses), count: count)
  }
}
