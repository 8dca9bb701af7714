import Foundation
import GRDB
import MohoChanges
import MohoResults
import MohoRows
import MohoSQLite
import Testing

/// Links that a transaction wrote before SQLite rolled it back, and that another
/// connection deletes afterwards.
@Suite(.timeLimit(.minutes(20))) final class RolledBackLinksTests {
  private let folder: URL
  private let path: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(
      path: "moho-links-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appending(path: "store.sqlite").path(percentEncoded: false)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func fill(_ store: ModelStore) throws {
    try store.write { writer in
      try writer.execute(
        sql: """
          INSERT INTO Host (id, name, rank) VALUES (1, 'a', 1), (2, 'b', 2);
          INSERT INTO Show (id, title, rank, host) VALUES (1, 'c', 1, 1);
          INSERT INTO "_moho_Show_guests" (source, target) VALUES (1, 1), (1, 2);
          """)
    }
  }

  /// Replaces a guest in a transaction that SQLite rolls back. Replacing it removes its
  /// link.
  private func replaceGuestInVain(_ store: ModelStore) {
    #expect(throws: StoreError.self) {
      try store.write { writer in
        try writer.execute(
          sql: """
            INSERT OR REPLACE INTO Host (id, name, rank) VALUES (2, 'd', 3);
            UPDATE OR ROLLBACK Host SET id = 1 WHERE id = 2;
            """)
      }
    }
  }

  private func deleteLinksExternally() throws {
    let other = try SQLConnection(path: path)
    try other.execute("DELETE FROM \"_moho_Show_guests\" WHERE target = 2")
  }

  private func guests<Model>(_ controller: ResultsController<Model>) throws -> [String] {
    try controller.snapshot.models().compactMap { ($0 as? Show)?.keyTexts[4] }
  }

  @Test func aLinkThatAnotherConnectionDeletedIsReportedWhenItReturns() async throws {
    let store = try ModelStore(
      path: path, models: Host.self, Show.self,
      configuration: StoreConfiguration(externalChangesInterval: 1_000_000))
    try fill(store)
    let controller = try await ResultsController(ModelRequest<Show>(), in: store)

    replaceGuestInVain(store)
    try deleteLinksExternally()
    _ = try await store.commits()
    #expect(try guests(controller) == ["[1]"])
    let known = controller.snapshot
    try await store.write { writer in
      try writer.execute(
        sql: "INSERT INTO \"_moho_Show_guests\" (rowid, source, target) VALUES (2, 1, 2)")
    }

    #expect(try guests(controller) == ["[1 2]"])
    #expect(controller.snapshot.generation == known.generation + 1)
    let update = try await nextUpdate(controller.updates(since: known))
    #expect(update?.changes.rows.map(\.changedKeys) == [["guests"]])
  }

  @Test(arguments: [true, false])
  func theCurrentSnapshotIsReadOnASingleConnection(_ deletesLinks: Bool) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
    let store = try ModelStore(
      adopting: queue, models: Host.self, Show.self,
      configuration: StoreConfiguration(externalChangesInterval: 1_000_000))
    try fill(store)
    let controller = try ResultsController(ModelRequest<Show>(), in: store)

    replaceGuestInVain(store)
    if deletesLinks {
      try deleteLinksExternally()
      _ = try store.commits()
    }

    #expect(try guests(controller) == [deletesLinks ? "[1]" : "[1 2]"])
  }
}
