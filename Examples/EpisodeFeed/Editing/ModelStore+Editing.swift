import Moho
import TextTables

extension ModelStore {
  /// The episode with an id.
  ///
  /// - Parameter podcast: The title of the podcast; nil if only one podcast has
  ///   the id.
  /// - Throws: ``FeedError`` of code ``FeedError/Code/noSuchEpisode`` or
  ///   ``FeedError/Code/severalEpisodes``, or `StoreError`.
  public func episode(_ id: String, of podcast: String? = nil) throws -> Episode {
    try read { try $0.episode(id, of: podcast) }
  }

  /// Changes the episode with an id, in one transaction.
  ///
  /// - Returns: The names of the changed keys in declaration order. If it is
  ///   empty, nothing was written.
  /// - Throws: The errors of ``episode(_:of:)`` and of the closure.
  public func editEpisode(
    _ id: String, of podcast: String? = nil, _ edit: (inout Episode) throws -> Void
  ) throws -> [String] {
    try write { writer in
      let stored = try writer.reader.episode(id, of: podcast)
      var episode = stored
      try edit(&episode)
      try writer.save(episode)
      return try stored.changedKeys(to: episode)
    }
  }
}

extension Episode {
  /// The maximum number of Unicode scalars of a title that a user enters.
  public static let titleLimit = 500

  /// Changes the title. A title of a feed may stay as it is, even if a user may
  /// not enter it.
  ///
  /// - Throws: ``FeedError`` of code ``FeedError/Code/invalidEdit`` if the new
  ///   title has no visible characters, is longer than ``titleLimit``, or
  ///   contains U+0000.
  public mutating func rename(_ title: String) throws {
    guard title != self.title else { return }
    guard !VisibleText.isBlank(title) else { throw FeedError(.invalidEdit, "the title is empty") }
    // PostgreSQL does not store the character, and C strings end at it.
    guard !title.unicodeScalars.contains("\0") else {
      throw FeedError(.invalidEdit, "the title contains the character U+0000")
    }
    let length = title.unicodeScalars.count
    guard length <= Self.titleLimit else {
      throw FeedError(
        .invalidEdit,
        "the title has \(length) characters, and at most \(Self.titleLimit) are allowed")
    }
    self.title = title
  }
}

extension StoreReader {
  fileprivate func episode(_ id: String, of podcast: String?) throws -> Episode {
    var request = ModelRequest<Episode>().filter { $0.id == id }.order(by: \.podcast)
    if let podcast { request = request.filter { $0.podcast == podcast } }
    let episodes = try fetch(request)
    guard let episode = episodes.first else {
      throw FeedError(.noSuchEpisode, VisibleText.quoted(id))
    }
    guard episodes.count == 1 else {
      throw FeedError(
        .severalEpisodes, "\(episodes.count) podcasts have an episode \(VisibleText.quoted(id))",
        episodes.map { "\(VisibleText.quoted($0.title)) of \(VisibleText.quoted($0.podcast))" })
    }
    return episode
  }
}

extension Episode {
  /// The names of the keys whose values differ, in declaration order.
  func changedKeys(to edited: Episode) throws -> [String] {
    let (old, new) = (FieldRecorder(), FieldRecorder())
    try Episode.mapping.encode(self, to: old)
    try Episode.mapping.encode(edited, to: new)
    return zip(Episode.mapping.keys, zip(old.contents, new.contents))
      .filter { $1.0 != $1.1 }
      .map { key, _ in key.name }
  }
}
