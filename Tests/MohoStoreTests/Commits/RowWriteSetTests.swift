import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Synchronization
import Testing

/// Tests the reported rows of a commit for every way in which SQLite writes
/// rows, with and without the pre-update hook.
@Suite struct RowWriteSetTests {
  struct Note: MappedModel, Equatable {
    var id: Int
    var name: String
    var size: Double?

    static let mapping = Mapping(
      "Note", Note.init,
      .key("id", \.id, .unique), .key("name", \.name, .unique), .key("size", \.size))
  }

  /// The state of a row before the transaction.
  enum Before: Equatable {
    case absent, unknown
    case note(Note)
  }

  struct Situation: Sendable, CustomStringConvertible {
    let description: String
    let sql: String
    /// The reported rows with their former values.
    let rows: [Int64: RowWriteSet.RecordedRow?]
    /// The rows that are reported without the hook.
    let rowsWithoutHook: Set<Int64>

    /// - Parameters:
    ///   - old: The rows that existed before.
    ///   - new: The rows that did not exist before.
    init(
      _ description: String, _ sql: String, old: [Int64] = [], new: [Int64] = [],
      missingWithoutHook: Set<Int64> = []
    ) {
      self.description = description
      self.sql = sql
      rows = Dictionary(
        uniqueKeysWithValues: old.map { ($0, nil) } + new.map { ($0, .absent) })
      rowsWithoutHook = Set(old + new).subtracting(missingWithoutHook)
    }
  }

  static let situations = [
    Situation("insert", "INSERT INTO Note VALUES (9, 'i', NULL)", new: [9]),
    Situation("update", "UPDATE Note SET size = 5.0 WHERE id <= 2", old: [1, 2]),
    Situation("delete", "DELETE FROM Note WHERE id = 3", old: [3]),
    Situation("truncate", "DELETE FROM Note", old: [1, 2, 3, 4]),
    Situation(
      "upsert",
      """
      INSERT INTO Note VALUES (4, 'd', 4.0), (5, 'e', 5.0)
      ON CONFLICT (id) DO UPDATE SET name = 'x'
      """, old: [4], new: [5]),
    Situation(
      "an update that changes nothing", "UPDATE Note SET name = name WHERE id = 1", old: [1]),
    Situation(
      "replace with the same identity", "REPLACE INTO Note VALUES (1, 'new', NULL)", old: [1]),
    Situation(
      "replace that deletes another row", "REPLACE INTO Note VALUES (9, 'a', NULL)", old: [1],
      new: [9], missingWithoutHook: [1]),
    Situation(
      "update or replace", "UPDATE OR REPLACE Note SET name = 'b' WHERE id = 1", old: [1, 2],
      missingWithoutHook: [2]),
    Situation(
      "an identity that changes", "UPDATE Note SET id = 40 WHERE id = 4", old: [4], new: [40],
      missingWithoutHook: [4]),
    Situation(
      "identities that change places",
      """
      UPDATE Note SET id = 100 WHERE id = 1; UPDATE Note SET id = 1 WHERE id = 2;
      UPDATE Note SET id = 2 WHERE id = 100
      """, old: [1, 2], new: [100]),
    Situation(
      "rolled back to a savepoint",
      """
      UPDATE Note SET size = 1.0 WHERE id = 1; SAVEPOINT inner; DELETE FROM Note WHERE id > 2;
      INSERT INTO Note VALUES (3, 'other', 0.0); ROLLBACK TO inner; RELEASE inner
      """, old: [1, 3, 4], missingWithoutHook: [3, 4]),
    Situation(
      "inserted and deleted",
      "INSERT INTO Note VALUES (9, 'i', 0.0); DELETE FROM Note WHERE id = 9",
      new: [9]),
    Situation(
      "deleted and inserted",
      "DELETE FROM Note WHERE id = 1; INSERT INTO Note VALUES (1, 'a', 1.0)",
      old: [1]),
    Situation(
      "a trigger", "INSERT INTO Other VALUES (1); DELETE FROM Other", old: [2], new: [7]),
    Situation("other tables", "INSERT INTO Other (x) VALUES (5)", new: [7]),
    Situation("a table of the same name elsewhere", "INSERT INTO elsewhere.Note VALUES (1)"),
  ]

  @Test(arguments: situations)
  func everyWrittenRowIsReportedWithItsFormerValues(_ situation: Situation) throws {
    let written = try rows(writtenBy: situation, usesHook: true)

    #expect(written.isComplete)
    #expect(Set(written.before.keys) == Set(situation.rows.keys))
    for (row, expected) in situation.rows {
      #expect(written.before[row] == expected ?? Self.fingerprints[row], "row \(row)")
    }
  }

  @Test(arguments: situations)
  func withoutTheHookTheReportSaysThatItMayLackRows(_ situation: Situation) throws {
    let written = try rows(writtenBy: situation, usesHook: false)

    #expect(written.before.isEmpty || !written.isComplete)
    #expect(written.before.values.allSatisfy { $0 == .unknown })
    #expect(Set(written.before.keys).isSuperset(of: situation.rowsWithoutHook))
  }

