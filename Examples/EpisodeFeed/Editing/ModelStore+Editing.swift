import Moho

extension ModelStore {
  /// The episode with an id.
  ///
  /// - Throws: ``FeedError`` of code ``FeedError/Code/noSuchEpisode``, or
  ///   `StoreError`.
  public func episode(_ id: String) throws -> Episode {
    try read { try $0.episode(id) }
  }

  /// Changes the episode with an id, in one transaction.
  ///
  /// - Returns: The names of the changed keys in declaration order. If it is
  ///   empty, nothing was written.
  /// - Throws: The errors of ``episode(_:)`` and of the closure.
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
  /// Changes the title. An untitled episode may stay untitled.
  ///
  /// - Throws: ``FeedError`` of code ``FeedError/Code/invalidEdit`` if the new
  ///   title is empty or only white space.
  public mutating func rename(_ title: String) throws {
    guard title == self.title || !title.allSatisfy(\.isWhitespace) else {
      throw FeedError(.invalidEdit, "the title is empty")
    }
    self.title = title
  }
}

extension StoreReader {
  fileprivate func episode(_ id: String) throws -> Episode {
    guard let episode = try fetchFirst(ModelRequest<Episode>().filter { $0.id == id }) else {
      throw FeedError(.noSuchEpisode, "\"\(id)\"")
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
