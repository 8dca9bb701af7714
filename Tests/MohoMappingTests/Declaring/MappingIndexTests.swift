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
        "a unique key contains `isOpen`, which has no column",
        "an index contains `\\Chapter.page`, which is not a key",
        "an index contains `marks`, which has no column",
        "an index has no keys",
      ])
  }

  private struct Entry: MappedModel {
    var first: String
    var last: String
    var initials: String { "\(first.prefix(1))\(last.prefix(1))" }
    var shown: String {
      get { last }
      set { last = newValue }
    }

    static let mapping = Mapping<Entry>(
      "Entry", { Entry(first: $0, last: $1) }, .key("first", \.first),
      .key("name", \.shown, default: "", .documentOnly))
  }

  @Test func messagesAboutComputedPropertiesHaveNoAddress() {
    let mapping = Entry.mapping.indexed(\.shown).unique(\.initials)
      .validating(\.initials, "two letters") { $0.count == 2 }

    #expect(
      mapping.issues.map(\.description) == [
        "an index contains `name`, which has no column",
        "a unique key contains a computed property of `Entry` with type `String`,"
          + " which is not a key",
        "a computed property of `Entry` with type `String` has a rule but is not a key",
      ])
  }
}
