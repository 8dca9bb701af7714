import Fixtures
import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

extension RequestTests {
  @Test(.engine(.sqlite)) func moreValuesThanSQLiteTakesAreSaid() throws {
    let request = ModelRequest<Episode>().filter { $0.id.isOne(of: 0...40_000) }

    let error = #expect(throws: StoreError.self) { try store.fetch(request) }

    #expect(error?.reason == "the filter has more than 32,766 values")
  }

  @Test(.engine(.sqlite)) func aNullCharacterIsPartOfItsText() throws {
    let store = try emptyStore(Episode.self)
    try store.write { writer in
      try writer.save([Episode.number(1, title: "a\0b"), .number(2, title: "a")])
    }
    let all = ModelRequest<Episode>()

    #expect(try store.fetch(all.filter { $0.title == "a\0b" }).map(\.id) == [1])
    #expect(try store.fetch(all.filter { $0.title.isOne(of: ["a\0b"]) }).map(\.id) == [1])
    #expect(try store.fetch(all.filter { $0.title.hasSuffix("b") }).map(\.id) == [1])
    #expect(try store.fetch(all.filter { $0.title.contains("\0b") }).map(\.id) == [1])
    #expect(try store.fetch(all.filter { $0.title.hasPrefix("a") }).map(\.id) == [1, 2])
  }
}
