import Foundation
import MohoMapping
import MohoRows
import MohoTesting
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres

/// Texts that have more bytes than an entry of an index.
@Suite(.requiresPostgres)
struct LongIndexedTextTests {
  private struct Page: MappedModel, Equatable {
    var number: Int
    var path: String
    var title: String?
    var text: String?

    static let mapping = Mapping(
      "Page", Page.init, .key("number", \.number, .unique), .key("path", \.path, .unique),
      .key("title", \.title, .indexed), .key("text", \.text))
  }

  private let store: ModelStore

  init() throws {
    store = try ModelStore(postgres: PostgresServer.shared().emptySchema(), models: Page.self)
  }

  /// A text that cannot be compressed much.
  private func text(_ count: Int) -> String {
    var generator = SeededGenerator(seed: 1)
    return String(
      (0..<count).map { _ in Character(UnicodeScalar(UInt8(48 + generator.below(75)))) })
  }

  @Test(arguments: [3_500, 100_000])
  func `the error names the entity and the key`(count: Int) throws {
    let pages = [
      (Page(number: 1, path: text(count), title: nil, text: nil), "path"),
      (Page(number: 1, path: "", title: text(count), text: nil), "title"),
    ]
    for (page, key) in pages {
      let error = #expect(throws: StoreError.self) { try store.write { try $0.save(page) } }

      #expect(error?.code == .limitExceeded)
      #expect(error?.entity == "Page")
      #expect(error?.keys.contains(key) == true, "\(String(describing: error))")
      #expect(count > 8_191 || error?.keys == [key])
      #expect(error?.reason.contains("`Page.\(key)`") == true)
      #expect(error?.suggestion == "shorten the value, or declare the key without an index")
    }
  }

  @Test func `updates and contexts name them too`() throws {
    try store.write { try $0.save(Page(number: 1, path: "a", title: nil, text: nil)) }
    let partial = try #require(
      try store.write { writer -> StoreError? in
        var change = Partial<Page>()
        change[\.number] = 1
        change[\.title] = text(4_000)
        return #expect(throws: StoreError.self) { try writer.upsert(change) }
      })
    let context = EditingContext(store)
    let row = try #require(try context.fetch(ModelRequest<Page>()).first)
    try row.set(\.title, to: text(4_000))

    let saved = #expect(throws: StoreError.self) { try context.save() }

    #expect(partial.keys == ["title"])
    #expect(saved?.keys == ["title"])
    #expect(saved?.code == .limitExceeded)
  }

  @Test func `a long text without an index, and one that can be compressed, are stored`() throws {
    let page = Page(
      number: 1, path: String(repeating: "ab", count: 50_000), title: nil, text: text(100_000))

    try store.write { try $0.save(page) }

    #expect(try store.fetch(ModelRequest<Page>()) == [page])
  }
}
