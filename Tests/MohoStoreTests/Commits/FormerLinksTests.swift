import Foundation
import GRDB
import MohoRows
import MohoSQLite
import StoreTesting
import Synchronization
import Testing

/// Tests the reported links before a commit.
@Suite struct FormerLinksTests {
  private final class Links: Sendable {
    struct Reported {
      var before: [String: [Int64: Int64]] = [:]
      var all: Set<Int64>?
    }
    let reported = Mutex(Reported())
  }

  /// Returns the former links of a table after SQL was executed in a store with
  /// two series, three parts, two guests and two links.
  private func links(
    _ table: String, _ column: String, usesHook: Bool = true, after sql: String
  ) throws -> Links.Reported {
    var configuration = StoreConfiguration()
    configuration.usesPreupdateHook = usesHook
    let store = try ModelStore(
      adopting: DatabaseQueue(), models: Series.self, configuration: configuration)
    try store.writer.write { database in
      try database.execute(
        sql: """
          INSERT INTO Series (id, title) VALUES (1, 'a'), (2, 'b');
          INSERT INTO Guest (_moho_id, name) VALUES (5, 'e'), (6, 'f');
          INSERT INTO Part (_moho_id, code, title, show, speaker, notes) VALUES
            (10, 'x', '', 1, 5, '[]'), (11, 'y', '', 2, NULL, '[]'), (12, 'z', '', NULL, 6, '[]');
          INSERT INTO _moho_Series_guests (rowid, source, target) VALUES (7, 1, 5), (8, 2, 6);
          """)
    }
    let (links, subscription) = try store.observe({ _ in Links() }) { links, commit, _ in
      guard let rows = try? commit.get().tables[table] else { return }
      links.reported.withLock {
        $0 = .init(before: rows.links, all: rows.formerLinks(column, of: rows.before.keys))
      }
    }
    try store.writer.write { try $0.execute(sql: sql) }
    withExtendedLifetime(subscription) {}
    return links.reported.withLock { $0 }
  }

  @Test func formerOwnersOfMovedRowsAreReported() throws {
    let links = try links(
      "Part", "show", after: "UPDATE Part SET show = 2; UPDATE Part SET show = 1 WHERE show = 2")

    #expect(links.before == ["show": [10: 1, 11: 2], "speaker": [10: 5, 12: 6]])
    #expect(links.all == [1, 2])
  }

  @Test func rowsThatComeWereLinkedToNothing() throws {
    let links = try links(
      "Part", "show",
      after: "INSERT INTO Part (_moho_id, code, title, show, notes) VALUES (20, 'n', '', 2, '[]')")

    #expect(links.before == [:])
    #expect(links.all == [])
  }

  @Test func bothEndsOfLinksAreReported() throws {
    let links = try links(
      "_moho_Series_guests", "target",
      after: "DELETE FROM Guest WHERE _moho_id = 5; UPDATE _moho_Series_guests SET source = 1")

    #expect(links.before == ["source": [7: 1, 8: 2], "target": [7: 5, 8: 6]])
    #expect(links.all == [5, 6])
  }

  @Test func withoutTheHookFormerLinksAreNotKnown() throws {
    let links = try links("Part", "show", usesHook: false, after: "UPDATE Part SET show = NULL")

    #expect(links.before == [:])
    #expect(links.all == nil)
  }

  @Test func formerLinksAreKnownOfAnyNumberOfRows() throws {
    let links = try links(
      "Part", "show",
      after: """
        WITH RECURSIVE n (i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 17000)
        INSERT INTO Part (_moho_id, code, title, notes) SELECT i, 'n' || i, '', '[]' FROM n;
        UPDATE Part SET show = NULL
        """)

    #expect(links.before["show"] == [10: 1, 11: 2])
    #expect(links.all == [1, 2])
  }
}
