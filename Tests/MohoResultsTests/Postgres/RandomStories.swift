import MohoTesting
import PostgresTesting
import StoreTesting

/// Executes random transactions with one connection, as `psql` does.
// `@unchecked`: each is used by one thread at a time.
final class RandomStories: @unchecked Sendable {
  private let connection: AdministratorConnection
  private var generator: SeededGenerator
  /// The identities of the rows that this connection inserts are distinct from those
  /// of other connections.
  private let writer: Int
  private var nextID = 1
  private(set) var committed = 0
  /// Whether the server has ended the connection.
  var isDisconnected: Bool { connection.isLost }
  private let truncates: Bool

  init(_ url: String, seed: UInt64, writer: Int, truncates: Bool) throws {
    connection = try AdministratorConnection(url)
    generator = SeededGenerator(seed: seed &* 31 &+ UInt64(writer))
    self.writer = writer
    self.truncates = truncates
  }

  /// Executes a transaction. It may be rolled back, also because of a conflict with
  /// another connection.
  func commit() {
    let isolation = ["READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"][generator.below(3)]
    do {
      try connection.execute("BEGIN ISOLATION LEVEL \(isolation)")
      for _ in 0...generator.below(4) {
        if generator.oneIn(6) {
          try connection.execute("SAVEPOINT a")
          try connection.execute(statement())
          try connection.execute(generator.oneIn(2) ? "ROLLBACK TO a" : "RELEASE a")
        } else {
          try connection.execute(statement())
        }
      }
      try connection.execute(generator.oneIn(10) ? "ROLLBACK" : "COMMIT")
      committed += 1
    } catch {
      _ = try? connection.execute("ROLLBACK")
    }
  }

  private func newID() -> Int {
    defer { nextID += 1 }
    return writer * 100_000 + nextID
  }

  private func any(_ table: String) -> String {
    "(SELECT id FROM \"\(table)\" ORDER BY (id % 1000 * \(generator.below(1_000) + 1)) % 97 LIMIT 1)"
  }

  /// A value at the boundary of its type, or a usual one.
  private func pages(_ usual: Int) -> String {
    let boundaries = [
      "0", "-1", "9223372036854775807", "-9223372036854775808", "2147483648", "-32769",
    ]
    return generator.oneIn(12) ? boundaries[generator.below(boundaries.count)] : "\(usual)"
  }

  /// An unsigned integer at a boundary, or a usual one.
  private var words: String {
    let boundaries = [
      "NULL", "0", "9999", "10000", "9223372036854775807", "9223372036854775808",
      "18446744073709551614", "18446744073709551615",
    ]
    return generator.oneIn(2) ? boundaries[generator.below(boundaries.count)] : "7"
  }

  private func title(_ usual: String) -> String {
    let boundaries = [
      "''", "' '", "'e' || chr(769)", "'\u{e9}'", "'\u{c9}t\u{e9}'", "'\u{1f4a5}'", "chr(1)",
      "repeat('x', 255)", "repeat('\u{e9}', 129)", "repeat('long ', 1000)",
      "E'\\t\\\\ \\'\"'", "'\u{ffff}'", "chr(1114111)", "'a\r\nb'",
    ]
    return generator.oneIn(5) ? boundaries[generator.below(boundaries.count)] : "'\(usual)'"
  }

  private var genre: String {
    generator.oneIn(4) ? "NULL" : ["'crime'", "'poetry'", "'travel'"][generator.below(3)]
  }

  private func statement() -> String {
    let number = generator.below(30)
    switch generator.below(truncates ? 22 : 20) {
    case 0...2:
      return "INSERT INTO \"Story\" (id, title, pages, genre, shelf) VALUES (\(newID()),"
        + " \(title("title \(number)")), \(pages(number)), \(genre), \(any("Shelf")))"
    case 3:
      return "INSERT INTO \"Story\" (id, title, pages, genre) SELECT \(newID() * 100) + i,"
        + " 'many ' || i, i, \(genre) FROM generate_series(1, \(number)) i"
    case 4: return "DELETE FROM \"Story\" WHERE id = \(any("Story"))"
    case 5: return "DELETE FROM \"Story\" WHERE id % 5 = \(number % 5) AND pages > 10"
    case 6: return "UPDATE \"Story\" SET pages = \(pages(number)) WHERE id = \(any("Story"))"
    case 7:
      let new = title("title \(number)")
      return "UPDATE \"Story\" SET title = \(new) WHERE id = \(any("Story"))"
    case 8: return "UPDATE \"Story\" SET genre = \(genre) WHERE id = \(any("Story"))"
    case 9: return "UPDATE \"Story\" SET shelf = \(any("Shelf")) WHERE id = \(any("Story"))"
    case 10 where generator.oneIn(2):
      return "UPDATE \"Story\" SET words = \(words) WHERE id % 3 = \(number % 3)"
    case 10: return "UPDATE \"Story\" SET pages = pages, title = title"
    case 11: return "UPDATE \"Story\" SET pages = 30 - pages WHERE pages BETWEEN \(number) AND 99"
    case 12 where generator.oneIn(3):
      let boundaries = ["0", "-1", "9223372036854775807", "-9223372036854775808"]
      let id = boundaries[generator.below(4)]
      return "INSERT INTO \"Story\" (id, title, pages) VALUES (\(id), 'boundary', \(number))"
        + " ON CONFLICT (id) DO UPDATE SET pages = excluded.pages"
    case 12:
      return "UPDATE \"Story\" SET id = \(newID()) WHERE id = \(any("Story"))"
    case 13:
      return "INSERT INTO \"Shelf\" (id, name, rank) VALUES (\(newID()), 'shelf \(number)',"
        + " \(number % 4)) ON CONFLICT (id) DO UPDATE SET rank = 9"
    case 14: return "UPDATE \"Shelf\" SET rank = \(number % 4) WHERE id = \(any("Shelf"))"
    case 15: return "DELETE FROM \"Shelf\" WHERE id = \(any("Shelf"))"
    case 16:
      return "INSERT INTO \"Chapter\" (id, title, length, story) VALUES (\(newID()), 'c',"
        + " \(number), \(any("Story")))"
    case 17:
      return "UPDATE \"Chapter\" SET length = \(number), story = \(any("Story"))"
        + " WHERE id = \(any("Chapter"))"
    case 18:
      return "INSERT INTO \"Tag\" (id, weight) VALUES (\(number % 6), \(number % 5))"
        + " ON CONFLICT (id) DO UPDATE SET weight = excluded.weight"
    case 19:
      return generator.oneIn(3)
        ? "DELETE FROM \"_moho_Story_tags\" WHERE source = \(any("Story"))"
        : "INSERT INTO \"_moho_Story_tags\" (source, target) SELECT \(any("Story")), \(any("Tag"))"
          + " WHERE EXISTS (SELECT FROM \"Tag\") AND EXISTS (SELECT FROM \"Story\")"
          + " ON CONFLICT DO NOTHING"
    case 20: return "TRUNCATE \"Chapter\""
    default: return "TRUNCATE \"Story\" CASCADE"
    }
  }
}