  @Test func formerValuesAreRecordedUpToALimit() throws {
    let situation = Situation(
      "many",
      """
      WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 40000)
      INSERT INTO Note SELECT i, 'n' || i, NULL FROM n; UPDATE Note SET size = 7.0
      """)
    let written = try rows(writtenBy: situation, usesHook: true)

    #expect(written.before.count == 4_096 + 4)
    #expect(!written.recordsEveryRow)
    #expect(written.before[10] == .absent)
    #expect(written.before[1] == Self.fingerprints[1])
  }

  @Test func formerValuesOfFurtherRowsAreUnknown() throws {
    let (store, recorder, subscription) = try observed(usesHook: true)
    try store.writer.write { database in
      try database.execute(
        sql: """
          WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 20009)
          INSERT INTO Note SELECT i, 'n' || i, NULL FROM n
          """)
    }
    try store.writer.write { try $0.execute(sql: "UPDATE Note SET size = 7.0") }

    let before = recorder.last.map { Array($0.before.values) } ?? []
    #expect(before.count { $0 == .unknown } == 20_004 - 16_384)
    withExtendedLifetime(subscription) {}
  }

  @Test func columnsThatHaveMovedAreFoundAgain() throws {
    let (store, recorder, subscription) = try observed(usesHook: true)
    try store.writer.write { database in
      try database.execute(
        sql: """
          DROP TRIGGER t; DROP TRIGGER u;
          CREATE TABLE copy (size REAL, name TEXT NOT NULL UNIQUE, id INTEGER PRIMARY KEY) STRICT;
          INSERT INTO copy SELECT size, name, id FROM Note; DROP TABLE Note;
          ALTER TABLE copy RENAME TO Note
          """)
    }
    try store.writer.write { try $0.execute(sql: "UPDATE Note SET size = 0.0 WHERE id = 1") }

    #expect(recorder.last?.before[1] == Self.fingerprints[1])
    withExtendedLifetime(subscription) {}
  }

  @Test func nothingIsReportedWithoutSubscribers() throws {
    let (store, recorder, subscription) = try observed(usesHook: true)
    try store.writer.write { try $0.execute(sql: "DELETE FROM Note WHERE id = 1") }
    withExtendedLifetime(subscription) {}
    let count = recorder.commits.withLock { $0.count }
    do { _ = consume subscription }
    try store.writer.write { try $0.execute(sql: "DELETE FROM Note") }

    #expect(count == 1)
    #expect(recorder.commits.withLock { $0.count } == 1)
  }

  private final class Recorder: Sendable {
    let commits = Mutex<[RowWriteSet]>([])
    var last: RowWriteSet? { commits.withLock { $0.last } }
  }

  private static let notes: [Note] = [
    Note(id: 1, name: "a", size: 1), Note(id: 2, name: "b", size: nil),
    Note(id: 3, name: "c", size: -0.5), Note(id: 4, name: "", size: 4),
  ]

  /// The fingerprints of the rows before each situation.
  private static let fingerprints: [Int64: RowWriteSet.RecordedRow] = {
    guard let store = try? ModelStore(inMemory: Note.self),
      (try? store.write { try $0.save(notes) }) != nil,
      let table = store.schema.compiled.entity("Note")?.table,
      let rows = try? store.read({
        try $0.session.fingerprints(of: [1, 2, 3, 4], in: table)
      })
    else { return [:] }
    return rows.mapValues { .row($0) }
  }()

  private func observed(
    usesHook: Bool
  ) throws -> (ModelStore, Recorder, CommitSubscription) {
    var configuration = StoreConfiguration()
    configuration.usesPreupdateHook = usesHook
    let store = try ModelStore(
      adopting: DatabaseQueue(), models: Note.self, configuration: configuration)
    try store.write { try $0.save(Self.notes) }
    try store.writer.write { database in
      try database.execute(
        sql: """
          CREATE TABLE Other (x INTEGER PRIMARY KEY);
          CREATE TRIGGER t AFTER INSERT ON Other
            BEGIN INSERT INTO Note VALUES (7, 'seven', NULL); END;
          CREATE TRIGGER u AFTER DELETE ON Other
            BEGIN UPDATE Note SET size = 3.0 WHERE id = 2; END;
          """)
    }
    try store.writer.writeWithoutTransaction { database in
      try database.execute(
        sql: "ATTACH ':memory:' AS elsewhere; CREATE TABLE elsewhere.Note (x)")
    }
    let (recorder, subscription) = try store.observe({ _ in Recorder() }) { recorder, commit, _ in
      let rows = (try? commit.get())?.tables["Note"]
      recorder.commits.withLock { $0.append(rows ?? RowWriteSet(isComplete: true)) }
    }
    return (store, recorder, subscription)
  }

  private func rows(writtenBy situation: Situation, usesHook: Bool) throws -> RowWriteSet {
    let (store, recorder, subscription) = try observed(usesHook: usesHook)
    try store.writer.write { try $0.execute(sql: situation.sql) }
    withExtendedLifetime(subscription) {}
    return recorder.last ?? RowWriteSet(isComplete: true)
  }
}
