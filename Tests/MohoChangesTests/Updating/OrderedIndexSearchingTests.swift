import MohoChanges
import MohoTesting
import Testing

@Suite struct OrderedIndexSearchingTests {
  @Test func lastRowBeforeEachValueIsFoundInLogarithmicComparisons() {
    for count in [0, 1, 2, 3, 7, 8, 300, 1_000] {
      let index = OrderedIndex(rowIDs: (0..<Int64(count)).map { $0 * 2 })
      for target in stride(from: -1 as Int64, to: Int64(count) * 2, by: count > 100 ? 37 : 1) {
        var comparisons = 0

        let row = index.lastRow { rowID in
          comparisons += 1
          return rowID < target
        }

        let expected = (target + 1) / 2 - 1
        #expect(row == (expected < 0 ? nil : min(expected, Int64(count) - 1) * 2))
        let bound = Int.bitWidth - count.leadingZeroBitCount
        #expect(comparisons <= bound, "\(count) rows, target \(target)")
      }
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func touchedRowsAreNeverCompared(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let rows = (0..<Int64(generator.below(40))).map { $0 }
      let touched = Set(rows.filter { _ in generator.oneIn(2) })
      // Touched rows are at random positions.
      let misplaced = Array(touched).sorted().shuffled(using: &generator)
      var next = misplaced.makeIterator()
      let index = OrderedIndex(rowIDs: rows.map { touched.contains($0) ? next.next() ?? $0 : $0 })
      let target = Int64(generator.below(42)) - 1

      let row = index.lastRow(excluding: touched) { rowID in
        #expect(!touched.contains(rowID), "seed \(seed)")
        return rowID < target
      }

      #expect(row == rows.last { $0 < target && !touched.contains($0) }, "seed \(seed)")
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func severalPositionsAreFoundWithComparisonsThatAreMadeTogether(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let rows = (0..<Int64(generator.below(60))).map { $0 }
      let touched = Set(rows.filter { _ in generator.oneIn(3) })
      let index = OrderedIndex(rowIDs: rows)
      let targets = (0..<generator.below(5)).map { _ in Int64(generator.below(62)) - 1 }
      let limit = 1 + generator.below(9)
      var calls = 0

      let found = index.lastRows(before: targets.count, excluding: touched, comparing: limit) {
        comparisons in
        calls += 1
        #expect(comparisons.count <= max(limit, targets.count), "seed \(seed)")
        #expect(!comparisons.contains { touched.contains($0.rowID) }, "seed \(seed)")
        return comparisons.map { $0.rowID < targets[$0.position] }
      }

      let expected = targets.map { target in
        rows.last { $0 < target && !touched.contains($0) }
      }
      #expect(found == expected, "seed \(seed)")
      // Each call halves the rows of a position, unless touched rows are skipped.
      #expect(calls <= 2 * (Int.bitWidth - rows.count.leadingZeroBitCount), "seed \(seed)")
    }
  }
}
