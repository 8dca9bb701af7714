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

  @Test func combinedUniqueAndIndexedKeysAreListedByName() {
    #expect(Chapter.mapping.issues == [])
    #expect(Chapter.mapping.uniqueKeys == [["number", "title"]])
    #expect(Chapter.mapping.indexes == [["title", "number"], ["number"]])
    #expect(Chapter.base.uniqueKeys.isEmpty)
  }

  @Test func onlyColumnsCanBeUniqueOrIndexed() {
    let mapping = Chapter.base.unique(\.number, \.isOpen).indexed(\.page).indexed(\.marks)
      .indexed()

    #expect(
      mapping.issues.map(\.description) == [
        "a unique key contains `\\Chapter.isOpen`, which has no column",
        "an index contains `\\Chapter.page`, which is not a key",
        "an index contains `\\Chapter.marks`, which has no column",
        "an index has no keys",
      ])
  }
}
