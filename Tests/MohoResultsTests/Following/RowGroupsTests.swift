import Campaigns
import Foundation
import MohoChanges
import MohoMapping
import MohoTesting
import Testing

@testable import MohoResults

/// Lists that show the first rows of each group.
struct RowGroupsTests {
  /// Random lists with random changes: an update has the same result as selecting and comparing
  /// the rows again.
  @Test(arguments: [true, false]) func updatesEqualSelectingTheRowsAgain(isSectioned: Bool) throws {
    var generator = SeededGenerator(seed: isSectioned ? 11 : 12)
    for round in 0..<Campaign.count(short: 2_000, full: 8_000) {
      let window = RowWindow(
        rowsPerGroup: generator.below(4), offset: generator.oneIn(2) ? 0 : generator.below(4),
        limit: generator.oneIn(2) ? nil : generator.below(9))
      let groupCount = 1 + generator.below(6)
      var rows = (1...30).map(Int64.init).shuffled(using: &generator)
      rows = Array(rows.prefix(generator.below(30)))
      var groups: [Int64: Int] = [:]
      var sections: [Int64: Int] = [:]
      var newSection = 100
      for (position, row) in rows.enumerated() {
        groups[row] = generator.below(groupCount)
        sections[row] = position / 5
      }
      var list = try self.rows(rows, groups, sections, window, isSectioned)
      for step in 0..<4 {
        let former = rows
        let touched = Set((0...generator.below(4)).map { _ in Int64(1 + generator.below(34)) })
        rows.removeAll(where: touched.contains)
        for row in touched.sorted() where !generator.oneIn(3) {
          let position = generator.below(rows.count + 1)
          let neighbor = generator.oneIn(2) ? position - 1 : position
          newSection += 1
          sections[row] = rows.indices.contains(neighbor) ? sections[rows[neighbor]] : newSection
          if groups[row] == nil || generator.oneIn(2) { groups[row] = generator.below(groupCount) }
          rows.insert(row, at: position)
        }
        let placements = rows.enumerated().filter { touched.contains($0.element) }.map {
          RowPlacement(
            $0.element, after: $0.offset > 0 ? rows[$0.offset - 1] : nil,
            section: isSectioned ? .integer(Int64(sections[$0.element] ?? 0)) : .all)
        }
        let keys = Dictionary(
          uniqueKeysWithValues: placements.map { ($0.rowID, key(groups[$0.rowID])) })
        let (updated, changes) = try list.updated(
          removing: touched.subtracting(placements.map(\.rowID)), placing: placements, window,
          touched: touched, groupKeys: keys)
        let expected = try self.rows(rows, groups, sections, window, isSectioned)
        let expectedChanges = ChangeSet(
          from: list.visible, to: expected.visible, moveCandidates: touched, changedKeys: [:])
        let comment: Comment =
          "round \(round), step \(step): \(former) to \(rows), touched \(touched), \(window), \(groups)"
        try #require(updated.all == expected.all, comment)
        try #require(updated.groups?.index == expected.groups?.index, comment)
        try #require(updated.first == expected.first, comment)
        try #require(updated.visible == expected.visible, comment)
        try #require(changes == expectedChanges, comment)
        if let crossing = window.rowsCrossingEdges(from: list, to: updated, touched: touched) {
          let changes = ChangeSet(
            from: list.visible, to: updated.visible,
            touching: Dictionary(moveCandidates: touched.union(crossing)))
          try #require(changes == expectedChanges, comment)
        }
        list = updated
      }
    }
  }

  private func key(_ group: Int?) -> GroupKey {
    GroupKey([.string("group \(group ?? 0)"), .null])
  }

  private func rows(
    _ rows: [Int64], _ groups: [Int64: Int], _ sections: [Int64: Int], _ window: RowWindow,
    _ isSectioned: Bool
  ) throws -> ResultsRows {
    var builder = OrderedIndex.Builder(sectioned: isSectioned)
    for row in rows { try builder.append(row, section: .integer(Int64(sections[row] ?? 0))) }
    let all = builder.finish()
    let found = try RowGroups(of: all, groups.mapValues { key($0) })
    var counts: [Int: Int] = [:]
    var first: Set<Int64> = []
    for row in rows {
      let group = groups[row] ?? 0
      counts[group, default: 0] += 1
      if counts[group, default: 0] <= window.rowsPerGroup ?? 0 { first.insert(row) }
    }
    return try ResultsRows(all, window, groups: found, first)
  }

  @Test func keysAreEqualIfTheirValuesAre() {
    let values: [[FieldContent]] = [
      [], [.null], [.null, .null], [.bool(true)], [.bool(false)], [.int64(1)], [.int64(-1)],
      [.int64(1), .int64(12)], [.int64(11), .int64(2)], [.double(0.5)], [.double(-0.5)],
      [.string("")], [.string("a")], [.string("A")], [.string("é")], [.string("e\u{301}")],
      [.string("a"), .string("b")], [.string("ab"), .string("")], [.string("a1:b")],
      [.string("-")], [.string("1:a"), .string("b")], [.string("1:a1:b")], [.string("éa")],
      [.string("é"), .string("a")], [.data(Data([1]))], [.data(Data([2]))],
      [.data(Data([1])), .data(Data([2]))],
      [.date(Date(timeIntervalSinceReferenceDate: 1.5))], [.decimal(Decimal(string: "1.25") ?? 0)],
    ]
    #expect(Set(values.map { GroupKey($0) }).count == values.count)
    #expect(Set(values.map { GroupKey($0).section }).count == values.count)
    for (one, other) in [
      (FieldContent.int64(5), FieldContent.uint64(5)), (.double(0), .double(-0.0)),
      (.decimal(Decimal(string: "1.50") ?? 0), .decimal(Decimal(string: "1.5") ?? 0)),
      (.decimal(100), .decimal(Decimal(string: "1E2") ?? 0)),
    ] {
      #expect(GroupKey([one]) == GroupKey([other]), "\(one), \(other)")
    }
  }
}
