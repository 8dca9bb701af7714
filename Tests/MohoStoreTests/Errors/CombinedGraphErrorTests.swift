import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// Tests that a call that saves models with related models reports the errors of all rows, and no
/// consequences of these errors.
@Suite(.allEngines) struct CombinedGraphErrorTests {
  struct Team: MappedModel, Equatable {
    var code: String
    var name: String

    static let mapping = Mapping<Team>(
      "Team", Team.init, .key("code", \.code, .unique), .key("name", \.name, .unique)
    )
    .validating(\.name, "text") { !$0.isEmpty }
  }

  struct Player: MappedModel, Equatable {
    var nick: String
    var id: Int
    var team: Team?
    var rival: ModelReference<Team>?
    var friends: [ModelReference<Team>] = []
    var leader: ModelReference<Player>?

    static let mapping = Mapping<Player>(
      "Player", Player.init,
      .key("nick", \.nick, .unique), .key("id", \.id, .unique), .toOne("team", \.team),
      .toOne("rival", \.rival), .toMany("friends", \.friends), .toOne("leader", \.leader)
    )
    .validating(\.id, "positive") { $0 > 0 }
  }

  struct League: MappedModel, Equatable {
    var id: Int
    var teams: [Team]
    var players: [Player]

    static let mapping = Mapping(
      "League", League.init,
      .key("id", \.id, .unique), .toMany("teams", \.teams), .toMany("players", \.players))
  }

  let store: ModelStore

  init() throws {
    store = try emptyStore(League.self, Player.self, Team.self)
    try store.write { writer in
      try writer.save(Team(code: "s", name: "stored"))
      try writer.save(Player(nick: "a", id: 1))
    }
  }

  private func team(_ code: String, _ name: String? = nil) -> Team {
    Team(code: code, name: name ?? code)
  }

  private func reference(_ code: String) throws -> ModelReference<Team> {
    try ModelReference(key: code)
  }

  /// Expects the failures of a call, and that it changes nothing.
  private func expect<Model: MappedModel>(
    _ expected: [String], of models: [Model], location: SourceLocation = #_sourceLocation
  ) throws {
    let before = try store.dump()
    let found = failures { try store.write { try $0.save(models) } }
    #expect(found == expected, sourceLocation: location)
    // The transaction goes on.
    try store.write { writer in
      #expect(failures { try writer.save(models) } == expected, sourceLocation: location)
    }
    #expect(try store.dump() == before, sourceLocation: location)
  }

