import GRDB
import MohoTesting
import StoreTesting

/// Generates SQL that writes series, parts, guests and their links in every way
/// that SQLite supports.
struct RandomWrites {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func below(_ limit: Int) -> Int { generator.below(limit) }

  /// Generates the statements of a transaction.
  mutating func transaction() -> [String] {
    var statements = (0...below(4)).map { _ in statement() }
    if below(5) == 0 {
      statements += ["SAVEPOINT s", statement(), statement(), "ROLLBACK TO s; RELEASE s"]
    }
    return statements
  }

  /// Executes a transaction. Does nothing if the transaction violates a
  /// constraint.
  mutating func run(on writer: any DatabaseWriter) {
    let statements = transaction()
    try? writer.write { database in
      for statement in statements { try database.execute(sql: statement) }
    }
  }

  private var row: Int { mutating get { 1 + generator.below(12) } }

  private mutating func linked(_ table: String, _ identity: String) -> String {
    "(SELECT \(identity) FROM \(table) WHERE \(identity) = \(row))"
  }

  private mutating func text() -> String {
    ["NULL", "''", "'x'", "'y\(below(3))'", "'Ä' || char(0) || 'b'"][below(5)]
  }

  private mutating func statement() -> String {
    switch below(20) {
    case 0...2:
      return "INSERT OR REPLACE INTO Guest (_moho_id, name, town)"
        + " VALUES (\(row), 'g\(row)', \(text()))"
    case 3: return "DELETE FROM Guest WHERE _moho_id = \(row)"
    case 4: return "UPDATE OR REPLACE Guest SET name = 'g\(row)' WHERE _moho_id % 5 = \(below(5))"
    case 5: return "UPDATE OR IGNORE Guest SET _moho_id = \(row) WHERE _moho_id = \(row)"
    case 6...7:
      return "INSERT OR REPLACE INTO Series (id, title, opening)"
        + " VALUES (\(row), 't\(row)', \(linked("Part", "_moho_id")))"
    case 8: return "DELETE FROM Series WHERE id = \(row)"
    case 9: return "UPDATE OR IGNORE Series SET id = \(row) WHERE id = \(row)"
    case 10...12:
      return "INSERT OR REPLACE INTO Part"
        + " (_moho_id, code, title, show, speaker, notes, _moho_position_show)"
        + " VALUES (\(row), 'c\(row)', 't', \(linked("Series", "id")),"
        + " \(linked("Guest", "_moho_id")), '[]', \(below(3)))"
    case 13: return "UPDATE Part SET show = \(linked("Series", "id")) WHERE _moho_id = \(row)"
    case 14: return "UPDATE Part SET _moho_position_show = \(row) WHERE _moho_id = \(row)"
    case 15...16:
      return "INSERT OR REPLACE INTO _moho_Series_guests (rowid, source, target)"
        + " SELECT \(row), Series.id, Guest._moho_id FROM Series, Guest"
        + " WHERE Series.id = \(row) AND Guest._moho_id = \(row)"
    case 17: return "DELETE FROM _moho_Series_guests WHERE rowid % 3 = \(below(3))"
    case 18:
      return "INSERT OR IGNORE INTO _moho_Series_related (source, target)"
        + " SELECT a.id, b.id FROM Series a, Series b WHERE a.id = \(row) AND b.id = \(row)"
    default:
      return ["DELETE FROM Part", "DELETE FROM Guest", "UPDATE Part SET title = title || 'x'"][
        below(3)]
    }
  }
}
