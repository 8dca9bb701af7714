import MohoMapping
import Testing

/// New keys take their values out of the unknown members of a stored model.
@Suite struct MemberTakingTests {
  private struct Episode: MappedModel {
    var id: Int
    var title: String?
    var season: Int?
    var others: [String: Int]
    static let mapping = Mapping(
      "Episode", Episode.init, .key("id", \.id, .unique), .key("title", \.title, .storeOnly),
      .key("season", \.season, json: "meta.season", alternatives: ["season"]),
      .unknown("others", \.others))
  }

  private struct Closed: MappedModel {
    var id: Int
    static let mapping = Mapping("Closed", Closed.init, .key("id", \.id, .unique))
  }

  private let season = 2

  private func members(
    _ json: String?, adding documents: [String] = [], after former: String? = nil,
    season isFree: Bool = true
  ) throws -> TakenMembers? {
    let taking = try #require(MemberTaking(Episode.mapping))
    return try taking.members(
      of: json.map { .string($0) }, adding: documents, after: former,
      where: { $0 == season && isFree })
  }

  @Test func aModelWithoutAReceiverTakesNothing() {
    #expect(MemberTaking(Closed.mapping) == nil)
  }

  @Test func claimsAreThePathsInOrder() throws {
    let taking = try #require(MemberTaking(Episode.mapping))
    #expect(taking.claims == "id\nmeta.season\nseason")
  }

  @Test func membersOfOtherPathsRemain() throws {
    #expect(try members(#"{"x":1}"#) == nil)
  }

  @Test(arguments: [#"{"meta.season":3,"x":1}"#, #"{"season":3,"x":1}"#])
  func aMemberAtAPathOfTheKeyIsTaken(json: String) throws {
    let taken = try #require(try members(json))

    #expect(taken.contents == [season: .int64(3)])
    #expect(taken.remaining == .string(#"{"x":1}"#))
    #expect(taken.losses.isEmpty)
  }

  @Test func theFirstPathIsRead() throws {
    let taken = try #require(try members(#"{"meta.season":3,"season":4}"#))

    #expect(taken.contents == [season: .int64(3)])
    #expect(taken.remaining == .string(#"{"season":4}"#))
  }

  @Test func aMemberAtAFormerAlternativeRemains() throws {
    #expect(try members(#"{"season":3}"#, after: "id\nseason") == nil)
  }

  @Test func aMemberOfAKeyWithAValueIsALoss() throws {
    let taken = try #require(try members(#"{"meta.season":3}"#, season: false))

    #expect(taken.contents.isEmpty)
    #expect(taken.losses.map(\.index) == [season])
    #expect(taken.losses.map(\.reason) == ["the key has another value"])
  }

  @Test func membersOfDocumentsAreAdded() throws {
    let taken = try #require(
      try members(#"{"x":1}"#, adding: [#"{"y":2}"#, #"{"meta":{"season":5,"z":6}}"#]))

    #expect(taken.contents == [season: .int64(5)])
    #expect(taken.remaining == .string(#"{"meta.z":6,"x":1,"y":2}"#))
  }

  @Test func aReceiverThatIsNotStoredReceivesDocuments() throws {
    #expect(try members(nil) == nil)
    let taken = try #require(try members(nil, adding: [#"{"y":2}"#]))

    #expect(taken.remaining == .string(#"{"y":2}"#))
  }

  @Test func aContentOfAnotherFormIsAnError() {
    #expect(throws: MappingError.self) { try members("[1]") }
  }
}
