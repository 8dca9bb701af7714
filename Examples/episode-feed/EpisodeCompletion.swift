import ArgumentParser
import CommandSupport
import EpisodeFeed
import Foundation
import Moho
import TextTables

/// Completes arguments with the data of the store that a command line selects.
enum EpisodeCompletion {
  /// The ids of episodes, the newest first.
  static let ids = CompletionKind.custom { words, index, _ in
    values(words) { store in
      let prefix = words.indices.contains(index) ? words[index] : ""
      let request = ModelRequest<Episode>().filter { $0.id.hasPrefix(prefix) }
        .order(by: \.publishedAt, .descending).limit(limit)
      return try store.fetch(request).map(\.id)
    }
  }

  /// The titles of podcasts.
  static let podcasts = CompletionKind.custom { words, _, _ in
    values(words) { store in
      var titles: Set<String> = []
      try store.read { reader in
        try reader.forEachBatch(of: ModelRequest<Episode>().batchSize(1_000)) { batch in
          titles.formUnion(batch.map(\.podcast))
        }
      }
      return titles.sorted()
    }
  }

  /// The titles of remembered feeds.
  static let feeds = CompletionKind.custom { words, _, _ in
    values(words) { Set(try $0.subscriptions().map(\.podcast)).sorted() }
  }

  /// The maximum number of candidates, and the maximum length of a candidate.
  private static let limit = 200

  /// The candidates; empty if the store does not exist or cannot be read.
  private static func values(
    _ words: [String], _ read: (ModelStore) throws -> [String]
  ) -> [String] {
    guard let store = StoreOptions<EpisodeStore>.existingStore(selectedBy: words) else {
      return []
    }
    return ((try? read(store)) ?? []).filter(isSafe)
  }

  /// Whether shells take a candidate literally. Bash expands candidates, so
  /// that the id of a feed could run a command.
  static func isSafe(_ candidate: String) -> Bool {
    func isPlain(_ character: Character) -> Bool { character.isLetter || character.isNumber }
    guard let first = candidate.first, isPlain(first), candidate.count <= limit,
      VisibleText.escaped(candidate) == candidate
    else { return false }
    return candidate.allSatisfy { isPlain($0) || " ._/@%+=-".contains($0) }
  }
}
