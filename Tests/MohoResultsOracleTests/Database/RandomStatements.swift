/// Generates SQL statements for the tables of the oracle's models.
struct RandomStatements {
  private static let names = ["a", "b", "bb", "c", "d", "é", "z"]

  /// One of a few values, so that equal values and reverted changes are frequent.
  static func name(_ random: inout SeededRandom) -> String { quote(random.pick(names)) }

  static func plainName(_ random: inout SeededRandom) -> String { random.pick(names) }

  private static func number(_ random: inout SeededRandom) -> Int { random.below(8) }

  private static func optional(_ random: inout SeededRandom) -> String {
    random.chance(1, in: 4) ? "NULL" : "\(number(&random))"
  }

  /// The ID of an existing row, or null.
  private static func row(
    of table: String, _ random: inout SeededRandom, identity: String = "id"
  ) -> String {
    "(SELECT \(identity) FROM \(table) ORDER BY \(identity) LIMIT 1 OFFSET \(random.below(10)))"
  }

  private static func tag(_ random: inout SeededRandom) -> String {
    row(of: "Tag", &random, identity: "_moho_id")
  }

  private static func note(_ random: inout SeededRandom) -> String {
    row(of: "Note", &random, identity: "_moho_id")
  }

  static func statement(_ random: inout SeededRandom) -> String {
    switch random.below(20) {
    case 0...4: host(&random)
    case 5...8: show(&random)
    case 9...12: episode(&random)
    case 13, 14: tagStatement(&random)
    case 15: noteStatement(&random)
    case 16...18: link(&random)
    default: sweeping(&random)
    }
  }

  private static func host(_ random: inout SeededRandom) -> String {
    let id = row(of: "Host", &random)
    let orAction = random.pick(["", "", "OR REPLACE ", "OR IGNORE ", "OR ROLLBACK "])
    switch random.below(12) {
    case 0, 1: return "UPDATE Host SET name = \(name(&random)) WHERE id = \(id)"
    case 2: return "UPDATE Host SET rank = \(optional(&random)) WHERE id = \(id)"
    case 3: return "UPDATE Host SET mentor = \(row(of: "Host", &random)) WHERE id = \(id)"
    case 4:
      let network = random.chance(1, in: 4) ? "NULL" : row(of: "Network", &random)
      return "UPDATE Host SET network = \(network) WHERE id = \(id)"
    case 5, 6:
      return
        "INSERT OR REPLACE INTO Host (id, name, rank, network, mentor) VALUES"
        + " (\(1 + random.below(9)), \(name(&random)), \(optional(&random)),"
        + " \(row(of: "Network", &random)), \(row(of: "Host", &random)))"
    case 7: return "DELETE FROM Host WHERE id = \(id)"
    case 8: return "UPDATE \(orAction)Host SET id = \(1 + random.below(12)) WHERE id = \(id)"
    case 9:
      return "UPDATE Network SET name = \(name(&random)) WHERE id = \(row(of: "Network", &random))"
    case 10:
      return
        "INSERT INTO Network (id, name) VALUES (\(1 + random.below(4)), \(name(&random)))"
        + " ON CONFLICT (id) DO UPDATE SET name = excluded.name"
    default:
      return
        "INSERT OR REPLACE INTO Network SELECT id, name FROM Network"
        + " WHERE id = \(row(of: "Network", &random))"
    }
  }

  private static func show(_ random: inout SeededRandom) -> String {
    let id = row(of: "Show", &random)
    switch random.below(10) {
    case 0: return "UPDATE Show SET title = \(name(&random)) WHERE id = \(id)"
    case 1: return "UPDATE Show SET rank = \(number(&random)) WHERE id = \(id)"
    case 2, 3: return "UPDATE Show SET host = \(row(of: "Host", &random)) WHERE id = \(id)"
    case 4: return "UPDATE Show SET host = NULL WHERE id = \(id)"
    case 5: return "DELETE FROM Show WHERE id = \(id)"
    case 6:
      return
        "INSERT OR REPLACE INTO Show (id, title, rank, host) VALUES (\(1 + random.below(12)),"
        + " \(name(&random)), \(number(&random)), \(row(of: "Host", &random)))"
    case 7: return "UPDATE OR IGNORE Show SET id = \(1 + random.below(14)) WHERE id = \(id)"
    case 8: return "UPDATE Show SET rank = 99 WHERE id = \(id)"
    default:
      return
        "INSERT INTO Show (id, title, rank) VALUES (\(1 + random.below(12)), \(name(&random)),"
        + " \(number(&random))) ON CONFLICT (id) DO UPDATE SET title = excluded.title"
    }
  }

