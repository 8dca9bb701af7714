import Testing

@testable import MohoChanges

@Suite struct OrderedIndexErrorTests {
  @Test func errorsWithoutDetailsHaveADescription() {
    #expect(
      OrderedIndexError(code: .unknownPredecessor, rowID: 1).description == """
        unknown predecessor: found no predecessor, \
        expected a row of the list or an earlier placement - row 1
        """)
    #expect(
      OrderedIndexError(code: .misorderedSection, rowID: 1).description == """
        misordered section key: found another section again after another section, \
        expected contiguous rows in each section - row 1; order by the section key first
        """)
  }

  @Test func keysOfUpTo80CharactersAreNotTruncated() {
    let key = SectionKey.text(String(repeating: "x", count: 80))
    let error = OrderedIndexError(
      code: .misorderedSection, rowID: 1, section: key, interveningSection: .integer(3))

    #expect(error.description.contains("found \(key) again after 3"))
  }
}
