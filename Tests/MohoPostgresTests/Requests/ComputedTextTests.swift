import MohoMapping
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres
@testable import MohoRows

/// The rows whose texts the process reads.
@Suite(.requiresPostgres)
struct ComputedTextTests {
  struct Book: MappedModel {
    var id: Int

    static let mapping = Mapping("Book", Book.init, .key("id", \.id, .unique))
  }

  struct Shelf: MappedModel {
    var id: Int
    var text: String
    var books: [Book]

    static let mapping = Mapping(
      "Shelf", Shelf.init, .key("id", \.id, .unique), .key("text", \.text),
      .toMany("books", \.books))
  }

  @Test func `a condition on related rows needs only the texts of the given rows`() throws {
    let store = try ModelStore(
      postgres: PostgresServer.shared().emptySchema(), models: Shelf.self, Book.self)
    try store.write { writer in
      try writer.save(
        (1...2).map { Shelf(id: $0, text: "Cafe\u{301}", books: [Book(id: $0)]) })
    }
    let request = ModelRequest<Shelf>().filter { shelf in
      shelf.books.any { book in
        book.id > 0 && shelf.text.contains("cafe", [.caseInsensitive, .diacriticInsensitive])
      }
    }

    try store.read { reader in
      let resolved = try ResolvedRequest(request.rows, reader.schema)
      for (rowIDs, count) in [([1], 1), (nil, 2)] as [([Int64]?, Int)] {
        let texts = try ComputedTexts(for: resolved, among: rowIDs, reader.postgres)

        #expect(
          texts.explanation == [
            "The process computes the matches of `Shelf.text` for \(count) rows that the server"
              + " selects."
          ])
      }
    }
  }
}
