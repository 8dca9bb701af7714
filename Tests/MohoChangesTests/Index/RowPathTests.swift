import MohoChanges
import Testing

@Suite struct RowPathTests {
  @Test func pathsAscendBySectionThenByRow() {
    let paths = [RowPath(1, 0), RowPath(0, 7), RowPath(0, 2), RowPath(2, 0)]

    #expect(paths.sorted() == [RowPath(0, 2), RowPath(0, 7), RowPath(1, 0), RowPath(2, 0)])
  }

  @Test func descriptionIsSectionAndRowInBrackets() {
    #expect(RowPath(section: 2, row: 5).description == "[2, 5]")
  }
}
