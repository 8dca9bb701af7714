import MohoMapping
import MohoRows
import StoreTesting
import Testing

@Suite(.allEngines) struct IndexLetterTests {
  struct Name: MappedModel, Equatable {
    var id: Int
    var text: String?
    static let mapping = Mapping(
      "Name", Name.init, .key("id", \.id, .unique), .key("text", \.text))
  }

  /// Texts and their index letters.
  static var texts: [(text: String?, letter: String?)] {
    [
      (nil, nil), ("", "#"), (" a", "#"), ("1984", "#"), ("🎙", "#"), ("#", "#"),
      ("apple", "A"), ("Apple", "A"), ("Élan", "E"), ("e\u{301}te\u{301}", "E"), ("ñu", "N"),
      ("ßen", "S"), ("ﬁsh", "F"), ("Ærø", "Æ"), ("ærø", "Æ"), ("жук", "Ж"), ("日本", "日"), ("x", "X"),
    ] + (TestedEngine.current.storesNullCharacters ? [("\0", "#")] : [])
  }

  let store: ModelStore

  init() throws {
    store = try emptyStore(Name.self)
    let names = Self.texts.enumerated().map { Name(id: $0.offset, text: $0.element.text) }
    try store.write { try $0.save(names) }
  }

  @Test func aTextIsListedUnderItsFirstLetter() throws {
    let letters = try store.fetchValues(ModelRequest<Name>().order(by: \.id)) {
      [$0.text.indexLetter]
    }
    #expect(
      letters.map { $0.values[0] } == Self.texts.map { $0.letter.map { .string($0) } ?? .null })
  }

  @Test func textsOfOneLetterAreTogetherInSQLAndInMemory() throws {
    let request = ModelRequest<Name>().order { $0.text.indexLetter }
      .order(by: \.text, options: [.caseInsensitive, .diacriticInsensitive])
    let fetched = try store.fetch(request)
    let context = EditingContext(store)
    let row = try context.row(RowIdentity(entity: "Name", stored: 0))
    try row.set("text", to: "zz")
    try row.set("text", to: FieldContent.null)

    #expect(try context.fetch(request).map { try $0[\Name.id] } == fetched.map(\.id))
    let letters = fetched.map { Self.texts[$0.id].letter }
    #expect(letters.filter { $0 == "E" }.count == 2)
    #expect(zip(letters, letters.dropFirst()).count { $0 != $1 } == Set(letters).count - 1)
  }

  @Test func aLetterIsACondition() throws {
    let request = ModelRequest<Name>().filter { $0.text.indexLetter == "A" }.order(by: \.id)
    #expect(try store.fetch(request).map(\.text) == ["apple", "Apple"])
  }

  @Test func aNumberHasNoIndexLetter() {
    let error = #expect(throws: StoreError.self) {
      try store.fetchCount(RowRequest("Name").filter { $0["id"].indexLetter == "A" })
    }
    #expect(error?.reason == "`Name.id` (integer) is not a text, and has no index letter")
  }
}
