import Foundation
import MohoChanges
import MohoTesting
import Testing

/// The code of the article "Reading change sets", compiled and run. What stands
/// between the marks stands in the article.
@Suite struct ReadingChangeSetsTests {
  @Test func snippetsDoWhatTheArticleSays() throws {
    var log: [String] = []

    // snippet
    let before = try OrderedIndex(seasons: [1: [1, 2, 3], 2: [4]])
    let after = try OrderedIndex(seasons: [1: [3, 1, 2, 5]])
    let changes = ChangeSet(from: before, to: after, changedKeys: [3: ["title"], 4: ["season"]])
    // end
    try expectInArticle("\(changes)")

    // snippet
    let (next, sameChanges) = try before.updated(
      removing: [4],
      placing: [
        RowPlace(3, behind: nil, section: .integer(1), changedKeys: ["title"]),
        RowPlace(5, behind: 2, section: .integer(1)),
      ])
    // end
    #expect(next == after)
    #expect(sameChanges == changes)

    // snippet
    let plan = changes.batchPlan
    for move in plan.movedRows { log.append("move \(move.from) → \(move.to)") }
    for row in plan.reconfiguredRows {
      log.append("configure the cell at \(row.old) with row \(row.new): \(row.changedKeys)")
    }
    // end
    try expectInArticle(log.joined(separator: "\n"))
    log = []

    // snippet
    let renamed = try OrderedIndex(seasons: [1: [1, 2, 3], 7: [4]])
    let step = ChangeSet(from: before, to: renamed, changedKeys: [4: ["season"]])
    for stage in step.stagedPlan(oldSectionCount: before.sectionCount).stages {
      log.append(
        """
        insert \(stage.plan.insertedSections) move \(stage.plan.movedRows.map(\.to)) \
        delete \(stage.plan.deletedSections)
        """)
    }
    // end
    try expectInArticle(log.joined(separator: "\n"))
    log = []

    // snippet
    log += changes.sequentialEdits(from: before, to: after).map { "\($0)" }
    log += changes.splices(from: before, to: after).map { "\($0.old) becomes \($0.new)" }
    let difference = changes.difference(from: before, to: after)
    let rowIDs = difference.flatMap { Array(before.rowIDs).applying($0.difference) }
    // end
    #expect(log.suffix(2) == ["0..<0 becomes 0..<1", "2..<4 becomes 3..<4"])
    #expect(rowIDs == Array(after.rowIDs))

    let titles: [Int64: String] = [1: "One", 2: "Two", 3: "Three", 4: "Four"]
    let newTitles: [Int64: String] = [1: "One", 2: "Two", 3: "Third", 5: "Five"]
    // snippet
    var table = SimulatedTable(rows: .init(before) { titles[$0] })
    try table.perform(
      changes.batchPlan, before: .init(before) { titles[$0] },
      after: .init(after) { newTitles[$0] },
      mode: [.strict, .minimal])
    // end
    #expect(table.renderCounts == [3: 1, 5: 1])
  }

  @Test func articleHasTheCodeThatIsCompiled() throws {
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let snippets = source.components(separatedBy: "    // snippet\n").dropFirst()
      .compactMap { $0.components(separatedBy: "    // end\n").first }

    #expect(snippets.count == 6)
    for snippet in snippets {
      let lines = snippet.split(separator: "\n", omittingEmptySubsequences: false)
      try expectInArticle(lines.map { String($0.dropFirst(4)) }.joined(separator: "\n"))
    }
  }

  private func expectInArticle(_ text: String) throws {
    let article = try String(contentsOf: Self.article, encoding: .utf8)
    #expect(!text.isEmpty && article.contains(text), "the article does not have:\n\(text)")
  }

  private static let article = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/MohoChanges/MohoChanges.docc/ReadingChangeSets.md")
}

extension OrderedIndex {
  /// Makes an index of the episodes of seasons, by ascending season.
  fileprivate init(seasons: [Int64: [Int64]]) throws {
    var builder = Builder(sectioned: true)
    for (season, episodes) in seasons.sorted(by: { $0.key < $1.key }) {
      try builder.append(contentsOf: episodes, section: .integer(season))
    }
    self = builder.finish()
  }
}
