import MohoMapping
import MohoTesting
import Testing

@testable import MohoResults
@testable import MohoRows

/// Rows that are inserted, replaced and removed, and the aggregates of their groups.
struct LiveRowsTests {
  /// Groups by a text and an integer; counts rows and values, sums, and finds extremes.
  private static func computation(keyCount: Int) -> LiveRows.Computation {
    func column(_ function: Aggregate.Function, _ value: Int?) -> LiveRows.Computation.Column {
      LiveRows.Computation.Column(
        aggregate: Aggregate(function, nil), type: .integer, position: value.map { $0 + keyCount })
    }
    return LiveRows.Computation(
      keyCount: keyCount,
      aggregates: [column(.count, nil), column(.count, 0), column(.sum, 0), column(.minimum, 1)],
      names: ["genre", "rank"].prefix(keyCount) + ["count", "count(a)", "sum(a)", "min(b)"],
      valueCount: keyCount + 2)
  }

  /// The groups of some rows, computed from all of them.
  private func groups(_ rows: [Int64: [FieldContent]], keyCount: Int) -> [[FieldContent]] {
    var groups = Dictionary(grouping: rows.values) { Array($0.prefix(keyCount)) }
    if keyCount == 0 && groups.isEmpty { groups[[]] = [] }
    func integers(_ rows: [[FieldContent]], _ position: Int) -> [Int64] {
      rows.compactMap { if case .int64(let value) = $0[keyCount + position] { value } else { nil } }
    }
    return groups.map { key, rows in
      let (sums, others) = (integers(rows, 0), integers(rows, 1))
      return key + [
        .int64(Int64(rows.count)), .int64(Int64(sums.count)),
        sums.isEmpty ? .null : .int64(sums.reduce(0, +)),
        others.min().map { .int64($0) } ?? .null,
      ]
    }
    .sorted { one, other in
      for (one, other) in zip(one, other).prefix(keyCount) where one != other {
        return one.isNull || !other.isNull && one.precedes(other)
      }
      return false
    }
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func groupsAreThoseOfTheRowsAfterEachChange(seed: UInt64) {
    let keyCount = Int(seed % 3)
    var generator = SeededGenerator(seed: seed)
    var rows: [Int64: [FieldContent]] = [:]
    var live = LiveRows(Self.computation(keyCount: keyCount))
    for step in 0..<600 {
      for _ in 0..<(generator.oneIn(20) ? 40 : 2) {
        let row = Int64(generator.below(80))
        if generator.below(100) < ((step / 100).isMultiple(of: 2) ? 30 : 70) {
          #expect(live.remove(row) == (rows.removeValue(forKey: row) != nil))
        } else {
          let keys: [FieldContent] = [
            generator.oneIn(5) ? .null : .string("\(generator.below(4))"),
            .int64(Int64(generator.below(3))),
          ]
          let values =
            keys.prefix(keyCount)
            + (0..<2).map { _ in
              generator.oneIn(4) ? FieldContent.null : .int64(Int64(generator.below(200)) - 100)
            }
          rows[row] = Array(values)
          live.set(row, Array(values))
        }
      }
      if generator.oneIn(3) { continue }
      let expected = groups(rows, keyCount: keyCount)
      guard live.count == rows.count, live.result()?.map(\.values) == expected else {
        Issue.record(
          "seed \(seed), step \(step): \(live.result()?.description ?? "nil") is not \(expected)")
        return
      }
    }
  }

  @Test func anUnknownValueIsKnownAgainWithoutItsCause() {
    var live = LiveRows(Self.computation(keyCount: 0))
    live.set(1, [.int64(.max), .null])
    live.set(2, [.int64(1), .null])
    #expect(live.result() == nil)
    #expect(live.result() == nil)

    live.remove(2)
    #expect(
      live.result()?.first?.values == [.int64(1), .int64(1), .int64(.max), .null])
  }
}
