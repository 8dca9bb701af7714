import Campaigns
import MohoMapping
import MohoRows
import MohoTesting
import PostgresTesting
import StoreTesting
import Testing

/// Updates rows from the same random partial models on both engines: one after the other on
/// SQLite, and in batches on PostgreSQL.
@Suite(.enabled(if: !PostgresServer.isSkipped))
struct EnginePartialGraphTests {
  private static let seeds = Campaign.seeds(
    from: "MOHO_PARTIAL_SEED", count: Campaign.count(short: 12, full: 600))

  struct Author: MappedModel, Hashable {
    var name: String
    var town: String

    static let mapping = Mapping(
      "Author", Author.init, .key("name", \.name, .unique), .key("town", \.town))
  }

  struct Page: MappedModel, Hashable {
    var code: Int
    var text: String
    var book: ModelReference<Book>?
    var author: Author?

    static let mapping = Mapping(
      "Page", Page.init, .key("code", \.code, .unique), .key("text", \.text),
      .toOne("book", \.book, inverse: "pages"), .toOne("author", \.author))
  }

  struct Seal: MappedModel, Hashable {
    var id: Int
    var book: ModelReference<Book>?

    static let mapping = Mapping(
      "Seal", Seal.init, .key("id", \.id, .unique), .toOne("book", \.book, inverse: "seal"))
  }

  struct Book: MappedModel {
    var id: Int
    var title: String
    var author: Author?
    var editor: ModelReference<Author>?
    var seal: ModelReference<Seal>?
    var pages: [Page] = []
    var readers: [Author] = []
    var sequels: [Book] = []

    static let mapping = Mapping(
      "Book", Book.init, .key("id", \.id, .unique), .key("title", \.title),
      .toOne("author", \.author), .toOne("editor", \.editor),
      .toOne("seal", \.seal, inverse: "book"), .toMany("pages", \.pages, inverse: "book"),
      .toMany("readers", \.readers), .toMany("sequels", \.sequels))
  }

  @Test(arguments: seeds)
  func bothEnginesUpdateTheSameRowsAndThrowTheSameErrors(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let file = try TestedEngine.$current.withValue(.sqlite) { try Self.store() }
    let server = try TestedEngine.$current.withValue(.postgres) { try Self.store() }
    for round in 0..<6 {
      let partials = try Self.partials(&random)

      let outcomes = [file, server].map { Self.outcome(of: partials, in: $0) }

      try #require(outcomes[0] == outcomes[1], "seed \(seed), round \(round): \(partials)")
      let contents = try [file, server].map { try Self.content(of: $0) }
      try #require(contents[0] == contents[1], "seed \(seed), round \(round): \(partials)")
    }
  }

  private static func store() throws -> ModelStore {
    let store = try emptyStore(Book.self, Page.self, Author.self, Seal.self)
    try store.write { writer in
      try writer.save((0..<8).map { Author(name: "Author \($0)", town: "Town") })
      try writer.save(
        (0..<30).map { id in
          Book(
            id: id, title: "Book", author: Author(name: "Author \(id % 8)", town: "Town"),
            pages: [Page(code: id, text: "Page")])
        })
      try writer.save((0..<30).map { Seal(id: $0, book: nil) })
    }
    for (table, column) in [("Book", "title"), ("Author", "town")] {
      if store.isOnPostgres {
        try store.execute(
          "ALTER TABLE \"\(table)\" ADD CONSTRAINT refusal CHECK (\(column) <> 'refused')")
      } else {
        for event in ["INSERT", "UPDATE"] {
          try store.execute(
            """
            CREATE TRIGGER refusal_\(table)_\(event) BEFORE \(event) ON "\(table)"
            WHEN NEW.\(column) = 'refused' BEGIN SELECT RAISE(ABORT, 'refused'); END
            """)
        }
      }
    }
    return store
  }

  private static func partials(
    _ random: inout SeededGenerator
  ) throws -> [Partial<Book>] {
    let failureRate = random.oneIn(2) ? Int.max : 60
    // Other towns in half of the lists only: they are unequal nested models.
    let towns = random.oneIn(2) ? ["Town"] : ["Town", "Other"]
    let hasRepeatedRows = random.oneIn(2)
    var ids = Array(0..<36)
    func author(_ random: inout SeededGenerator) -> Author {
      let town = random.oneIn(failureRate) ? "refused" : random.one(of: towns)
      return Author(name: "Author \(random.below(12))", town: town)
    }
    return try (0..<random.one(of: [1, 3, 30])).map { _ in
      let id = random.below(ids.count)
      var partial = Partial<Book>()
      partial[\.id] = hasRepeatedRows ? ids[id] : ids.remove(at: id)
      if random.oneIn(2) {
        partial[\.title] = random.oneIn(failureRate) ? "refused" : random.one(of: ["a", "b"])
      }
      for _ in 0...random.below(2) {
        switch random.below(9) {
        case 0, 1, 2: partial[\.author] = author(&random)
        case 3: partial[\.author] = .some(nil)
        case 4:
          let number = random.oneIn(failureRate) ? 99 : random.below(8)
          partial[\.editor] = try ModelReference(key: "Author \(number)")
        case 5:
          partial[\.seal] = try ModelReference(key: random.below(30))
        case 6:
          partial[\.pages] = (0..<random.below(3)).map { _ in
            Page(
              code: random.below(40), text: random.one(of: ["x", "y"]),
              author: random.oneIn(2) ? author(&random) : nil)
          }
        case 7: partial[\.readers] = (0..<random.below(3)).map { _ in author(&random) }
        default:
          if random.oneIn(3) {
            partial[\.sequels] = [
              Book(
                id: random.below(40), title: random.one(of: ["a", "sequel"]),
                author: author(&random))
            ]
          }
        }
      }
      return partial
    }
  }

  /// Updates rows, and returns the report, or the rows and positions of the errors.
  private static func outcome(of partials: [Partial<Book>], in store: ModelStore) -> [String] {
    do {
      return ["\(try store.write { try $0.update(partials) })"]
    } catch let error as StoreError {
      return error.errors.map { error in
        guard let error = error as? StoreError else { return "\(error)" }
        return "\(error.path.map { "\($0)" } ?? "") \(error.subject ?? "")"
      }
    } catch {
      return ["\(error)"]
    }
  }

  private static func content(of store: ModelStore) throws -> [String] {
    let context = EditingContext(store)
    func names(_ rows: [ManagedRow], _ key: String) throws -> [String] {
      try rows.map { "\(try $0[key])" }
    }
    let books = try context.fetch("Book").map { book in
      let author = try names([book.relatedRow("author")].compactMap { $0 }, "name")
      let editor = try names([book.relatedRow("editor")].compactMap { $0 }, "name")
      let seal = try names([book.relatedRow("seal")].compactMap { $0 }, "id")
      let pages = try names(book.relatedRows("pages"), "code").sorted()
      let readers = try names(book.relatedRows("readers"), "name").sorted()
      let sequels = try names(book.relatedRows("sequels"), "id").sorted()
      let links = [author, editor, seal, pages, readers, sequels]
      return "\(try book["id"]) \(try book["title"]) \(links)"
    }
    let authors = try context.fetch("Author").map { "\(try $0["name"]) \(try $0["town"])" }
    let pages = try context.fetch("Page").map { page in
      let author = try names([page.relatedRow("author")].compactMap { $0 }, "name")
      return "\(try page["code"]) \(try page["text"]) \(author)"
    }
    return [books, authors, pages].flatMap { $0.sorted() }
  }
}
