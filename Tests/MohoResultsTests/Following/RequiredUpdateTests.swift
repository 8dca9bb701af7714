import MohoRows
import MohoSQLite
import Testing

@testable import MohoResults

@Suite struct RequiredUpdateTests {
  @Test func unknownChangesRequireARescan() {
    #expect(RequiredUpdate(nil, count: 10) == .rescan)

    var touched = TouchedRows()
    touched.hasAllMoveCandidates = false
    #expect(RequiredUpdate(touched, count: 10) == .rescan)
  }

  @Test func noTouchedRowsRequireNothing() {
    #expect(RequiredUpdate(TouchedRows(), count: 10) == .nothing)
  }

  @Test func contentChangesRequireNoRepositioning() {
    var touched = TouchedRows()
    touched.writtenRows[1] = RowDelta(before: .row([1]), after: .row([2]))
    #expect(RequiredUpdate(touched, count: 10) == .contentOnly)

    touched = TouchedRows()
    touched.relatedKeys[1] = ["shelf"]
    #expect(RequiredUpdate(touched, count: 10) == .contentOnly)

    touched = TouchedRows()
    touched.keysOfUnknownRows = ["shelf"]
    #expect(RequiredUpdate(touched, count: 10) == .contentOnly)
  }

  @Test(arguments: [
    (200, 10, true), (201, 10, false), (1_000, 50_000, true), (1_001, 50_000, false),
  ])
  func fewCandidatesAreRepositionedAndManyRequireARescan(
    candidateCount: Int, count: Int, isRepositioned: Bool
  ) {
    var touched = TouchedRows()
    touched.moveCandidates = Set((1...candidateCount).map(Int64.init))

    #expect(
      RequiredUpdate(touched, count: count)
        == (isRepositioned ? .reposition(touched.moveCandidates) : .rescan))
  }
}
