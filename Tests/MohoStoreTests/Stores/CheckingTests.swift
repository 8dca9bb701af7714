import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// Tests references to rows that other programs have deleted without foreign keys.
@Suite(.allEngines) struct CheckingTests {
  struct Station: MappedModel, Equatable {
    var id: Int
    var name: String
    static let mapping = Mapping(
      "Station", Station.init, .key("id", \.id, .unique), .key("name", \.name))
  }

  struct Guest: MappedModel, Equatable {
    var id: Int
    static let mapping = Mapping("Guest", Guest.init, .key("id", \.id, .unique))
  }

  struct Broadcast: MappedModel, Equatable {
    var id: Int
    var station: Station?
    var guests: [Guest]
    static let mapping = Mapping(
      "Broadcast", Broadcast.init, .key("id", \.id, .unique), .toOne("station", \.station),
      .toMany("guests", \.guests))
  }

  struct Live: MappedModel, Equatable {
    var id: Int
    var station: Station
    static let mapping = Mapping(
      "Live", Live.init, .key("id", \.id, .unique), .toOne("station", \.station))
  }

  let store: ModelStore

  init() throws {
    store = try emptyStore(Broadcast.self, Live.self)
    let (a, b) = (Station(id: 1, name: "a"), Station(id: 2, name: "b"))
    try store.write { writer in
      try writer.save((10..<20).map { Broadcast(id: $0, station: a, guests: [Guest(id: 4)]) })
      try writer.save(Broadcast(id: 20, station: b, guests: [Guest(id: 4), Guest(id: 5)]))
      try writer.save([Live(id: 30, station: a), Live(id: 31, station: b)])
    }
  }

  @Test func aStoreIsValid() throws {
    let check = try store.check()

    #expect(check.isValid)
    #expect("\(check)" == "no problems")
  }

  @Test func eachDanglingReferenceIsNamed() throws {
    try store.executeWithoutForeignKeys(#"DELETE FROM "Station" WHERE id = 1"#)
    try store.executeWithoutForeignKeys(#"DELETE FROM "Guest" WHERE id = 5"#)

    let check = try store.check()

    #expect(!check.isValid)
    #expect(check.damage.isEmpty)
    #expect(check.danglingReferenceCount == 12)
    #expect(
      Set(check.danglingReferences.map(\.description))
        == Set(
          (10..<20).map {
            "`Broadcast.station` of row \($0) refers to `Station` 1, which does not exist"
          } + [
            "`Broadcast.guests` of row 20 refers to `Guest` 5, which does not exist",
            "`Live.station` of row 30 refers to `Station` 1, which does not exist",
          ]))
    let part = try store.check(limit: 3)
    #expect(part.danglingReferences.count == 5)
    #expect("\(part)".hasSuffix("\n7 more references to rows that do not exist"))
  }

  @Test func aFetchDoesNotReturnRowsThatDoNotExist() throws {
    try store.executeWithoutForeignKeys(#"DELETE FROM "Station" WHERE id = 1"#)
    try store.executeWithoutForeignKeys(#"DELETE FROM "Guest" WHERE id = 5"#)

    let broadcasts = try store.fetch(ModelRequest<Broadcast>().order(by: \.id))
    #expect(broadcasts.first == Broadcast(id: 10, station: nil, guests: [Guest(id: 4)]))
    #expect(broadcasts.last?.guests == [Guest(id: 4)])
    let error = #expect(throws: MappingError.self) { try store.fetch(ModelRequest<Live>()) }
    #expect(
      error.map { "\($0)" }?.contains("`Live.station` at /Live/30/station") == true,
      "\(String(describing: error))")
    #expect(try store.fetch(ModelRequest<Live>().filter { $0.id == 31 }).count == 1)
  }

  @Test func theAsynchronousCheckFindsTheSame() async throws {
    try store.executeWithoutForeignKeys(#"DELETE FROM "Guest" WHERE id = 5"#)

    #expect(try await store.check().danglingReferenceCount == 1)
  }
}
