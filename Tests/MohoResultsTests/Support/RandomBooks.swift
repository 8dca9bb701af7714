import MohoRows
import MohoTesting
import StoreTesting

/// Random transactions on the tables of books, with all kinds of statements.
struct RandomBooks {
  /// The statements of the last transaction.
  private(set) var statements: [String] = []
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// Executes one transaction. Rolls it back if it violates a constraint.
  mutating func commit(to store: ModelStore) throws {
    statements = transaction()
    let fails = generator.oneIn(15)
    let first = statements
    let call: [String] = generator.oneIn(5) ? [statement(), statement()] : []
    let last: [String] = call.isEmpty ? [] : [statement()]
    if !call.isEmpty { statements += ["-- undone:"] + call + ["-- afterwards:"] + last }
    do {
      try store.write { writer in
        try store.execute(first.joined(separator: ";\n"))
        if !call.isEmpty { try writer.executeUndone(call.joined(separator: ";\n")) }
        if let last = last.first { try store.execute(last) }
        if fails { throw Undone() }
      }
    } catch is Undone {
    } catch  where error.isConstraintFailure {}
  }

  /// Executes one transaction in this process or another one. Returns after the store
  /// has detected it.
  mutating func commit(to store: ModelStore, orBy writer: any ExternalWriter) throws {
    guard generator.oneIn(2) else { return try commit(to: store) }
    statements = transaction()
    try writer.commit(statements)
    // Sometimes it is detected together with a commit of this process.
    if !TestedEngine.current.detectsExternalCommitsAtOnce, generator.oneIn(4) {
      try commit(to: store)
    }
    try store.readNewest { _ in }
  }

  /// The statements of a transaction.
  private mutating func transaction() -> [String] {
    var statements: [String] = []
    for _ in 0...generator.below(generator.oneIn(8) ? 12 : 3) { statements.append(statement()) }
    if generator.oneIn(6) {
      let undone = [statement(), statement()]
      statements.insert(
        contentsOf: ["SAVEPOINT s"] + undone + ["ROLLBACK TO s", "RELEASE s"],
        at: generator.below(statements.count + 1))
    }
    return statements
  }

  private struct Undone: Error {}

  private mutating func statement() -> String {
    switch generator.below(40) {
    case 0: return "DELETE FROM \"Chapter\""
    case 1 where generator.oneIn(4): return "DELETE FROM \"Book\""
    case 2: return "UPDATE \"Book\" SET title = title, pages = pages"
    case 3: return "UPDATE \"Book\" SET pages = 30 - pages WHERE pages > \(number)"
    case 4: return TestedSQL.updateOrIgnore("Book", "id", id, to: id)
    case 5: return TestedSQL.updateOrReplace("Book", "id", id, to: id)
    case 6: return "DELETE FROM \"Shelf\" WHERE id = \(small)"
    case 7...9: return "UPDATE \"Shelf\" SET rank = \(small) WHERE id = \(small)"
    case 10: return "UPDATE \"Shelf\" SET name = \(word) WHERE id = \(small)"
    case 11, 12:
      return TestedSQL.replace("Shelf", ["id", "name", "rank"], ["\(small)", word, "\(small)"])
    case 13: return TestedSQL.updateOrIgnore("Shelf", "id", small, to: small)
    case 14...18:
      return TestedSQL.replace(
        "Chapter", ["id", "title", "length", "book"], ["\(number)", text, "\(number)", book])
    case 19, 20: return "UPDATE \"Chapter\" SET book = \(book) WHERE id = \(number)"
    case 21, 22: return "UPDATE \"Chapter\" SET length = \(number) WHERE id = \(number)"
    case 23: return "DELETE FROM \"Chapter\" WHERE id = \(number)"
    case 24: return TestedSQL.replace("Tag", ["name", "weight"], [text, "\(small)"])
    case 25: return TestedSQL.updateOrIgnore("Tag", "name", text, to: text)
    case 26, 27:
      return "INSERT INTO \"_moho_Book_tags\" (source, target)"
        + " SELECT b.id, t._moho_id FROM \"Book\" b, \"Tag\" t"
        + " WHERE b.id > \(id) AND t.name = \(text) ON CONFLICT DO NOTHING"
    case 28:
      return "DELETE FROM \"_moho_Book_tags\" WHERE target ="
        + " (SELECT _moho_id FROM \"Tag\" WHERE name = \(text))"
    case 29: return "DELETE FROM \"Book\" WHERE id = \(id)"
    case 30...33:
      return TestedSQL.replace(
        "Book", ["id", "title", "pages", "genre", "shelf"],
        ["\(id)", title, "\(number)", word, shelf])
    case 34: return "UPDATE \"Book\" SET shelf = \(shelf) WHERE id = \(id)"
    case 35: return "UPDATE \"Book\" SET genre = \(word) WHERE id = \(id)"
    case 36: return "UPDATE \"Book\" SET title = \(title) WHERE id = \(id)"
    case 37:
      return "INSERT INTO \"Book\" (id, title, pages) VALUES (\(id), \(title), \(number))"
        + " ON CONFLICT (id) DO UPDATE SET pages = excluded.pages"
    default: return "UPDATE \"Book\" SET pages = \(number), title = \(title) WHERE id = \(id)"
    }
  }

  private var id: Int { mutating get { 1 + generator.below(24) } }
  private var number: Int { mutating get { generator.below(30) } }
  private var small: Int { mutating get { 1 + generator.below(5) } }
  static let titles = [
    "title 0", "title 1", "title 2", "title 10", "Title 1", "títle 1", "TITLE 2", "ärla", "zebra",
  ]
  private var text: String {
    mutating get { "'\(Self.titles[generator.below(Self.titles.count)])'" }
  }
  /// The title of a book, with words for searches.
  private var title: String {
    mutating get {
      let number = generator.below(Self.titles.count)
      return "'\(Self.titles[number])\(number % 4 == 3 ? " of crime, and crime" : "")'"
    }
  }
  private var word: String {
    mutating get { ["NULL", "'poetry'", "'crime'", "'Crime'"][generator.below(4)] }
  }
  private var book: String {
    mutating get { "(SELECT id FROM \"Book\" WHERE id = \(id))" }
  }
  /// The shelf with a random number, or the next one if there is none.
  private var shelf: String {
    mutating get { "(SELECT id FROM \"Shelf\" ORDER BY abs(id - \(small)), id LIMIT 1)" }
  }
}
