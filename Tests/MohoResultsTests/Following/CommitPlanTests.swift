import MohoStore
import Testing

@testable import MohoResults

@Suite struct CommitPlanTests {
  @Test func whatIsNotKnownIsReadAnew() {
    #expect(CommitPlan(nil, count: 10) == .rescan)

    var touched = TouchedRows()
    touched.arePlacesKnown = false
    #expect(CommitPlan(touched, count: 10) == .rescan)
  }

  @Test func nothingTouchedIsNothingToDo() {
    #expect(CommitPlan(TouchedRows(), count: 10) == .nothing)
  }

  @Test func contentsAloneLeaveRowsInTheirPlaces() {
    var touched = TouchedRows()
    touched.written[1] = WrittenRow(before: .row([1]), after: .row([2]))
    #expect(CommitPlan(touched, count: 10) == .keepPlaces)

    touched = TouchedRows()
    touched.related[1] = ["shelf"]
    #expect(CommitPlan(touched, count: 10) == .keepPlaces)

    touched = TouchedRows()
    touched.unknownKeys = ["shelf"]
    #expect(CommitPlan(touched, count: 10) == .keepPlaces)
  }

  @Test(arguments: [
    (200, 10, true), (201, 10, false), (1_000, 50_000, true), (1_001, 50_000, false),
  ])
  func fewRowsArePlacedAndManyReadAnew(placed: Int, count: Int, isPlaced: Bool) {
    var touched = TouchedRows()
    touched.placed = Set((1...placed).map(Int64.init))

    #expect(
      CommitPlan(touched, count: count) == (isPlaced ? .place(touched.placed) : .rescan))
  }
}
