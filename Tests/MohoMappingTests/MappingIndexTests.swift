import MohoMapping
import Testing

@Suite struct MappingIndexTests {
  private struct Chapter: MappedModel {
    var id: Int
    var number: Int
    var title: String
    var marks: [ModelReference<Chapter>]
    var isOpen = false
    let page = 1

    static let mapping = base.unique(\.number, \.title).indexed(\.title, \.number).indexed(\.number)

    static let base = Mapping(
      "Chapter", Chapter.init, .key("id", \.id, .unique), .key("number", \.number, json: "no"),
      .key("title", \.title), .toMany("marks", \.marks), .transient(\.isOpen, default: false))
  }

  @Test func keysThatAreUniqueOrIndexedTogetherAreKnownByTheirNames() {
    #expect(Chapter.mapping.issues == [])
    #expect(Chapter.mapping.uniqueKeys == [["number", "title"]])
    #expect(Chapter.mapping.indexes == [["title", "number"], ["number"]])
    #expect(Chapter.base.uniqueKeys.isEmpty)
  }

  @Test func onlyColumnsAreUniqueOrIndexed() {
    let mapping = Chapter.base.unique(\.number, \.isOpen).indexed(\.page).indexed(\.marks)
      .indexed()

    #expect(
      mapping.issues.map(\.description) == [
        "there is a unique key on `\\Chapter.isOpen`, which is no column",
        "there is an index on `\\Chapter.page`, which is no key",
        "there is an index on `\\Chapter.marks`, which is no column",
        "there is an index on nothing",
      ])
  }
}
