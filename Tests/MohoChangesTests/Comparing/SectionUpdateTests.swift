import Foundation
import MohoChanges
import MohoTesting
import Testing

/// Records of sections whose summaries differ.
@Suite struct SectionUpdateTests {
  /// The summaries of the sections of a random list: the number of rows, and the sum of
  /// their versions.
  private struct Summaries {
    static let names = ["count", "sum(version)"]

    let values: [SectionKey: [Int]]
    let headers: [Int: String]

    init(_ index: OrderedIndex, _ list: RandomList) {
      var values: [SectionKey: [Int]] = [:]
      var headers: [Int: String] = [:]
      for (section, key) in index.sectionKeys.enumerated() {
        let rows = index.rowIDs(inSection: section)
        let summary = [rows.count, rows.reduce(0) { $0 + list.version(of: $1) }]
        values[key] = summary
        headers[section] = "\(key) \(summary)"
      }
      (self.values, self.headers) = (values, headers)
    }

    /// Adds a record of each section that stays and whose summary differs.
    static func add(
      to changes: ChangeSet, _ index: OrderedIndex, from old: Summaries, to new: Summaries
    ) -> ChangeSet {
      let inserted = Set(changes.sections.filter { $0.kind == .insert }.map(\.key))
      var updates: [SectionChange] = []
      for (section, key) in index.sectionKeys.enumerated() where !inserted.contains(key) {
        guard let before = old.values[key], let after = new.values[key] else { continue }
        let changed = names.indices.filter { before[$0] != after[$0] }.map { names[$0] }
        if changed.isEmpty { continue }
        updates.append(
          SectionChange(kind: .update, key: key, index: section, changedKeys: changed))
      }
      return changes.addingSectionUpdates(updates)
    }
  }

  private struct State {
    let index: OrderedIndex
    let summaries: Summaries
    let rows: SimulatedTable<Int>.Rows

    init(_ list: RandomList) throws {
      index = try list.index()
      summaries = Summaries(index, list)
      var rows = SimulatedTable<Int>.Rows(index) { list.version(of: $0) }
      rows.headers = summaries.headers
      self.rows = rows
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func eachProjectionShowsTheHeadersOfTheNewList(seed: UInt64) throws {
    var list = RandomList(seed: seed, sectioned: !seed.isMultiple(of: 5))
    var old = try State(list)
    var views = SimulatedViews(old.rows)
    var last: (state: State, changes: ChangeSet)?
    var updateCount = 0
    for step in 0..<120 {
      let changedKeys = list.mutate()
      let new = try State(list)
      let changes = Summaries.add(
        to: ChangeSet(from: old.index, to: new.index, changedKeys: changedKeys), new.index,
        from: old.summaries, to: new.summaries)
      updateCount += changes.sections.count { $0.kind == .update }
      if let issue = views.show(changes, from: old.index, to: new.index, rows: new.rows) {
        Issue.record("seed \(seed), step \(step): \(issue)\n\(changes)")
        return
      }
      #expect(changes.inverse.inverse == changes, "seed \(seed), step \(step)")
      #expect(try old.index.applying(changes) == new.index, "seed \(seed), step \(step)")
      #expect(try new.index.applying(changes.inverse) == old.index, "seed \(seed), step \(step)")
      #expect(try ChangeSet(json: changes.json) == changes, "seed \(seed), step \(step)")
      if let last {
        try checkComposition(of: last.changes, and: changes, from: last.state, to: new)
      }
      last = (old, changes)
      old = new
    }
    #expect(updateCount > 50)
  }

  private func checkComposition(
    of first: ChangeSet, and second: ChangeSet, from old: State, to new: State
  ) throws {
    let both = first.followed(
      by: second, from: old.index, to: new.index, keys: RandomList.keys,
      summaryKeys: Summaries.names)
    let needed = Summaries.add(
      to: ChangeSet(sections: both.sections.filter { $0.kind != .update }), new.index,
      from: old.summaries, to: new.summaries)
    let found = Dictionary(
      uniqueKeysWithValues: both.sections.filter { $0.kind == .update }
        .map { ($0.key, $0) })
    for section in needed.sections where section.kind == .update {
      #expect(found[section.key]?.index == section.index)
      #expect(Set(section.changedKeys).isSubset(of: found[section.key]?.changedKeys ?? []))
    }
    #expect(try old.index.applying(both) == new.index)
  }

  @Test func updatesAreAMemberOfTheirOwnInJSON() throws {
    let changes = ChangeSet(
      sections: [
        SectionChange(kind: .update, key: .integer(3), index: 1, changedKeys: ["count"]),
        SectionChange(kind: .delete, key: .integer(2), index: 1),
      ])

    #expect(
      try changes.json
        == #"{"sections":[{"delete":1,"key":2}],"#
        + #""summaries":[{"changed":["count"],"key":3,"update":1}]}"#)
    #expect(
      changes.description == """
        delete section 1 2
        update section 1 3 changed count
        """)
    #expect(
      changes.batchPlan.reconfiguredSections == [
        BatchPlan.SectionReconfiguration(old: 2, new: 1, changedKeys: ["count"])
      ])
    #expect(changes.inverse.sections.last?.index == 2)
  }

  @Test func anUpdateOfASectionThatTheListDoesNotHaveIsAMismatch() throws {
    let list = try OrderedIndex("A: 1 | B: 2")
    for (key, index) in [("B", 0), ("C", 2)] {
      let update = SectionChange(
        kind: .update, key: .text(key), index: index, changedKeys: ["count"])
      let error = #expect(throws: ChangeSetError.self) {
        try list.applying(ChangeSet(sections: [update]))
      }
      #expect(error?.code == .listMismatch)
    }
  }

  @Test func aHeaderThatIsNotReconfiguredIsStale() throws {
    var (before, after) = (SimulatedTable<Int>.Rows(sections: [[]]), SimulatedTable<Int>.Rows())
    after.sections = [[]]
    before.headers = [0: "0 rows"]
    after.headers = [0: "1 row"]
    var table = SimulatedTable(rows: before)
    let error = #expect(throws: TableViolation.self) {
      try table.perform(BatchPlan(), before: before, after: after)
    }
    #expect(error?.rule == .stale)

    var plan = BatchPlan()
    plan.reconfiguredSections = [
      BatchPlan.SectionReconfiguration(old: 0, new: 0, changedKeys: ["count"])
    ]
    try table.perform(plan, before: before, after: after)
    #expect(table.cells.headers == [0: "1 row"])
    let repaint = #expect(throws: TableViolation.self) {
      try table.perform(plan, before: after, after: after, mode: [.strict, .minimal])
    }
    #expect(repaint?.rule == .unnecessaryRendering)
  }
}
