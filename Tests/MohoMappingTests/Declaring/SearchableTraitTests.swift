import Foundation
import MohoMapping
import Testing

@Suite struct SearchableTraitTests {
  private struct Note: MappedModel {
    var id: Int
    var title: String?
    var tags: [String]
    var date: Date
    var draft: String?
    var parent: ModelReference<Note>?

    static let mapping = Mapping(
      "Note", Note.init, .key("id", \.id, .unique), .key("title", \.title, .searchable),
      .key("tags", \.tags, .searchable), .key("date", \.date, .searchable),
      .key("draft", \.draft, .documentOnly, .searchable),
      .toOne("parent", \.parent, .searchable))
  }

  @Test func onlyStoredTextCanBeSearchable() {
    #expect(
      Note.mapping.issues.map(\.description) == [
        "`tags`: only text can be searchable, and the key is array",
        "`date`: only text can be searchable, and the key is date",
        "`draft`: a key that is not stored cannot be searchable",
        "`parent`: a relation cannot be searchable; declare the keys of the related model as"
          + " searchable",
      ])
  }
}