  private static func episode(_ random: inout SeededRandom) -> String {
    let id = row(of: "Episode", &random)
    switch random.below(11) {
    case 0: return "UPDATE Episode SET title = \(name(&random)) WHERE id = \(id)"
    case 1: return "UPDATE Episode SET season = \(optional(&random)) WHERE id = \(id)"
    case 2: return "UPDATE Episode SET minutes = \(number(&random)) WHERE id = \(id)"
    case 3, 4:
      return
        "UPDATE Episode SET show = \(row(of: "Show", &random)),"
        + " _moho_position_show = \(optional(&random)) WHERE id = \(id)"
    case 5: return "UPDATE Episode SET show = NULL WHERE id = \(id)"
    case 6: return "UPDATE Episode SET _moho_position_show = \(optional(&random)) WHERE id = \(id)"
    case 7: return "DELETE FROM Episode WHERE id = \(id)"
    case 8, 9:
      return
        "INSERT OR REPLACE INTO Episode (id, title, season, minutes, show, _moho_position_show)"
        + " VALUES (\(1 + random.below(14)), \(name(&random)), \(optional(&random)),"
        + " \(number(&random)), \(row(of: "Show", &random)), \(optional(&random)))"
    default:
      return "UPDATE OR REPLACE Episode SET id = \(1 + random.below(16)) WHERE id = \(id)"
    }
  }

  private static func tagStatement(_ random: inout SeededRandom) -> String {
    switch random.below(7) {
    case 0: return "UPDATE Tag SET weight = \(number(&random)) WHERE _moho_id = \(tag(&random))"
    case 1:
      return
        "UPDATE OR REPLACE Tag SET name = \(name(&random)) WHERE _moho_id = \(tag(&random))"
    case 2:
      return
        "INSERT OR REPLACE INTO Tag (name, weight) VALUES (\(name(&random)), \(number(&random)))"
    case 3:
      return
        "INSERT INTO Tag (name, weight) VALUES (\(name(&random)), \(number(&random)))"
        + " ON CONFLICT (name) DO UPDATE SET weight = excluded.weight"
    case 4: return "DELETE FROM Tag WHERE _moho_id = \(tag(&random))"
    case 5:
      return
        "UPDATE OR IGNORE Tag SET _moho_id = \(1 + random.below(12)) WHERE _moho_id = \(tag(&random))"
    default: return "UPDATE Tag SET weight = weight"
    }
  }

  private static func noteStatement(_ random: inout SeededRandom) -> String {
    let text = random.chance(1, in: 4) ? "NULL" : name(&random)
    let episode = random.chance(1, in: 4) ? "NULL" : row(of: "Episode", &random)
    switch random.below(6) {
    case 0, 1:
      return
        "INSERT INTO Note (text, weight, episode, _moho_position_episode) VALUES (\(text),"
        + " \(number(&random)), \(episode), \(optional(&random)))"
    case 2: return "UPDATE Note SET text = \(text) WHERE _moho_id = \(note(&random))"
    case 3: return "UPDATE Note SET episode = \(episode) WHERE _moho_id = \(note(&random))"
    case 4: return "UPDATE Note SET weight = \(number(&random)) WHERE _moho_id = \(note(&random))"
    default: return "DELETE FROM Note WHERE _moho_id = \(note(&random))"
    }
  }

