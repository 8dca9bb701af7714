import Foundation
import MohoMapping
import Testing

@Suite struct ModelReferenceTests {
  struct Feed: MappedModel, Equatable {
    var id: UInt
    var title: String
    var episodes: [ModelReference<Item>]

    static let mapping = Mapping(
      "Feed", Feed.init,
      .key("id", \.id, .unique), .key("title", \.title),
      .toMany("episodes", \.episodes, inverse: "podcast"))
  }

  struct Item: MappedModel, Equatable {
    var guid: UUID
    var podcast: ModelReference<Feed>?

    static let mapping = Mapping(
      "Item", Item.init,
      .key("guid", \.guid, .unique), .toOne("podcast", \.podcast, inverse: "episodes"))
  }

  @Test func modelsThatReferToEachOtherHaveNoIssues() {
    #expect(Feed.mapping.issues == [])
    #expect(Item.mapping.issues == [])
    #expect(Feed.mapping.keys[2].relation?.inverse == "podcast")
    #expect(Feed.mapping.keys[2].relation?.models.isOrdered == true)
  }

  @Test func aReferenceHoldsTheUniqueKey() throws {
    let podcast = Feed(id: 7, title: "Deep Time", episodes: [])
    let references = try [
      ModelReference(to: podcast), ModelReference(key: 7), ModelReference(key: UInt(7)),
      ModelReference<Feed>(content: .uint64(7)),
    ]

    #expect(Set(references).count == 1)
    #expect(references[0].key == .int64(7))
    #expect("\(references[0])" == "Feed(7)")
  }

  @Test func aReferenceIsReadFromABareKeyOrAnObject() throws {
    let contents: [FieldContent] = [.int64(7), .object([.uint64(7), .string("t"), .array([])])]

    for content in contents {
      let episode = try Item.mapping.model(
        from: ContentDecoder([.string("4A275FBD-8217-4397-964B-403F4C2B8545"), content]))
      #expect(try episode.podcast == ModelReference(key: 7))
      let recorder = FieldRecorder()
      try Item.mapping.encode(episode, to: recorder)
      #expect(recorder.contents[1] == .uint64(7))
    }
  }

  @Test(arguments: [
    (FieldContent.string("x"), #"string "x", expected integer"#),
    (.int64(-1), "number -1, expected integer"),
  ])
  func aValueThatIsNotAKeyIsAnError(content: FieldContent, message: String) throws {
    let error = #expect(throws: MappingError.self) {
      _ = try ModelReference<Feed>.decode(from: ContentDecoder([content]), at: 0)
    }
    #expect(
      error?.description.hasPrefix("invalid type: \(message) for `Feed.id` - ") == true,
      "\(String(describing: error))")
  }

  @Test func anObjectWithAnInvalidKeyIsAnError() throws {
    let content = FieldContent.object([.string("x"), .string("t"), .array([])])
    let error = #expect(throws: MappingError.self) {
      _ = try ModelReference<Feed>.decode(from: ContentDecoder([content]), at: 0)
    }
    #expect(error?.description.hasPrefix("invalid type") == true)
  }

  @Test func aModelWithoutAUniqueKeyCannotBeReferredTo() {
    struct Note: MappedModel {
      var text: String
      static let mapping = Mapping("Note", Note.init, .key("text", \.text))
    }
    #expect(throws: MappingError.self) { try ModelReference<Note>(key: "a") }
    #expect(throws: MappingError.self) { try ModelReference(to: Note(text: "a")) }
  }

  @Test func aRelationWithoutModelsIsAnIssue() {
    struct Wrong: MappedModel {
      var one: Int
      var many: [String]
      var podcast: Feed
      static let mapping = Mapping(
        "Wrong", Wrong.init,
        .toOne("one", \.one), .toMany("many", \.many), .toMany("podcast", \.podcast))
    }
    #expect(
      Wrong.mapping.issues.map(\.description) == [
        "`one`: `Int` cannot be the value of `.toOne`: declare a model or use `.key`",
        "`many`: `Array<String>` cannot be the value of `.toMany`:"
          + " declare a collection of models or use `.key`",
        "`podcast`: `Feed` cannot be the value of `.toMany`:"
          + " declare a collection of models or use `.key`",
      ])
  }
}
