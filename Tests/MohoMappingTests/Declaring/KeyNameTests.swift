import MohoMapping
import Testing

private struct Row: MappedModel, Equatable {
  var id: Int
  var isExpanded = false
  var double: Int { id * 2 }
  var secret: String?

  static let mapping = Mapping(
    "Row", { Row(id: $0, isExpanded: $1) },
    .key("id", \.id), .transient(\.isExpanded, default: false))

  static let clashing = Mapping<Row>(
    "Row", { Row(id: $0, isExpanded: $1) },
    .key("isExpanded", \.id), .transient(\.isExpanded, default: false))
}

@Suite struct KeyNameTests {
  @Test func aTransientPropertyHasTheNameOfTheProperty() {
    #expect(Row.mapping.keys.map(\.name) == ["id", "isExpanded"])
    #expect(Row.mapping.keys.map(\.isStored) == [true, false])
  }

  @Test func aKeyCanHaveTheNameOfATransientProperty() throws {
    let recorder = FieldRecorder()

    try Row.clashing.encode(Row(id: 7), only: "isExpanded", to: recorder)

    #expect(Row.clashing.issues.isEmpty)
    #expect(recorder.contents == [.int64(7)])
    #expect(Row.clashing.changedKeys(from: Row(id: 1), to: Row(id: 2)) == ["isExpanded"])
  }

  @Test func aDocumentOnlyKeyCannotBeUniqueOrStoreOnly() {
    let mapping = Mapping<Row>(
      "Row", { Row(id: $0, secret: $1) },
      .key("id", \.id, default: 0, .documentOnly, .unique),
      .key("secret", \.secret, .documentOnly, .storeOnly))

    #expect(
      mapping.issues.map(\.description) == [
        "`id`: a key that is not stored cannot be unique or indexed",
        "`secret`: the traits `documentOnly` and `storeOnly` exclude each other",
      ])
  }
}
