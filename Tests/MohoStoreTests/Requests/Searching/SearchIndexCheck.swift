import GRDB
import MohoRows

/// Compares the full-text indexes of ``SearchingTests`` with new indexes of the stored rows.
enum SearchIndexCheck {
  private static let indexes = [
    ("Podcast", ["name"]), ("Episode", ["title", "summary"]), ("Chapter", ["rank"]),
  ]

  /// Returns the words that only one of the indexes has, for each row, and the numbers of
  /// postponed updates. The index can have rows that `REPLACE` has deleted.
  static func differences(in database: Database) throws -> [String] {
    try indexes.flatMap { entity, keys in
      try differences(of: entity, keys, in: database)
    }
  }

  private static func differences(
    of entity: String, _ keys: [String], in database: Database
  ) throws -> [String] {
    let index = "\"_moho search (\(entity))\""
    let columns = keys.indices.map { "c\($0)" }.joined(separator: ", ")
    try database.execute(
      sql: """
        CREATE VIRTUAL TABLE temp.fresh USING fts5(\(columns), \
        tokenize="unicode61 remove_diacritics 2");
        INSERT INTO temp.fresh (rowid, \(columns))
        SELECT _moho_id, \(keys.joined(separator: ", ")) FROM (\(rows(of: entity)));
        CREATE VIRTUAL TABLE temp.fresh_words USING fts5vocab(temp, fresh, instance);
        CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, \(index), instance);
        INSERT INTO \(index) (\(index)) VALUES ('integrity-check');
        """)
    defer {
      try? database.execute(
        sql: "DROP TABLE temp.words; DROP TABLE temp.fresh_words; DROP TABLE temp.fresh")
    }
    let stored =
      "SELECT * FROM temp.words WHERE doc IN (SELECT _moho_id FROM (\(rows(of: entity))))"
    let fresh = "SELECT * FROM temp.fresh_words"
    let texts = "SELECT rowid, \(columns) FROM temp.fresh"
    let storedTexts = "SELECT rowid, \(columns) FROM main.\(index)"
    let postponed = "SELECT count(*) FROM \"_moho search (\(entity)) postponed\""
    return try [
      ("missing", "\(fresh) EXCEPT \(stored)"), ("superfluous", "\(stored) EXCEPT \(fresh)"),
      ("missing text", "\(texts) EXCEPT \(storedTexts)"),
    ].flatMap { kind, sql in
      try Row.fetchAll(database, sql: sql).map { "\(entity), \(kind): \($0)" }
    } + (Int.fetchOne(database, sql: postponed) == 0 ? [] : ["\(entity): postponed updates"])
  }

  /// The identity of a row is a key or a column of its own.
  private static func rows(of entity: String) -> String {
    entity == "Episode"
      ? "SELECT * FROM Episode" : "SELECT id AS _moho_id, * FROM \(entity)"
  }
}
