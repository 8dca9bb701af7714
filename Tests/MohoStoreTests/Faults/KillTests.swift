import Campaigns
import CommandTesting
import Foundation
import GRDB
import MohoRows
import MohoSQLite
import MohoTesting
import StoreTesting
import Testing

/// Tests processes that are killed with SIGKILL at random times. The times of
/// successive kills are spread over the duration of the work. The environment
/// variable `MOHO_KILLS` overrides the number of kills per test.
@Suite(.serialized) struct KillTests {
  private static let batchSize = 10

  /// The times of kills as fractions of the duration of the work, one in each of
  /// as many equal parts of it, in random order.
  private static func kills(
    full: Int, _ generator: inout SeededGenerator
  ) -> [Double] {
    let count = Campaign.count("MOHO_KILLS", short: 20, full: full)
    let times = (0..<count).map { part in
      (Double(part) + Double(generator.below(1_000)) / 1_000) / Double(count)
    }
    return times.shuffled(using: &generator)
  }

  private func problems(_ queue: DatabaseQueue) throws -> [String] {
    try queue.read { database in
      try String.fetchAll(database, sql: "PRAGMA integrity_check")
        + Row.fetchAll(database, sql: "PRAGMA foreign_key_check").map { "\($0)" }
    }
  }

  @Test func acknowledgedSavesAreComplete() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    var (first, interrupted, acknowledged) = (0, 0, 0)
    try withStorePath { path in
      for (kill, time) in Self.kills(full: 120, &generator).enumerated() {
        let comment: Comment = "seed \(seed), kill \(kill)"
        let crasher = try KillableProgram(["save", "\(first)", "1000000"], store: path)
        crasher.kill(after: 0.012 * time)
        let (lines, _) = try crasher.lines()
        let saved = lines.compactMap(Int.init)

        let queue = try DatabaseQueue(path: path)
        #expect(try problems(queue) == ["ok"], comment)
        let tables = try queue.read { try $0.tableExists("Track") }
        let counts =
          try tables
          ? queue.read { database in
            try Dictionary(
              uniqueKeysWithValues: Row.fetchAll(
                database,
                sql: """
                  SELECT batch, count(*) FROM Track WHERE batch >= ?
                  AND id / \(Self.batchSize) = batch AND title LIKE 'Track %' GROUP BY batch
                  """, arguments: [first]
              ).map { ($0[0] as Int, $0[1] as Int) })
          } : [:]
        #expect(saved == Array(first..<first + saved.count), comment)
        for batch in saved { #expect(counts[batch] == Self.batchSize, comment) }
        // The batch in progress was stored completely or not at all.
        #expect(counts.values.allSatisfy { $0 == Self.batchSize }, comment)
        #expect(counts.count - saved.count <= 1, comment)
        acknowledged += saved.count
        if counts.count > saved.count { interrupted += 1 }
        first += counts.count + 1
      }
    }
    #expect(acknowledged > 0, "seed \(seed)")
  }

  @Test func aMigrationIsWholeOrNotAtAll() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    try withStorePath { path in
      _ = try KillableProgram(["save", "0", "300"], store: path).lines()
      let original = path + ".original"
      try DatabaseQueue(path: path).writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
      try FileManager.default.copyItem(atPath: path, toPath: original)
      func restore() throws {
        for suffix in ["", "-wal", "-shm"] {
          try? FileManager.default.removeItem(atPath: path + suffix)
        }
        try FileManager.default.copyItem(atPath: original, toPath: path)
      }
      func state() throws -> [String] {
        try DatabaseQueue(path: path).read { database in
          try String.fetchAll(
            database, sql: "SELECT sql FROM sqlite_schema WHERE sql NOTNULL ORDER BY name")
            + String.fetchAll(database, sql: "SELECT name FROM _moho_entities")
            + Row.fetchAll(database, sql: "SELECT * FROM Track ORDER BY id").map { "\($0)" }
        }
      }
      try restore()
      let old = try state()
      let begin = Date()
      let (lines, status) = try KillableProgram(["migrate"], store: path).lines()
      let duration = Date().timeIntervalSince(begin)
      try #require(lines == ["open", "done"])
      try #require(status == 0)
      let new = try state()
      #expect(new != old)

      var (olds, news) = (0, 0)
      for (kill, time) in Self.kills(full: 100, &generator).enumerated() {
        try restore()
        let crasher = try KillableProgram(["migrate"], store: path)
        crasher.kill(after: duration * time)
        let (lines, _) = try crasher.lines()

        let found = try state()
        #expect(found == old || found == new, "seed \(seed), kill \(kill)")
        #expect(!lines.contains("done") || found == new, "seed \(seed), kill \(kill)")
        #expect(try problems(DatabaseQueue(path: path)) == ["ok"], "seed \(seed), kill \(kill)")
        if found == old { olds += 1 } else { news += 1 }
      }
      #expect(olds > 0, "no migration was interrupted, seed \(seed)")
    }
  }

  @Test func processesThatCreateAFileAtOnceWaitForEachOther() throws {
    for round in 0..<Campaign.count(short: 5, full: 100) {
      try withStorePath { path in
        let programs = try [0, 1_000, 2_000].map {
          try KillableProgram(["save", "\($0)", "1"], store: path)
        }
        let results = try programs.map { try $0.lines() }
        #expect(results.map(\.status) == [0, 0, 0], "round \(round)")
      }
    }
  }

  @Test func concurrentWritesOfTwoProcessesLoseNothing() throws {
    try withStorePath { path in
      // The processes create the store concurrently.
      let crashers = try [0, 1_000, 2_000].map {
        try KillableProgram(["save", "\($0)", "100"], store: path)
      }
      let results = try crashers.map { try $0.lines() }

      #expect(results.map(\.status) == [0, 0, 0])
      #expect(results.map(\.lines.count) == [101, 101, 101])
      let queue = try DatabaseQueue(path: path)
      let count = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM Track") }
      #expect(count == 300 * Self.batchSize)
      #expect(try problems(queue) == ["ok"])
    }
  }
}
