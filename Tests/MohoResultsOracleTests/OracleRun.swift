import Foundation
import GRDB
import MohoRows
import MohoSQLite

/// A store, its controllers, and a sequence of transactions determined by a seed.
final class OracleRun {
  let seed: UInt64
  let folder: URL
  let store: ModelStore
  let other: SQLConnection
  let database: OracleDatabase
  let lists: [any FollowedList]
  let timeline = Timeline()
  /// Determines the transactions.
  var random: SeededRandom
  /// Determines the actions of consumers and readers.
  var consumers: SeededRandom
  var log: [String] = []
  /// Whether commits of the other connection have not been detected yet.
  var isUnsettled = false
  var isSchemaChanged = false
  private(set) var transactions = 0

  init(seed: UInt64) throws {
    self.seed = seed
    random = SeededRandom(seed: seed)
    consumers = SeededRandom(seed: seed &+ 1_000_003)
    folder = FileManager.default.temporaryDirectory.appending(
      path: "moho-oracle-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appending(path: "store.sqlite").path(percentEncoded: false)
    // The run determines when commits of the other connection are detected.
    var configuration = StoreConfiguration(externalChangesInterval: 1_000_000)
    configuration.watchesLog = false
    store = try Self.store(path, seed, configuration)
    other = try SQLConnection(path: path)
    database = try OracleDatabase(path: path)
    try store.writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = OFF") }
    try other.execute("PRAGMA synchronous = OFF")
    try other.execute(
      "CREATE TRIGGER refuse BEFORE UPDATE OF rank ON Show WHEN NEW.rank = 99"
        + " BEGIN SELECT RAISE(ROLLBACK, 'refused'); END")
    var setup = SeededRandom(seed: seed &+ 7)
    for _ in 0..<60 { try? other.execute(RandomStatements.statement(&setup)) }
    lists = try OracleLists(store).all
  }

  /// Opens the store with a pool of connections, or with a single connection that
  /// reads and writes.
  private static func store(
    _ path: String, _ seed: UInt64, _ configuration: StoreConfiguration
  ) throws -> ModelStore {
    guard seed % 4 == 3 else {
      return try ModelStore(
        path: path, models: Network.self, Host.self, Show.self, Episode.self, Tag.self, Note.self,
        configuration: configuration)
    }
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
    return try ModelStore(
      adopting: queue, models: Network.self, Host.self, Show.self, Episode.self, Tag.self,
      Note.self, configuration: configuration)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Runs transactions. Throws at the first disagreement.
  func run(transactions count: Int) async throws {
    do {
      try observe()
      while transactions < count {
        transactions += 1
        log.append("#\(transactions)")
        if random.chance(3, in: 10) {
          writeOnSecondConnection()
          for list in lists where consumers.chance(1, in: 12) { try list.readUnsettled(timeline) }
          if random.chance(1, in: 2) { continue }
        } else {
          try await change()
        }
        try await settle()
      }
      if isUnsettled { try await settle() }
      for list in lists { try await list.finish(timeline) }
    } catch {
      for list in lists { try? await list.finish(timeline) }
      let last = log.suffix(60).joined(separator: "\n")
      throw Disagreement(
        "seed \(seed), transaction \(transactions), moment \(timeline.now):\n\(error)\n"
          + "last transactions:\n\(last)")
    }
  }

  /// Makes the store detect all commits, and checks all lists.
  func settle() async throws {
    if isUnsettled {
      log.append("  notice")
      try notice()
    }
    try observe()
    for list in lists { try list.checkCurrent(timeline) }
    for list in lists {
      try await list.consume(timeline, &consumers)
      try list.read(timeline, &consumers)
    }
  }

  /// Makes the store detect commits of the other connection: by a commit without
  /// changes, or by a subscription.
  private func notice() throws {
    if random.chance(1, in: 2) {
      try store.write { _ in }
    } else {
      _ = try store.commits()
    }
    isUnsettled = false
  }

  private func observe() throws {
    try database.refresh()
    try timeline.append(database, isComplete: !isSchemaChanged)
    isSchemaChanged = false
    for list in lists { try list.observe(database, timeline) }
    try database.finish()
  }
}
