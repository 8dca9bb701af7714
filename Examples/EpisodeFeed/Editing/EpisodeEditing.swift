import Moho

extension ModelStore {
  /// The episode of an id.
  ///
  /// - Throws: ``FeedError`` of code ``FeedError/Code/noSuchEpisode``,
  ///   `StoreError` where the store cannot be read.
  public func episode(_ id: String) throws -> Episode {
    try read { try $0.episode(id) }
  }

  /// Changes the episode of an id, in one transaction.
  ///
  /// - Returns: The names of the keys whose values differ, in declaration
  ///   order. Where there are none, nothing has been written.
  /// - Throws: As ``episode(_:)``, and what the closure throws.
  public func editEpisode(
    _ id: String, _ edit: (inout Episode) throws -> Void
  ) throws -> [String] {
    try write { writer in
      let stored = try writer.reader.episode(id)
      var episode = stored
      try edit(&episode)
      try writer.save(episode)
      return try stored.changedKeys(to: episode)
    }
  }
}

extension Episode {
  /// Gives the episode another title. An episode that has none may stay so.
  ///
  /// - Throws: ``FeedError`` of code ``FeedError/Code/invalidEdit`` if the new
  ///   title is empty or white space.
  public mutating func rename(_ title: String) throws {
    guard title == self.title || !title.allSatisfy(\.isWhitespace) else {
      throw FeedError(.invalidEdit, "the title is empty")
    }
    self.title = title
  }
}

extension StoreReader {
  fileprivate func episode(_ id: String) throws -> Episode {
    guard let episode = try first(ModelRequest<Episode>().filter { $0.id == id }) else {
      throw FeedError(.noSuchEpisode, "\"\(id)\"")
    }
    return episode
  }
}

extension Episode {
  /// The names of the keys whose values differ, in declaration order.
  func changedKeys(to other: Episode) throws -> [String] {
    let (old, new) = (FieldRecorder(), FieldRecorder())
    try Episode.mapping.encode(self, to: old)
    try Episode.mapping.encode(other, to: new)
    return zip(Episode.mapping.keys, zip(old.contents, new.contents))
      .filter { $1.0 != $1.1 }
      .map { key, _ in key.name }
  }
}
