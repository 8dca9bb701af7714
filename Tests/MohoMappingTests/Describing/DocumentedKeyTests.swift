import Foundation
import MohoMapping
import Testing

/// Writes stored values at the places and in the formats of documents.
@Suite struct DocumentedKeyTests {
  private struct Episode: MappedModel {
    var id: Int
    var title: String?
    var date: Date?
    var day: Date?
    var season: [Int]
    var note: String?
    static let mapping = Mapping(
      "Episode", Episode.init, .key("id", \.id, .unique),
      .key("title", \.title, json: "meta.title"),
      .key("date", \.date, json: "date", .epochSeconds), .key("day", \.day, .iso8601Date),
      .key("season", \.season, json: "seasons[1]"), .key("note", \.note, .storeOnly))
  }

  private func key(_ name: String) -> DocumentedKey {
    Episode.mapping.documentedKeys[name] ?? DocumentedKey(named: name)
  }

  @Test func onlyKeysThatDifferFromTheirNamesAreDocumented() {
    #expect(
      Set(Episode.mapping.documentedKeys.keys) == ["title", "date", "day", "season", "note"])
  }

  @Test(arguments: ["id", "title", "date", "day", "season", "note"])
  func aTextDescribesTheForm(name: String) {
    #expect(DocumentedKey(text: key(name).text) == key(name))
  }

  @Test func textsAreStable() {
    #expect(key("title").text == "meta.title")
    #expect(key("date").text == "date\nepochSeconds")
    #expect(key("season").text == "seasons[1]")
    #expect(key("note").text == "\n")
    #expect(DocumentedKey(text: "\ninlined").text == "\ninlined")
  }

  @Test func valuesAreWrittenAtTheirPaths() {
    #expect(key("title").document(.string("a"), .string) == #"{"meta":{"title":"a"}}"#)
    #expect(
      key("season").document(.string("[1,2]"), .array(.plain("integer")))
        == #"{"seasons":[null,[1,2]]}"#)
    #expect(key("id").document(.int64(7), .plain("integer")) == #"{"id":7}"#)
  }

  @Test func datesAreWrittenInTheirFormats() {
    let date = FieldContent.double(0)
    #expect(key("date").document(date, .plain("date")) == #"{"date":978307200}"#)
    #expect(key("day").document(date, .plain("date")) == #"{"day":"2001-01-01"}"#)
    #expect(
      DocumentedKey(named: "x").document(date, .plain("date")) == #"{"x":"2001-01-01T00:00:00Z"}"#)
  }

  @Test func flatValuesFollowTheirForms() {
    let key = DocumentedKey(named: "x")
    #expect(key.document(.int64(1), .plain("boolean")) == #"{"x":true}"#)
    #expect(key.document(.string("1.50"), .plain("decimal")) == #"{"x":1.5}"#)
    #expect(key.document(.string("5"), .string) == #"{"x":"5"}"#)
    #expect(key.document(.data(Data([1, 2, 3])), .plain("data")) == #"{"x":"AQID"}"#)
    #expect(
      key.document(.string("[5]"), .anyOf([.plain("decimal"), .string])) == #"{"x":"[5]"}"#)
  }

  @Test func valuesThatDocumentsCannotContainAreNil() {
    #expect(key("note").document(.string("a"), .string) == nil)
    #expect(DocumentedKey(named: "x").document(.string("[1"), .array(.string)) == nil)
    #expect(DocumentedKey(named: "x").document(.int64(1), .array(.string)) == nil)
    #expect(DocumentedKey(named: "x").document(.string("a"), .plain("decimal")) == nil)
    #expect(DocumentedKey(text: "tags[*]").document(.string("a"), .string) == nil)
    #expect(
      DocumentedKey(text: "x\npattern yyyy").document(.double(0), .plain("date")) == nil)
  }
}
