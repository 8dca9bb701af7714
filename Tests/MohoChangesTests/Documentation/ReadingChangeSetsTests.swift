import DocumentationTesting
import Foundation
import MohoChanges
import MohoTesting
import Testing

/// The code of the article "Reading change sets", compiled and run. The article
/// contains the code between the marks.
@Suite struct ReadingChangeSetsTests: ArticleTests {
  let article = Article("Sources/MohoChanges/MohoChanges.docc/ReadingChangeSets.md")
  let transcript = Transcript()

  @Test func snippetsHaveTheDocumentedResults() throws {
    // snippet
    let before = try OrderedIndex(seasons: [1: [1, 2, 3], 2: [4]])
    let after = try OrderedIndex(seasons: [1: [3, 1, 2, 5]])
    let changes = ChangeSet(from: before, to: after, changedKeys: [3: ["title"], 4: ["season"]])
    print(changes)
    // end
    try article.expectOutput(of: transcript)

    // snippet
    let (next, sameChanges) = try before.updated(
      removing: [4],
      placing: [
        RowPlacement(3, after: nil, section: .integer(1), changedKeys: ["title"]),
        RowPlacement(5, after: 2, section: .integer(1)),
      ])
    // end
    #expect(next == after)
    #expect(sameChanges == changes)

    // snippet
    let plan = changes.batchPlan
    for move in plan.movedRows { print("move \(move.from) → \(move.to)") }
    for row in plan.reconfiguredRows {
      print("configure the cell at \(row.old) with row \(row.new): \(row.changedKeys)")
    }
    // end
    try article.expectOutput(of: transcript)

    // snippet
    let renamed = try OrderedIndex(seasons: [1: [1, 2, 3], 7: [4]])
    let step = ChangeSet(from: before, to: renamed, changedKeys: [4: ["season"]])
    for stage in step.stagedPlan(oldSectionCount: before.sectionCount).stages {
      print(
        "insert", stage.plan.insertedSections, "move", stage.plan.movedRows.map(\.to),
        "delete", stage.plan.deletedSections)
    }
    // end
    try article.expectOutput(of: transcript)

    // snippet
    for edit in changes.sequentialEdits(from: before, to: after) { print(edit) }
    for splice in changes.splices(from: before, to: after) {
      print(splice.old, "becomes", splice.new)
    }
    let difference = changes.difference(from: before, to: after)
    let rowIDs = difference.flatMap { Array(before.rowIDs).applying($0.difference) }
    // end
    try article.expectOutput(of: transcript)
    #expect(rowIDs == Array(after.rowIDs))

    // snippet
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let message = try encoder.encode(changes)
    print(String(decoding: message, as: UTF8.self))
    // end
    try article.expectOutput(of: transcript)

    // snippet
    let received = try JSONDecoder().decode(ChangeSet.self, from: message)
    let followed = try before.applying(received)
    let edits = received.sequentialEdits(from: before, to: followed)
    // end
    #expect(followed == after)
    #expect(edits == changes.sequentialEdits(from: before, to: after))

    // snippet
    let titles: [Int64: String] = [1: "One", 2: "Two", 3: "Three", 4: "Four"]
    let newTitles: [Int64: String] = [1: "One", 2: "Two", 3: "Third", 5: "Five"]
    var table = SimulatedTable(rows: .init(before) { titles[$0] })
    try table.perform(
      changes.batchPlan, before: .init(before) { titles[$0] },
      after: .init(after) { newTitles[$0] },
      mode: [.strict, .minimal])
    // end
    #expect(table.renderCounts == [3: 1, 5: 1])
  }

  @Test func theArticleHasThisCode() throws {
    try article.expectCode()
  }
}

/// Creates an index with a section for each season, in ascending order.
// snippet
extension OrderedIndex {
  init(seasons: [Int64: [Int64]]) throws {
    var builder = Builder(sectioned: true)
    for (season, episodes) in seasons.sorted(by: { $0.key < $1.key }) {
      try builder.append(contentsOf: episodes, section: .integer(season))
    }
    self = builder.finish()
  }
}
// end
