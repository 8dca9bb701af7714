import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

extension MantleCaseTests {
  @Test(.engine(.sqlite)) func aColumnThatTheTableLacksIsAnErrorWhenTheStoreIsOpened() throws {
    struct Wider: MappedModel {
      var name: String
      var number: Int
      static let mapping = Mapping(
        "Guest", Wider.init, .key("name", \.name, .unique), .key("number", \.number))
    }
    try withStorePath { path in
      _ = try ModelStore(path: path, models: Guest.self)

      let error = #expect(throws: StoreError.self) {
        try ModelStore(
          path: path, models: Wider.self,
          configuration: StoreConfiguration(migrationPolicy: .none))
      }

      #expect(error?.code == .incompatibleSchema)
      #expect(error?.reason.contains("`Guest.number` is not in the table") == true)
    }
  }

  @Test(.engine(.sqlite)) func theSameStatementsSaveAnyNumberOfModels() throws {
    func statements(_ count: Int) throws -> (kinds: Int, selects: Int) {
      let store = try emptyStore(Series.self)
      let shows = try (0..<count).map { id in
        Series(
          id: id, title: "",
          parts: [Part(code: "\(id)", title: ""), Part(code: "\(id)b", title: "")],
          opening: try ModelReference(key: "\(id)"), guests: [Guest(name: "\(id % 10)")])
      }
      let statements = try store.statements { _ = try store.write { try $0.save(shows) } }
      #expect(try store.count("Part") == 2 * count)
      return (Set(statements).count, statements.count { $0.hasPrefix("SELECT") })
    }

    let (few, many) = (try statements(3), try statements(1_300))

    #expect(few.kinds == many.kinds)
    #expect(few.selects == many.selects)
    #expect(many.selects == 0)
  }

  @Test(.engine(.sqlite)) func aTransactionSeesItsOwnChangesOthersOnlyWhenItIsCommitted() throws {
    try withStorePath { path in
      let store = try ModelStore(path: path, models: Series.self)
      let other = try ModelStore(path: path, models: Series.self)
      let all = ModelRequest<Series>()
      let series = Series(id: 1, title: "One", parts: [Part(code: "a", title: "A")])

      try store.write { writer in
        try writer.save(series)
        #expect(try writer.reader.fetch(all).map(\.parts.count) == [1])
        #expect(try other.fetch(all) == [])
      }

      #expect(try other.fetch(all).map(\.parts.count) == [1])
    }
  }
}