  private static func link(_ random: inout SeededRandom) -> String {
    let orAction = random.pick(["OR REPLACE", "OR IGNORE", "OR IGNORE"])
    let host = row(of: "Host", &random)
    switch random.below(13) {
    case 0, 1:
      return
        "INSERT \(orAction) INTO \"_moho_Show_guests\" (source, target) SELECT s.id, h.id FROM Show s,"
        + " Host h WHERE s.id = \(row(of: "Show", &random)) AND h.id = \(host)"
    case 2: return "DELETE FROM \"_moho_Show_guests\" WHERE source = \(row(of: "Show", &random))"
    case 3: return "DELETE FROM \"_moho_Show_guests\" WHERE target = \(host)"
    case 4, 5:
      return
        "INSERT \(orAction) INTO \"_moho_Host_friends\" (source, target, target_position,"
        + " source_position) SELECT a.id, b.id, \(optional(&random)), \(optional(&random))"
        + " FROM Host a, Host b WHERE a.id = \(host) AND b.id = \(row(of: "Host", &random))"
    case 6: return "DELETE FROM \"_moho_Host_friends\" WHERE source = \(host)"
    case 7: return "DELETE FROM \"_moho_Host_friends\" WHERE target = \(host)"
    case 8:
      return
        "UPDATE OR REPLACE \"_moho_Host_friends\" SET target_position = \(optional(&random)), target ="
        + " coalesce(\(row(of: "Host", &random)), target) WHERE source = \(host)"
    case 9, 10:
      return
        "INSERT \(orAction) INTO \"_moho_Episode_tags\" (source, target, target_position,"
        + " source_position) SELECT e.id, g._moho_id, \(optional(&random)), \(optional(&random))"
        + " FROM Episode e, Tag g WHERE e.id = \(row(of: "Episode", &random))"
        + " AND g._moho_id = \(tag(&random))"
    case 11:
      return "DELETE FROM \"_moho_Episode_tags\" WHERE target = \(tag(&random))"
    default:
      return
        "UPDATE \"_moho_Episode_tags\" SET target_position = -target_position WHERE source ="
        + " \(row(of: "Episode", &random))"
    }
  }

  /// Statements that write many rows, or write rows without changing them.
  private static func sweeping(_ random: inout SeededRandom) -> String {
    let isEmptying = random.chance(1, in: 4)
    return random.pick([
      "UPDATE Host SET name = name", "UPDATE Episode SET title = title",
      "UPDATE \"_moho_Host_friends\" SET source = source",
      "INSERT OR REPLACE INTO \"_moho_Show_guests\" SELECT * FROM \"_moho_Show_guests\"",
      "INSERT OR REPLACE INTO \"_moho_Episode_tags\" SELECT * FROM \"_moho_Episode_tags\"",
      "UPDATE Show SET rank = (rank * 7 + 3) % 8",
      "UPDATE Episode SET minutes = (minutes * 5 + 1) % 8",
      isEmptying ? "DELETE FROM \"_moho_Show_guests\"" : "UPDATE Note SET weight = 7 - weight",
      isEmptying ? "DELETE FROM \"_moho_Host_friends\"" : "UPDATE Tag SET weight = 7 - weight",
      isEmptying ? "DELETE FROM Note" : "UPDATE Note SET text = text",
      isEmptying ? "DELETE FROM Episode" : "UPDATE Episode SET show = show",
      isEmptying ? "DELETE FROM Host" : "UPDATE Host SET rank = 7 - rank",
      "UPDATE Show SET host = (SELECT min(id) FROM Host)", "UPDATE Host SET mentor = id",
    ])
  }

  /// Statements that change the schema outside the store's tables.
  static func schemaStatement(_ random: inout SeededRandom) -> String {
    random.pick([
      "CREATE INDEX IF NOT EXISTS scratch1 ON Show (rank)", "DROP INDEX IF EXISTS scratch1",
      "CREATE TABLE IF NOT EXISTS Scratch (a)", "DROP TABLE IF EXISTS Scratch",
      "CREATE TRIGGER IF NOT EXISTS follow AFTER UPDATE OF name ON Host BEGIN UPDATE Show SET"
        + " rank = (rank + 1) % 8 WHERE host = NEW.id; END", "DROP TRIGGER IF EXISTS follow",
      "CREATE INDEX IF NOT EXISTS scratch2 ON Host (name, rank)", "DROP INDEX IF EXISTS scratch2",
    ])
  }
}
