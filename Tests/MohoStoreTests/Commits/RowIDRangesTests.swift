import MohoTesting
import Testing

@testable import MohoRows
@testable import MohoSQLite

@Suite struct RowIDRangesTests {
  @Test func ascendingRowsWithoutGapsAreOneRun() {
    var runs = RowIDRanges()
    for row in [5, 6, 7, 7, 6, 9, 10, 3] as [Int64] { runs.append(row) }

    #expect(runs.runs == [5...7, 9...10])
    #expect(runs.others == [3])
    #expect((0...11).filter(runs.contains) == [3, 5, 6, 7, 9, 10])
  }

  @Test func theGreatestIdentityHasNoNext() {
    var runs = RowIDRanges()
    runs.append(.max)
    runs.append(.min)

    #expect(runs.runs == [.max ... .max])
    #expect(runs.others == [.min])
  }

  @Test func setsOfRowsAreTheirUnion() {
    var generator = SeededGenerator(seed: 7)
    for round in 0..<200 {
      var (runs, rows) = (RowIDRanges(), Set<Int64>())
      for _ in 0..<3 {
        var others = RowIDRanges()
        for _ in 0..<generator.below(12) {
          let row = Int64(generator.below(20))
          others.append(row)
          rows.insert(row)
        }
        runs.append(others)
      }
      #expect(runs.rows == rows, "round \(round)")
      #expect((-1...21).filter(runs.contains) == rows.sorted(), "round \(round)")
      let pairs = zip(runs.runs, runs.runs.dropFirst())
      #expect(pairs.allSatisfy { $0.upperBound + 1 < $1.lowerBound }, "round \(round)")
    }
  }

  @Test func newRowsBeyondALimitAreRunsAndNoneIsMissing() {
    let count = Int64(RowWriteSet.individualNewRowLimit) + 1_000
    var written = RowWriteSet(isComplete: true)
    for row in 1...count { written.insertNew(row) }

    #expect(written.before.count == RowWriteSet.individualNewRowLimit)
    #expect(written.rows == Set(1...count))
    #expect(written.contains(1) && written.contains(count) && !written.contains(count + 1))
    #expect(!written.recordsEveryRow)
    #expect(!written.lacksPreviousValues(of: 1) && !written.lacksPreviousValues(of: count))
    #expect(written.lacksPreviousValues(of: count + 1))
    #expect(written.recordsValues)
  }

  @Test func ofTwoTransactionsNoneIsMissingEither() {
    var (first, second) = (RowWriteSet(isComplete: true), RowWriteSet(isComplete: true))
    let count = Int64(RowWriteSet.individualNewRowLimit) + 10
    for row in 1...count { first.insertNew(row) }
    for row in count...count * 2 { second.insertNew(row) }
    let both = first.followed(by: second)

    #expect(both.rows == Set(1...count * 2))
    #expect(both.before[count] == nil && both.contains(count))
    #expect(both.before[count + 1] == .absent)
    #expect(both.before[1] == .absent)
  }
}
