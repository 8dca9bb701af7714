import Campaigns
import Foundation
import GRDB
import StoreTesting
import Testing

@testable import MohoRows
@testable import MohoSQLite

/// Tests the size of the write-ahead log while snapshots of an observed store
/// are open. Full campaigns use the default limit of SQLite, others a tenth of
/// the limit and of the commits.
@Suite struct LogLengthTests {
  private static let scale = Campaign.count(short: 1, full: 10)

  /// The number of pages at which SQLite checkpoints the log.
  private static let pageLimit = 100 * scale

  /// The size at which SQLite checkpoints the log.
  private static let usual = pageLimit * 4_120

  private func length(_ path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int ?? 0
  }

  private func store(_ path: String) throws -> ModelStore {
    var configuration = StoreConfiguration(externalChangesInterval: 3_600)
    configuration.watchesLog = false
    let store = try ModelStore(path: path, models: Guest.self, configuration: configuration)
    try limitLog(of: store.writer)
    return store
  }

  private func limitLog(of writer: any DatabaseWriter) throws {
    try writer.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA wal_autocheckpoint = \(Self.pageLimit)")
    }
  }

  private func write(_ town: Int, _ database: Database) throws {
    try database.execute(
      sql: "INSERT OR REPLACE INTO Guest (_moho_id, name, town) VALUES (?, ?, ?)",
      arguments: [town % 50, "guest \(town % 50)", "\(town)"])
  }

  @Test func manyCommitsOfTheStoresOwnDoNotMakeItLong() throws {
    try withStorePath { path in
      let store = try store(path)
      let (_, subscription) = try store.observe({ _ in Nothing() }) { _, _, _ in }
      for number in 0..<2_000 * Self.scale { try store.writer.write { try write(number, $0) } }

      #expect(try length(path) < Self.usual * 3 / 2)
      withExtendedLifetime(subscription) {}
    }
  }

  @Test func manyExternalCommitsDoNotMakeItLong() throws {
    try withStorePath { path in
      let store = try store(path)
      let other = try DatabaseQueue(path: path)
      try limitLog(of: other)
      let (witness, subscription) = try store.witness()
      for number in 0..<1_000 * Self.scale {
        try other.write { try write(number, $0) }
        if number % (10 * Self.scale) == 0 { try store.checkExternalCommits() }
      }

      #expect(witness.problems == [])
      #expect(try length(path) < Self.usual * 3)
      withExtendedLifetime(subscription) {}
    }
  }

  @Test func snapshotsOfOtherConnectionsDoNotMakeItEndless() throws {
    try withStorePath { path in
      let stores = try [store(path), store(path)]
      let observed = try stores.map { store in
        try store.observe({ _ in Nothing() }) { _, _, _ in }
      }
      for number in 0..<2_000 * Self.scale {
        try stores[number % 2].writer.write { try write(number, $0) }
      }

      #expect(try length(path) < Self.usual * 20)
      // After both stores find a short log, external commits are reported
      // exactly again.
      for _ in 0..<2 { for store in stores { try store.checkExternalCommits() } }
      let (witness, subscription) = try stores[0].witness()
      try stores[1].writer.write { try write(-1, $0) }
      try stores[0].checkExternalCommits()
      #expect(witness.reports.count == 1)
      #expect(witness.problems == [])
      withExtendedLifetime((observed, subscription)) {}
    }
  }

  @Test func noSnapshotIsOpenWithoutObservers() throws {
    try withStorePath { path in
      let store = try store(path)
      do {
        let observed = try store.observe({ _ in Nothing() }) { _, _, _ in }
        try store.writer.write { try write(1, $0) }
        withExtendedLifetime(observed) {}
      }
      try store.checkExternalCommits()

      try store.writer.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
      #expect(try length(path) == 0)
    }
  }

  private final class Nothing: Sendable {}
}
