import Moho

/// A heading and the episodes below it.
public struct EpisodeSection: Sendable {
  /// The heading; nil in a list without sections, and if the section continues
  /// that of the batch before.
  public var heading: String?
  /// The rows.
  public var rows: [Row]

  /// An episode and its mark.
  public struct Row: Sendable {
    /// The episode.
    public var episode: Episode
    /// The mark before the episode; empty without one.
    public var mark = ""
  }
}

extension EpisodeList {
  /// Fetches the list in batches, of which only one is in memory at a time.
  ///
  /// All batches have the same state of the store, even if another program
  /// changes it meanwhile. A section that continues in the next batch has no
  /// heading there.
  ///
  /// - Throws: `StoreError`, and the errors of the closure.
  public func forEachBatch(
    in store: ModelStore, of size: Int = 500, _ body: ([EpisodeSection]) throws -> Void
  ) throws {
    try store.read { reader in
      var heading: String?
      try reader.forEachBatch(of: request.batchSize(size)) { episodes in
        try body(sections(of: episodes, after: &heading))
      }
    }
  }

  /// - Parameter heading: The heading of the episodes before; receives that of
  ///   the last episode.
  private func sections(
    of episodes: [Episode], after heading: inout String?
  ) -> [EpisodeSection] {
    var result: [EpisodeSection] = []
    for episode in episodes {
      let next = self.heading(of: episode)
      if result.isEmpty || next != heading {
        result.append(EpisodeSection(heading: next == heading ? nil : next, rows: []))
      }
      heading = next
      result[result.count - 1].rows.append(EpisodeSection.Row(episode: episode))
    }
    return result
  }

  /// The first rows of a snapshot, as many as fit into a number of lines.
  ///
  /// - Parameter marks: The marks of rows by row id.
  /// - Returns: Nil if one of the rows has changed since the snapshot.
  public func sections(
    of snapshot: ResultsSnapshot<Episode>, lineCount: Int = .max, marks: [Int64: String] = [:]
  ) -> [EpisodeSection]? {
    var result: [EpisodeSection] = []
    var rest = lineCount
    for (number, section) in snapshot.sections.enumerated() {
      let headingCount = sections == .none ? 0 : 1
      guard rest > headingCount else { break }
      rest -= headingCount
      var rows: [EpisodeSection.Row] = []
      for row in 0..<min(section.count, rest) {
        let path = RowPath(section: number, row: row)
        guard let episode = snapshot[path], let rowID = snapshot.index[path] else { return nil }
        rows.append(EpisodeSection.Row(episode: episode, mark: marks[rowID] ?? ""))
      }
      rest -= rows.count
      let heading = rows.first.flatMap { self.heading(of: $0.episode) }
      result.append(EpisodeSection(heading: heading, rows: rows))
    }
    return result
  }

  private func heading(of episode: Episode) -> String? {
    switch sections {
    case .none: nil
    case .season: heading(of: episode.season.map { .integer(Int64($0)) } ?? .null)
    case .podcast: heading(of: .text(episode.podcast))
    }
  }

  /// The heading of a section; nil in a list without sections.
  func heading(of key: SectionKey) -> String? {
    switch sections {
    case .none: nil
    case .season: key.name.isEmpty ? "No season" : "Season \(key.name)"
    case .podcast: key.name.isEmpty ? "No podcast" : key.name
    }
  }
}
