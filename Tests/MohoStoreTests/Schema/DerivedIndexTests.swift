import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// Tests the unique keys and indexes on several keys that a mapping declares.
@Suite(.allEngines) struct DerivedIndexTests {
  struct Season: MappedModel, Equatable {
    var id: Int
    var podcast: String
    var number: Int?
    var title: String

    static let mapping = Mapping(
      "Season", Season.init, .key("id", \.id, .unique), .key("podcast", \.podcast),
      .key("number", \.number), .key("title", \.title)
    ).unique(\.podcast, \.number).indexed(\.title, \.number)
  }

  let store: ModelStore

  init() throws {
    store = try emptyStore(Season.self)
    try store.write {
      try $0.save([
        Season(id: 1, podcast: "Deep", number: 1, title: "One"),
        Season(id: 2, podcast: "Deep", number: nil, title: "Extra"),
      ])
    }
  }

  @Test func noTwoRowsHaveTheSameValuesTogether() throws {
    let error = #expect(throws: StoreError.self) {
      try store.write {
        try $0.save(Season(id: 3, podcast: "Deep", number: 1, title: "Again"))
      }
    }

    #expect(error?.code == .notUnique)
    #expect(error?.keys == ["podcast", "number"])
    #expect(try store.fetchCount(ModelRequest<Season>()) == 2)
  }

  @Test func aValueThatIsNilEqualsNone() throws {
    try store.write {
      try $0.save(Season(id: 3, podcast: "Deep", number: nil, title: "More"))
    }

    #expect(try store.fetchCount(ModelRequest<Season>()) == 3)
  }
}
