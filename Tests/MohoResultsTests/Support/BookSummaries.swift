import MohoChanges
import MohoMapping
import MohoResults
import MohoRows

/// Summaries of sections of books, and the same values computed from models.
enum BookSummaries {
  /// - Parameter readsShelves: Whether a value is computed from related rows.
  static func aggregates(
    _ request: ModelRequest<Book>, readsShelves: Bool = true
  ) -> RequestAggregates {
    request.aggregates(groupedBy: { _ in [] }) {
      [.count, .sum($0.pages), .maximum($0.title), .distinctCount($0.genre)]
        + (readsShelves ? [.minimum($0.shelf.rank)] : [])
    }
  }

  private static func values(of books: [Book], readsShelves: Bool) -> [FieldContent] {
    let ranks = books.compactMap { $0.shelf?.rank }
    let titles = books.map { Array($0.title.utf8) }
    let genres = Set(books.compactMap { $0.genre.map { Array($0.utf8) } })
    return [
      .int64(Int64(books.count)),
      books.isEmpty ? .null : .int64(Int64(books.reduce(0) { $0 + $1.pages })),
      titles.max { $0.lexicographicallyPrecedes($1) }
        .map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null,
      .int64(Int64(genres.count)),
    ] + (readsShelves ? [ranks.min().map { .int64(Int64($0)) } ?? .null] : [])
  }

  /// The text of each section header.
  static func headers(of snapshot: ResultsSnapshot<Book>) -> [Int: String] {
    let texts = snapshot.sections.compactMap { section in
      section.summary.map { (section.index, "\($0)") }
    }
    return Dictionary(uniqueKeysWithValues: texts)
  }

  /// Requires that the summaries are those of the models.
  static func require(
    _ snapshot: ResultsSnapshot<Book>, _ models: [Book], readsShelves: Bool = true
  ) throws {
    var rest = models[...]
    for section in snapshot.sections {
      let expected = values(of: Array(rest.prefix(section.count)), readsShelves: readsShelves)
      rest = rest.dropFirst(section.count)
      let summary = section.summary?.values
      try MohoResultsTests.require(
        summary == expected,
        "section \(section.key) has the summary \(summary ?? []), not \(expected)"
      )
    }
  }

  /// Requires one record for each section that stays and whose summary differs, with
  /// exactly the changed values. All values count as changed if the request has others.
  static func require(
    _ changes: ChangeSet, from old: ResultsSnapshot<Book>, to new: ResultsSnapshot<Book>
  ) throws {
    let gone = Set(changes.sections.filter { $0.kind == .delete }.map(\.key))
    let former = Dictionary(uniqueKeysWithValues: old.sections.map { ($0.key, $0) })
    var expected: [SectionChange] = []
    for section in new.sections {
      guard !gone.contains(section.key), let old = former[section.key]?.summary,
        let new = section.summary
      else { continue }
      let changed =
        old.names == new.names ? new.names.filter { old[$0] != new[$0] } : new.names
      if changed.isEmpty { continue }
      expected.append(
        SectionChange(
          kind: .update, key: section.key, index: section.index, changedKeys: changed))
    }
    let found = changes.sections.filter { $0.kind == .update }
    try MohoResultsTests.require(
      found == expected, "the updates of sections are \(found), not \(expected)")
  }
}
