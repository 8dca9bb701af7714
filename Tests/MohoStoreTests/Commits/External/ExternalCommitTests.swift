import Campaigns
import CommandTesting
import Foundation
import GRDB
import MohoMapping
import StoreTesting
import Testing

@testable import MohoRows
@testable import MohoSQLite

/// Tests that commits of other connections and processes are reported row by
/// row.
@Suite(.timeLimit(.minutes(20))) struct ExternalCommitTests {
  /// Calls a closure with a store in a file and a second connection to the
  /// file.
  private func withTwoConnections(
    interval: TimeInterval = 3_600, watchesLog: Bool = false,
    _ body: (ModelStore, DatabaseQueue) throws -> Void
  ) throws {
    try withStorePath { path in
      var settings = StoreConfiguration(externalChangesInterval: interval)
      settings.watchesLog = watchesLog
      let store = try ModelStore(
        path: path, models: Series.self, Part.self, Guest.self, configuration: settings)
      var configuration = Configuration()
      configuration.busyMode = .timeout(60)
      try body(store, DatabaseQueue(path: path, configuration: configuration))
    }
  }

  @Test(arguments: 0..<Campaign.count(short: 15, full: 40))
  func reportsMatchTheDifferenceOfSnapshots(_: Int) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var writes = RandomWrites(seed: seed)
    try withTwoConnections { store, other in
      for _ in 0..<10 { writes.run(on: other) }
      let (witness, subscription) = try store.witness()
      for step in 0..<30 {
        for _ in 0..<writes.below(4) { writes.run(on: other) }
        var state = try other.read { try TableContents($0, store.schema) }
        witness.expect(exactly: state != witness.state)
        if writes.below(2) == 0 {
          try store.checkExternalCommits()
        } else {
          try writes.run(on: store.writer)
          state = try other.read { try TableContents($0, store.schema) }
        }
        try store.checkExternalCommits()

        #expect(witness.state == state, "seed \(seed), step \(step)")
      }
      #expect(witness.problems == [], "seed \(seed)")
      withExtendedLifetime(subscription) {}
    }
  }

  @Test(arguments: 0..<Campaign.count(short: 1, full: 3))
  func concurrentWritesAreReportedExactly(_: Int) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    try withTwoConnections(interval: 0.001) { store, other in
      let (witness, subscription) = try store.witness()
      let both: [any DatabaseWriter] = [other, try store.writer]
      DispatchQueue.concurrentPerform(iterations: 2) { index in
        var writes = RandomWrites(seed: seed &+ UInt64(index))
        for _ in 0..<400 { writes.run(on: both[index]) }
      }
      try store.checkExternalCommits()

      #expect(witness.problems == [], "seed \(seed)")
      let state = try other.read { try TableContents($0, store.schema) }
      #expect(witness.state == state, "seed \(seed)")
      withExtendedLifetime(subscription) {}
    }
  }

  @Test func manyRowsAreReportedWithoutFormerValues() throws {
    try withTwoConnections { store, other in
      func insert(_ count: Int) throws {
        try other.write { database in
          try database.execute(
            sql: """
              WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
              INSERT OR REPLACE INTO Guest (name, town) SELECT 'guest ' || i, ? FROM n
              """, arguments: [count, "\(count)"])
        }
      }
      try insert(20_000)
      let (witness, subscription) = try store.witness()
      try insert(10)
      try other.write { try $0.execute(sql: "UPDATE Guest SET town = NULL") }
      try store.checkExternalCommits()

      let written = witness.reports.last?.tables["Guest"]
      #expect(witness.reports.map(\.isComplete) == [true])
      #expect(written?.rows.count == 20_010)
      #expect(written?.before.values.count { $0 != .unknown } ?? 0 >= RowWriteSet.limit)
      withExtendedLifetime(subscription) {}
    }
  }

  @Test func externalWritesOutsideTheSchemaAreNotReported() throws {
    try withTwoConnections { store, other in
      try other.write { try $0.execute(sql: "CREATE TABLE other (x)") }
      let (witness, subscription) = try store.witness()
      try other.write { try $0.execute(sql: "INSERT INTO other VALUES (1)") }
      try store.checkExternalCommits()

      #expect(witness.reports.isEmpty)
      withExtendedLifetime(subscription) {}
    }
  }

  @Test func externalSchemaChangesMakeAReportIncomplete() throws {
    try withTwoConnections { store, other in
      let (witness, subscription) = try store.witness()
      try other.write { try $0.execute(sql: "ALTER TABLE Guest ADD COLUMN more TEXT") }
      try store.checkExternalCommits()
      try other.write { try $0.execute(sql: "INSERT INTO Guest (name) VALUES ('a')") }
      try store.checkExternalCommits()

      #expect(witness.reports.map(\.isComplete) == [false, true])
      withExtendedLifetime(subscription) {}
    }
  }

  @Test func externalCommitsAreIncompleteWithoutTheInterval() throws {
    try withTwoConnections(interval: .infinity) { store, other in
      let (witness, subscription) = try store.witness()
      try other.write { try $0.execute(sql: "INSERT INTO Guest (name) VALUES ('a')") }
      try store.write { try $0.save(Guest(name: "b")) }
      try store.write { try $0.save(Guest(name: "c")) }

      #expect(witness.reports.map(\.isComplete) == [false, true])
      withExtendedLifetime(subscription) {}
    }
  }

  @Test func externalCommitsAreIncompleteWithoutAWriteAheadLog() throws {
    try withStorePath { path in
      let store = try ModelStore(adopting: DatabaseQueue(path: path), models: Guest.self)
      let other = try DatabaseQueue(path: path)
      let (witness, subscription) = try store.witness()
      try other.write { try $0.execute(sql: "INSERT INTO Guest (name) VALUES ('a')") }
      try store.checkExternalCommits()

      #expect(witness.reports.map(\.isComplete) == [false])
      withExtendedLifetime(subscription) {}
    }
  }

  #if os(Linux)
    @Test func externalCommitsAreReportedLongBeforeTheInterval() throws {
      try withTwoConnections(watchesLog: true) { store, other in
        let told = DispatchSemaphore(value: 0)
        let (_, subscription) = try store.observe({ _ in told }) { told, _, _ in told.signal() }
        for number in 0..<20 {
          try other.write {
            try $0.execute(sql: "INSERT INTO Guest (name) VALUES (?)", arguments: ["\(number)"])
          }
          #expect(told.wait(timeout: .now() + 60) == .success)
        }
        withExtendedLifetime(subscription) {}
      }
    }
  #endif

  @Test func commitsOfAnotherProcessAreReported() throws {
    try withStorePath { path in
      _ = try KillableProgram(["save", "0", "1"], store: path).lines()
      let store = try ModelStore(
        adopting: DatabasePool(path: path), models: SavedTrack.self,
        configuration: StoreConfiguration(externalChangesInterval: 0.005))
      let (witness, subscription) = try store.witness()
      let (_, status) = try KillableProgram(["save", "1", "50"], store: path).lines()
      try store.checkExternalCommits()

      #expect(status == 0)
      #expect(witness.problems == [])
      #expect(witness.state.rows["Track"]?.count == 510)
      #expect(witness.reports.flatMap { $0.rows["Track"] ?? [] }.sorted() == Array(10..<510))
      withExtendedLifetime(subscription) {}
    }
  }

  /// A row of the other process.
  private struct SavedTrack: MappedModel {
    var id: Int
    var batch: Int
    var title: String
    var length: Double?

    static let mapping = Mapping(
      "Track", SavedTrack.init,
      .key("id", \.id, .unique), .key("batch", \.batch, .indexed), .key("title", \.title),
      .key("length", \.length))
  }
}