  @Test func allInvalidModelsAreReported() throws {
    let leagues = [
      League(
        id: 1, teams: [team("a", ""), team("b"), team("c", "")],
        players: [Player(nick: "x", id: -1, team: team("d", ""))]),
      League(id: 2, teams: [team("e")], players: []),
      League(id: 3, teams: [], players: [Player(nick: "y", id: 0)]),
    ]

    try expect(
      [
        "/0/teams/0/name", "/0/teams/2/name", "/0/players/0/id", "/2/players/0/id",
      ], of: leagues)
    let context = EditingContext(store)
    #expect(
      failures { try ManagedRowAdapter<League>().rows(from: leagues, in: context) }
        == ["/0/teams/0/name", "/0/teams/2/name", "/0/players/0/id", "/2/players/0/id"])
    #expect(!context.hasChanges)
  }

  @Test func invalidModelsOfAllBatchesAreReported() throws {
    let invalid = [10, 700, 1_090]
    let players = (0..<1_100).map { number in
      Player(nick: "n\(number)", id: invalid.contains(number) ? -1 : number + 2, team: team("t"))
    }

    try expect(invalid.map { "/\($0)/id" }, of: players)
  }

  @Test func rowsOfAllBatchesThatViolateAConstraintAreReported() throws {
    let taken = [10, 700, 1_090]
    let players = (0..<1_100).map { number in
      Player(nick: "n\(number)", id: taken.contains(number) ? 1 : number + 2, team: team("t"))
    }

    try expect(taken.map { "/\($0) not unique id" }, of: players)
  }

  @Test func rowsThatLeadToAFailedRowAreNotReported() throws {
    let players = [
      Player(nick: "b", id: 2, team: team("x", "same")),
      // The row of the team is not written, and the rows that refer to it.
      Player(nick: "c", id: 3, team: team("y", "same")),
      Player(nick: "d", id: 4, rival: try reference("y")),
      Player(nick: "e", id: 5, friends: [try reference("y"), try reference("s")]),
      Player(nick: "f", id: 6, leader: try ModelReference(key: "c")),
      Player(nick: "g", id: 1),
    ]

    try expect(["/1/team not unique name", "/5 not unique id"], of: players)
  }

  @Test func allReferencesToMissingRowsAreReported() throws {
    let players = [
      Player(nick: "b", id: 2, rival: try reference("u")),
      Player(nick: "c", id: 3, rival: try reference("s")),
      Player(nick: "d", id: 4, friends: [try reference("s"), try reference("v")]),
      Player(nick: "e", id: 5, leader: try ModelReference(key: "z")),
    ]

    try expect(
      [
        "/0 dangling reference rival", "/2 dangling reference friends",
        "/3 dangling reference leader",
      ], of: players)
    let error = #expect(throws: StoreError.self) { try store.write { try $0.save(players) } }
    let errors = error?.errors.compactMap { $0 as? StoreError } ?? []
    #expect(
      errors.map(\.reason) == ["u", "v"].map { "no `Team` \"\($0)\" is stored" }
        + ["no `Player` \"z\" is stored"])
    #expect(errors.allSatisfy { $0.subject?.contains("` of `Player` ") == true })
    let context = EditingContext(store)
    let adapter = ManagedRowAdapter<Player>()
    #expect(failures { try adapter.rows(from: players, in: context) }.count == 3)
  }

  @Test func referencesByIdentityNameAllRows() throws {
    struct Album: MappedModel {
      var id: Int
      static let mapping = Mapping("Album", Album.init, .key("id", \.id, .unique))
    }
    struct Song: MappedModel {
      var id: Int
      var album: ModelReference<Album>
      static let mapping = Mapping(
        "Song", Song.init, .key("id", \.id, .unique), .toOne("album", \.album))
    }
    let store = try emptyStore(Album.self, Song.self)
    let songs = try (1...3).map { try Song(id: $0, album: ModelReference(key: $0 + 10)) }

    let error = #expect(throws: StoreError.self) {
      try store.write { writer in
        try writer.save(Album(id: 12))
        try writer.save(songs)
      }
    }

    #expect(error?.code == .danglingReference)
    #expect(
      error?.errors.compactMap { ($0 as? StoreError)?.reason } == [
        "`Song.album` of row 1 refers to `Album` 11, which does not exist",
        "`Song.album` of row 3 refers to `Album` 13, which does not exist",
      ])
    #expect(
      error?.reason
        == "`Song.album` of 2 rows, such as 1, 3, refers to rows that do not exist, such as"
        + " `Album` 11")
  }

  @Test func danglingLinksOfRowsWithoutAUniqueKeyAreNamedByTheirPositions() throws {
    struct Remark: MappedModel {
      var text: String
      var team: ModelReference<Team>?
      var teams: [ModelReference<Team>] = []
      static let mapping = Mapping(
        "Remark", Remark.init, .key("text", \.text), .toOne("team", \.team),
        .toMany("teams", \.teams))
    }
    let store = try emptyStore(Remark.self, Team.self)

    let error = #expect(throws: StoreError.self) {
      try store.write {
        try $0.save([
          Remark(text: "a", team: reference("u")), Remark(text: "b", teams: [reference("v")]),
        ])
      }
    }

    #expect(
      error?.errors.map { ($0 as? StoreError)?.subject } == [
        "`Remark.team` of `Remark` at /0", "`Remark.teams` of `Remark` at /1",
      ])
  }

  @Test func partialModelsWithRelationsAreReported() throws {
    try store.write {
      try $0.save([Player(nick: "b", id: 2), Player(nick: "c", id: 3), Player(nick: "d", id: 4)])
    }
    func change(
      _ nick: String, _ change: (inout Partial<Player>) throws -> Void
    ) rethrows -> Partial<Player> {
      var partial = Partial<Player>()
      partial[\.nick] = nick
      try change(&partial)
      return partial
    }
    let changes = [
      try change("b") { $0[\.rival] = try reference("u") },
      change("c") {
        $0[\.id] = 0
        $0[\.team] = team("n", "")
      },
      change("d") { $0[\.id] = 1 },
      change("a") { $0[\.team] = team("m", "stored") },
    ]
    let before = try store.dump()

    let found = failures { try store.write { try $0.update(changes) } }

    #expect(
      found == [
        "/0 dangling reference rival", "/1/id", "/1/team/name", "/2 not unique id",
        "/3/team not unique name",
      ])
    #expect(try store.dump() == before)
  }
}
