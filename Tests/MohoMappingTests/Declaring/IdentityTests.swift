import MohoMapping
import Testing

@Suite struct IdentityTests {
  struct Feed: MappedModel, Equatable {
    var url: String
    var title = ""

    static let mapping = Mapping(
      "Feed", Feed.init, .key("url", \.url, .unique), .key("title", \.title, default: ""))
  }

  struct Item: MappedModel, Equatable {
    var serial: Int
    var feed: ModelReference<Feed>?
    var guid: String

    static let base = Mapping(
      "Item", Item.init,
      .key("serial", \.serial, .unique), .toOne("feed", \.feed), .key("guid", \.guid, json: "id"))
    static let mapping = base.identified(by: \.feed, \.guid)
  }

  struct Chapter: MappedModel, Equatable {
    var item: ModelReference<Item>
    var number: UInt

    static let mapping = Mapping(
      "Chapter", Chapter.init, .toOne("item", \.item), .key("number", \.number)
    )
    .identified(by: \.item, \.number)
  }

  struct Note: MappedModel {
    var tags: [ModelReference<Feed>]
    var text: String
    var draft: String?
    var isOpen = false
    let page = 1

    static let mapping = Mapping(
      "Note", Note.init, .toMany("tags", \.tags), .key("text", \.text),
      .key("draft", \.draft, .documentOnly), .transient(\.isOpen, default: false))
  }

  @Test func theIdentityIsDeclaredOrTheFirstUniqueKey() {
    #expect(Item.mapping.issues == [])
    #expect(Item.mapping.identifyingKeys == ["feed", "guid"])
    #expect(Item.base.identifyingKeys == ["serial"])
    #expect(Note.mapping.identifyingKeys == [])
  }

  @Test func aMistakeInTheIdentityIsAnIssue() {
    let mapping = Note.mapping.identified(by: \.page, \.text, \.tags, \.draft, \.isOpen, \.text)
      .identified()

    #expect(
      mapping.issues.map(\.description) == [
        "the identity contains `\\Note.page`, which is not a key",
        "the identity contains `tags`, which has no column",
        "the identity contains `draft`, which has no column",
        "the identity contains `isOpen`, which has no column",
        "the identity contains `text` several times",
        "the identity has no keys", "the identity is declared several times",
      ])
  }

  @Test func aReferenceHoldsAllIdentifyingValues() throws {
    let feed = try ModelReference<Feed>(key: "f")
    let item = Item(serial: 1, feed: feed, guid: "a")
    let references = try [
      ModelReference(to: item), ModelReference(key: feed, "a"), ModelReference(key: "f", "a"),
      ModelReference(key: Feed(url: "f"), "a"),
    ]

    #expect(Set(references).count == 1)
    #expect(references[0].key == .array([.string("f"), .string("a")]))
    #expect(
      try ModelReference<Chapter>(key: references[0], 2)
        == ModelReference(to: Chapter(item: references[0], number: 2)))
    #expect(try ModelReference<Item>(key: "fa", "") != ModelReference<Item>(key: "f", "a"))
  }

  @Test func aReferenceIsReadFromAnArrayOrAnObject() throws {
    let item: [FieldContent] = [.string("f"), .string("a")]
    let object: [FieldContent] = [.int64(7), .string("f"), .string("a")]

    for content in [FieldContent.array(item), .object(object)] {
      let chapter = try Chapter.mapping.model(from: ContentDecoder([content, .uint64(2)]))
      #expect(try chapter.item == ModelReference(key: "f", "a"))
      let recorder = FieldRecorder()
      try Chapter.mapping.encode(chapter, to: recorder)
      #expect(recorder.contents == [.array(item), .uint64(2)])
    }
  }

  @Test(arguments: [
    (
      FieldContent.string("x"),
      "invalid type: string \"x\", expected array of the values of `feed`, `guid` of `Item`"
    ),
    (.array([.string("f")]), "invalid value: 1 values, expected values of `feed`, `guid`"),
    (.array([.string("f"), .null]), "unexpected null"),
    (.array([.null, .string("a")]), "unexpected null"),
    (.array([.string("f"), .int64(1)]), "invalid type: number 1, expected string"),
    (.object([.int64(7), .null, .string("a")]), "unexpected null"),
  ])
  func aValueThatIsNoIdentityIsAnError(content: FieldContent, message: String) {
    let error = #expect(throws: MappingError.self) {
      try ModelReference<Item>(content: content)
    }
    #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
  }

  @Test func aModelWithoutAllIdentifyingValuesCannotBeReferredTo() {
    let item = Item(serial: 1, feed: nil, guid: "a")
    let error = #expect(throws: MappingError.self) { try ModelReference(to: item) }
    #expect(error?.code == .unexpectedNull)
    #expect(throws: MappingError.self) { try ModelReference<Item>(key: "a") }
  }
}
