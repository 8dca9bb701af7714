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

private struct Account: MappedModel, Equatable {
  var id: Int
  var balance: Int

  static let mapping = Mapping(
    "Account", Account.init, .key("id", \.id, .unique), .key("balance", \.balance))
}

/// Eight writers with stores of their own change the same rows.
@Suite(.requiresPostgres)
struct ConcurrentWriterTests {
  private static let accountCount = 6
  private static let writerCount = 8

  private let url: String

  init() throws {
    url = try PostgresServer.shared().emptySchema()
  }

  private func store(_ isolation: PostgresConfiguration.Isolation) throws -> ModelStore {
    var configuration = PostgresConfiguration()
    configuration.isolation = isolation
    configuration.maximumRetryCount = 1_000
    return try ModelStore(postgres: url, models: Account.self, configuration: configuration)
  }

  /// Runs a closure on eight threads, with the store and the generator of each.
  private func onThreads(
    _ isolation: PostgresConfiguration.Isolation, seed: UInt64,
    _ body: @escaping @Sendable (ModelStore, inout SeededGenerator) throws -> Void
  ) throws {
    let group = DispatchGroup()
    let failures = Failures()
    for (index, store) in try (0..<Self.writerCount).map({ _ in try store(isolation) }).enumerated()
    {
      group.enter()
      Thread {
        var generator = SeededGenerator(seed: seed &+ UInt64(index))
        do { try body(store, &generator) } catch { failures.add("\(error)") }
        group.leave()
      }.start()
    }
    group.wait()
    #expect(failures.all == [], "seed \(seed)")
  }

  private final class Failures: Sendable {
    private let texts = Mutex<[String]>([])
    func add(_ text: String) { texts.withLock { $0.append(text) } }
    var all: [String] { texts.withLock { $0 } }
  }

  @Test func `serializable transfers of models keep the sum`() throws {
    let count = Campaign.count("MOHO_TRANSFERS", short: 10, full: 1_000)
    let seed = UInt64.random(in: 0...UInt64.max)
    let main = try store(.serializable)
    try main.write { try $0.save((0..<Self.accountCount).map { Account(id: $0, balance: 100) }) }

    try onThreads(.serializable, seed: seed) { store, generator in
      for _ in 0..<count {
        let (from, to) = (
          generator.below(Self.accountCount), generator.below(Self.accountCount)
        )
        try store.write { writer in
          var accounts = try writer.reader.fetch(
            ModelRequest<Account>().filter { $0.id == from || $0.id == to })
          for index in accounts.indices {
            if accounts[index].id == from { accounts[index].balance -= 1 }
            if accounts[index].id == to { accounts[index].balance += 1 }
          }
          try writer.save(accounts)
        }
      }
    }

    let balances = try main.fetch(ModelRequest<Account>()).map(\.balance)
    #expect(balances.reduce(0, +) == Self.accountCount * 100, "seed \(seed)")
  }

  @Test func `transfers that read committed rows keep the sum in spite of deadlocks`() throws {
    let count = Campaign.count("MOHO_TRANSFERS", short: 10, full: 1_000)
    let seed = UInt64.random(in: 0...UInt64.max)
    let main = try store(.readCommitted)
    try main.write { try $0.save((0..<Self.accountCount).map { Account(id: $0, balance: 100) }) }

    try onThreads(.readCommitted, seed: seed) { store, generator in
      for _ in 0..<count {
        let changes = [
          (generator.below(Self.accountCount), -1), (generator.below(Self.accountCount), 1),
        ]
        try store.write { writer in
          let connection = try writer.reader.postgres.connection
          for (id, change) in changes {
            try connection.execute(
              #"UPDATE "Account" SET balance = balance + \#(change) WHERE id = \#(id)"#)
          }
        }
      }
    }

    let balances = try main.fetch(ModelRequest<Account>()).map(\.balance)
    #expect(balances.reduce(0, +) == Self.accountCount * 100, "seed \(seed)")
  }

  @Test(arguments: PostgresConfiguration.Isolation.allCases)
  func `rows with the same key are saved once`(isolation: PostgresConfiguration.Isolation) throws {
    let count = Campaign.count(short: 5, full: 300)
    let seed = UInt64.random(in: 0...UInt64.max)

    try onThreads(isolation, seed: seed) { store, _ in
      for id in 0..<count {
        try store.write {
          try $0.save([Account(id: id, balance: 1), Account(id: -id, balance: 2)])
        }
      }
    }

    let ids = try store(isolation).fetch(ModelRequest<Account>().order(by: \.id)).map(\.id)
    #expect(ids == Array(-(count - 1)..<count))
  }
}
