import Testing

@testable import MohoStore

@Suite struct RowRunsTests {
  @Test func rowsThatFollowOneAnotherAreOneRun() {
    var runs = RowRuns()
    for row in [5, 6, 7, 7, 6, 9, 10, 3] as [Int64] { runs.append(row) }

    #expect(runs.runs == [5...7, 9...10, 3...3])
    #expect((0...11).filter(runs.contains) == [3, 5, 6, 7, 9, 10])
  }

  @Test func theGreatestIdentityHasNoNext() {
    var runs = RowRuns()
    runs.append(.max)
    runs.append(.min)

    #expect(runs.runs == [.max ... .max, .min ... .min])
  }

  @Test func newRowsBeyondALimitAreRunsAndNoneIsMissing() {
    let count = Int64(WrittenRows.newLimit) + 1_000
    var written = WrittenRows(isComplete: true)
    for row in 1...count { written.noteNew(row) }

    #expect(written.before.count == WrittenRows.newLimit)
    #expect(written.rows == Set(1...count))
    #expect(written.contains(1) && written.contains(count) && !written.contains(count + 1))
    #expect(!written.areAllKnown)
    #expect(!written.keepsValues)
  }

  @Test func ofTwoTransactionsNoneIsMissingEither() {
    var (first, second) = (WrittenRows(isComplete: true), WrittenRows(isComplete: true))
    let count = Int64(WrittenRows.newLimit) + 10
    for row in 1...count { first.noteNew(row) }
    for row in count...count * 2 { second.noteNew(row) }
    let both = first.followed(by: second)

    #expect(both.rows == Set(1...count * 2))
    #expect(both.before[count] == .unknown)
    #expect(both.before[1] == .absent)
  }
}
