import Foundation
import MohoMapping
import Testing

@Suite struct ReferenceTests {
  struct Podcast: MappedModel, Equatable {
    var id: UInt
    var title: String
    var episodes: [ModelReference<Episode>]

    static let mapping = Mapping(
      "Podcast", Podcast.init,
      .key("id", \.id, .unique), .key("title", \.title),
      .toMany("episodes", \.episodes, inverse: "podcast"))
  }

  struct Episode: MappedModel, Equatable {
    var guid: UUID
    var podcast: ModelReference<Podcast>?

    static let mapping = Mapping(
      "Episode", Episode.init,
      .key("guid", \.guid, .unique), .toOne("podcast", \.podcast, inverse: "episodes"))
  }

  @Test func modelsThatReferToEachOtherAreDeclaredSoundly() {
    #expect(Podcast.mapping.issues == [])
    #expect(Episode.mapping.issues == [])
    #expect(Podcast.mapping.keys[2].relation?.inverse == "podcast")
    #expect(Podcast.mapping.keys[2].relation?.models.isOrdered == true)
  }

  @Test func aReferenceIsTheUniqueKeyHoweverItIsMade() throws {
    let podcast = Podcast(id: 7, title: "Deep Time", episodes: [])
    let references = try [
      ModelReference(to: podcast), ModelReference(key: 7), ModelReference(key: UInt(7)),
      ModelReference<Podcast>(content: .uint64(7)),
    ]

    #expect(Set(references).count == 1)
    #expect(references[0].key == .int64(7))
    #expect("\(references[0])" == "Podcast(7)")
  }

  @Test func theBareKeyAndAnObjectAreRead() throws {
    let contents: [FieldContent] = [.int64(7), .object([.uint64(7), .string("t"), .array([])])]

    for content in contents {
      let episode = try Episode.mapping.model(
        from: ContentDecoder([.string("4A275FBD-8217-4397-964B-403F4C2B8545"), content]))
      #expect(try episode.podcast == ModelReference(key: 7))
      let recorder = FieldRecorder()
      try Episode.mapping.encode(episode, to: recorder)
      #expect(recorder.contents[1] == .uint64(7))
    }
  }

  @Test(arguments: [
    (FieldContent.string("x"), "invalid type"), (.int64(-1), "invalid type"),
    (.object([.string("x"), .string("t"), .array([])]), "invalid type"),
  ])
  func whatIsNoKeyIsRefused(content: FieldContent, message: String) throws {
    let error = #expect(throws: MappingError.self) {
      _ = try ModelReference<Podcast>.decode(from: ContentDecoder([content]), at: 0)
    }
    #expect(error?.description.hasPrefix(message) == true)
  }

  @Test func aModelWithoutAUniqueKeyCannotBeReferredTo() {
    struct Note: MappedModel {
      var text: String
      static let mapping = Mapping("Note", Note.init, .key("text", \.text))
    }
    #expect(throws: MappingError.self) { try ModelReference<Note>(key: "a") }
    #expect(throws: MappingError.self) { try ModelReference(to: Note(text: "a")) }
  }

  @Test func relationsOfWhatIsNoModelAreIssues() {
    struct Wrong: MappedModel {
      var one: Int
      var many: [String]
      var podcast: Podcast
      static let mapping = Mapping(
        "Wrong", Wrong.init,
        .toOne("one", \.one), .toMany("many", \.many), .toMany("podcast", \.podcast))
    }
    #expect(
      Wrong.mapping.issues.map(\.description) == [
        "`one`: `Int` relates to no model, as `.toOne` needs; declare a model or use `.key`",
        "`many`: `Array<String>` relates to no model, as `.toMany` needs;"
          + " declare a collection of models or use `.key`",
        "`podcast`: `Podcast` relates to no model, as `.toMany` needs;"
          + " declare a collection of models or use `.key`",
      ])
  }
}
