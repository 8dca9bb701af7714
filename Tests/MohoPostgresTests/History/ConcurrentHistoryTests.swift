import Campaigns
import Foundation
import MohoMapping
import MohoRows
import MohoTesting
import PostgresTesting
import StoreTesting
import Synchronization
import Testing

@testable import MohoPostgres

private struct Counter: MappedModel, Equatable {
  var id: Int
  var version = 0

  static let mapping = Mapping(
    "Counter", Counter.init, .key("id", \.id, .unique), .key("version", \.version, default: 0))
}

/// Readers page through the history while others write, with transactions that are open for
/// a random time, and that end in another order than they began.
@Suite(.requiresPostgres)
struct ConcurrentHistoryTests {
  private static let seeds = Campaign.seeds(
    from: "MOHO_HISTORY_SEED", count: Campaign.count(short: 2, full: 30))
  private static let rowCount = 6
  private static let writerCount = 5

  /// What a transaction has done, as the writer itself knows it.
  private struct Written {
    let author: String
    /// The versions that it has given to rows. Each row has each version once.
    let versions: [Int: [Int]]
  }

  private final class Record: Sendable {
    private let state = Mutex<(written: [Written], failures: [String])>(([], []))
    private let running = Atomic<Int>(0)

    func begin() { running.add(1, ordering: .sequentiallyConsistent) }
    func end() { running.subtract(1, ordering: .sequentiallyConsistent) }
    var isDone: Bool { running.load(ordering: .sequentiallyConsistent) == 0 }
    func add(_ written: Written) { state.withLock { $0.written.append(written) } }
    func fail(_ text: String) { state.withLock { $0.failures.append(text) } }
    var written: [Written] { state.withLock { $0.written } }
    var failures: [String] { state.withLock { $0.failures } }
  }

  private let url: String

  init() throws { url = try PostgresServer.shared().emptySchema() }

  private func store() throws -> ModelStore {
    var configuration = PostgresConfiguration()
    configuration.history = .enabled()
    return try ModelStore(postgres: url, models: Counter.self, configuration: configuration)
  }

  @Test(arguments: seeds)
  func readersSeeEachCommittedTransactionOnceAndInOrder(seed: UInt64) throws {
    let setup = try store()
    try setup.write(author: "setup") { writer in
      _ = try writer.save((0..<Self.rowCount).map { Counter(id: $0) })
    }
    let (record, group) = (Record(), DispatchGroup())
    func start(_ body: @escaping @Sendable () throws -> Void) {
      group.enter()
      Thread {
        do { try body() } catch { record.fail("\(error)") }
        group.leave()
      }.start()
    }
    for number in 0..<Self.writerCount {
      record.begin()
      let connection = try PostgresConnection(url)
      start {
        defer { record.end() }
        var random = SeededGenerator(seed: seed &* 100 &+ UInt64(number))
        for step in 0..<Campaign.count(short: 25, full: 200) {
          try Self.write(
            "\(number)-\(step)", holding: number == 0 ? 20 : 2, on: connection, &random, record)
        }
      }
    }
    let results = Mutex<[(versions: [Int: Int], authors: [String])]>([])
    for number in 0..<3 {
      let store = try store()
      start {
        var random = SeededGenerator(seed: seed &* 1_000 &+ UInt64(number))
        // The rows and the position in the history of one state.
        Thread.sleep(forTimeInterval: Double(number) * 0.02)
        let (versions, start) = try store.read { reader in
          (
            Dictionary(
              uniqueKeysWithValues: try reader.fetch(ModelRequest<Counter>())
                .map { ($0.id, $0.version) }), try reader.currentHistoryToken()
          )
        }
        var (token, authors) = (start, [String]())
        var wasDone = false
        while true {
          let page = try store.fetchHistory(since: token, limit: 1 + random.below(4))
          authors += page.map { $0.author ?? "none" }
          let next = page.last?.token ?? token
          if !page.isEmpty, !(token < next) { record.fail("\(next) is not after \(token)") }
          token = next
          if page.isEmpty {
            if wasDone { break }
            wasDone = record.isDone
          }
          if random.oneIn(3) { Thread.sleep(forTimeInterval: Double(random.below(8)) / 1_000) }
        }
        results.withLock { $0.append((versions, authors)) }
      }
    }
    group.wait()
    #expect(record.failures == [], "seed \(seed)")

    let written = Dictionary(
      uniqueKeysWithValues: record.written.map { ($0.author, $0.versions) })
    #expect(written.count > Self.writerCount, "seed \(seed)")
    for (versions, authors) in results.withLock({ $0 }) {
      #expect(Set(authors).count == authors.count, "seed \(seed)")
      #expect(Set(authors).isSubset(of: written.keys), "seed \(seed)")
      for row in 0..<Self.rowCount {
        let read = authors.flatMap { written[$0]?[row] ?? [] }
        let all = written.values.flatMap { $0[row] ?? [] }.sorted()
        let start = versions[row] ?? 0
        #expect(read == all.filter { $0 > start }, "seed \(seed), row \(row)")
      }
    }
    let history = try setup.fetchHistory(since: nil)
    #expect(history.count == written.count + 1, "seed \(seed)")
    for transaction in history.dropFirst() {
      let rows = Set(transaction.changes.compactMap { $0.row.stored.map { Int($0) } })
      #expect(written[transaction.author ?? ""].map { Set($0.keys) } == rows, "seed \(seed)")
    }
  }

  private static func write(
    _ author: String, holding milliseconds: Int, on connection: PostgresConnection,
    _ random: inout SeededGenerator, _ record: Record
  ) throws {
    var versions: [Int: [Int]] = [:]
    try connection.execute("BEGIN; SET LOCAL moho.author = '=\(author)'")
    func increment(_ row: Int) throws -> Int {
      try connection.query(
        #"UPDATE "Counter" SET version = version + 1 WHERE id = \#(row) RETURNING version"#
      ).first?.int(0) ?? -1
    }
    // In the order of rows, without deadlocks.
    for row in (0..<rowCount).filter({ _ in random.oneIn(4) }) {
      if random.oneIn(4) {
        // A savepoint that is rolled back changes nothing.
        try connection.execute("SAVEPOINT s")
        _ = try increment(row)
        try connection.execute("ROLLBACK TO s")
      }
      if random.oneIn(6) { continue }
      for _ in 0...random.below(2) { versions[row, default: []].append(try increment(row)) }
      if random.oneIn(3) {
        Thread.sleep(forTimeInterval: Double(random.below(milliseconds)) / 1_000)
      }
    }
    if random.oneIn(5) { return try connection.execute("ROLLBACK") }
    try connection.execute("COMMIT")
    if !versions.isEmpty { record.add(Written(author: author, versions: versions)) }
  }
}
