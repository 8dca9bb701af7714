import Campaigns
import Foundation
import MohoChanges
import MohoMapping
import MohoResults
import MohoRows
import MohoTesting
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres

/// Lists that follow writers, while other programs lock and truncate their tables.
@Suite(.requiresPostgres, .serialized, .timeLimit(.minutes(20)))
struct RandomLockTests {
  @Test(
    arguments: Campaign.seeds(
      from: "MOHO_LOCK_SEED", default: 1, count: Campaign.count(short: 2, full: 60)))
  func `lists follow writers while others lock their tables`(seed: UInt64) async throws {
    let url = try PostgresServer.shared().emptySchema()
    let schema = try Schema([LockedNote.self, LockedItem.self], entities: [])
    let stores = try (0..<2).map { _ in try ModelStore(postgres: url, schema) }
    let notes = try await ResultsController(
      ModelRequest<LockedNote>().order(by: \.text).order(by: \.id), in: stores[0])
    let items = try await ResultsController(
      ModelRequest<LockedItem>().order(by: \.rank).order(by: \.id), in: stores[0])
    let others = try await ResultsController(
      ModelRequest<LockedItem>().order(by: \.id, .descending), in: stores[1])
    let judges = [
      Task { try await judge(notes) }, Task { try await judge(items) },
      Task { try await judge(others) },
    ]

    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<3 {
        let connection = try AdministratorConnection(url)
        group.addTask { await write(on: connection, seed: seed * 100 + UInt64(writer)) }
      }
      let locker = try AdministratorConnection(url)
      group.addTask { try await lock(on: locker, seed: seed) }
      group.addTask { [store = stores[0]] in
        for id in 1_000..<1_020 {
          try await store.write { _ = try $0.save([LockedNote(id: id, text: "\(id)")]) }
        }
      }
      try await group.waitForAll()
    }

    let connection = try AdministratorConnection(url)
    func expect(_ sql: String, _ ids: () throws -> [Int]) async throws {
      let stored = try connection.execute(sql).compactMap { $0[0].flatMap { Int($0) } }
      let end = ContinuousClock.now + .seconds(60)
      // Rows of a snapshot can be deleted until the list has followed.
      while (try? ids()) != stored, ContinuousClock.now < end {
        try await Task.sleep(for: .milliseconds(5))
      }
      #expect(try ids() == stored, "seed \(seed)")
    }
    try await expect("SELECT id FROM \"Note\" ORDER BY text, id") {
      try notes.snapshot.models().map(\.id)
    }
    try await expect("SELECT id FROM \"Item\" ORDER BY rank, id") {
      try items.snapshot.models().map(\.id)
    }
    try await expect("SELECT id FROM \"Item\" ORDER BY id DESC") {
      try others.snapshot.models().map(\.id)
    }
    try await expect(
      """
      SELECT count(t.target) FROM "Item" i LEFT JOIN "_moho_Item_tags" t ON t.source = i.id
      GROUP BY i.id ORDER BY i.id DESC
      """
    ) { try others.snapshot.models().map(\.tags.count) }
    for judge in judges {
      judge.cancel()
      try await judge.value
    }
  }

  /// Applies each update to a table, which checks that it is legal.
  private func judge<Model>(_ controller: ResultsController<Model>) async throws {
    var known = controller.snapshot
    var table = SimulatedTable(rows: SimulatedTable.Rows(known.index) { _ in 0 })
    for try await update in controller.updates(since: known) {
      #expect(update.before.generation == known.generation)
      try table.perform(
        update.changes.batchPlan, before: SimulatedTable.Rows(known.index) { _ in 0 },
        after: SimulatedTable.Rows(update.after.index) { _ in 0 })
      known = update.after
    }
  }

  private func write(on connection: AdministratorConnection, seed: UInt64) async {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<150 {
      let (id, other) = (random.below(20), random.below(20))
      let statements = [
        "INSERT INTO \"Note\" (id, text) VALUES (\(id), '\(other)') ON CONFLICT DO NOTHING",
        "UPDATE \"Note\" SET text = '\(other)' WHERE id = \(id)",
        "DELETE FROM \"Note\" WHERE id = \(id)",
        "INSERT INTO \"Item\" (id, rank) VALUES (\(id), \(other)) ON CONFLICT DO NOTHING",
        "UPDATE \"Item\" SET rank = \(other) WHERE id = \(id)",
        "DELETE FROM \"Item\" WHERE id = \(id)",
        "INSERT INTO \"Tag\" (name) VALUES ('\(id)') ON CONFLICT DO NOTHING",
        """
        INSERT INTO "_moho_Item_tags" (source, target) SELECT i.id, t._moho_id FROM "Item" i, "Tag" t
        WHERE i.id = \(id) AND t.name = '\(other)' ON CONFLICT DO NOTHING
        """,
        "DELETE FROM \"Tag\" WHERE name = '\(id)'",
      ]
      // The locks of the programs can conflict with each other.
      _ = try? connection.execute(statements[random.below(statements.count)])
    }
  }

  private func lock(on connection: AdministratorConnection, seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed &+ 7)
    let tables = ["Item", "Note", "Tag", "_moho_Item_tags"].map { "\"\($0)\"" }
    for _ in 0..<25 {
      let locked = tables.filter { _ in random.oneIn(2) }
      try connection.execute("BEGIN")
      do {
        if !locked.isEmpty {
          try connection.execute("LOCK TABLE \(locked.joined(separator: ", "))")
        }
        if random.oneIn(5) { try connection.execute("TRUNCATE \"Note\"") }
        try await Task.sleep(for: .milliseconds(random.below(40)))
        try connection.execute(random.oneIn(3) ? "ROLLBACK" : "COMMIT")
      } catch is PostgresServer.Failure { try connection.execute("ROLLBACK") }
      try await Task.sleep(for: .milliseconds(random.below(10)))
    }
  }
}
