import Campaigns
import CommandTesting
import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import MohoTesting
import StoreTesting
import Testing

/// Tests random uses of one file: stores that write and read, plans, other connections, and
/// programs that exit or are killed. No acknowledged save may be lost.
@Suite(.serialized) struct SharedFileTests {
  private struct Mark: MappedModel {
    var id: Int
    var text: String
    static let mapping = Mapping(
      "Mark", Mark.init, .key("id", \.id, .unique), .key("text", \.text))
  }

  @Test func acknowledgedSavesAreInTheFile() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    try withStorePath { path in
      var file = SharedFile(path: path, seed: seed)
      for round in 0..<Campaign.count("MOHO_SHARED_FILE_ROUNDS", short: 120, full: 10_000) {
        let comment: Comment = "seed \(seed), round \(round)"
        do {
          // Programs are rare among the random steps.
          if round == 60 { try file.runProgram() } else { try file.step() }
          try file.check(comment)
        } catch {
          Issue.record("\(error), seed \(seed), round \(round)")
          return
        }
      }
    }
  }

  /// A file with its users.
  private struct SharedFile {
    let path: String
    var generator: SeededGenerator
    var stores: [ModelStore] = []
    var marks = 0
    var batches = 0

    init(path: String, seed: UInt64) {
      self.path = path
      generator = SeededGenerator(seed: seed)
    }

    private func open(isReadOnly: Bool = false) throws -> ModelStore {
      try ModelStore(
        path: path, models: Mark.self,
        configuration: StoreConfiguration(busyTimeout: 60, isReadOnly: isReadOnly))
    }

    /// Returns an open store that writes, and opens one if there is none.
    private mutating func writer() throws -> ModelStore {
      let writers = stores.filter { $0.isWriter }
      if !writers.isEmpty { return writers[generator.below(writers.count)] }
      let store = try open()
      stores.append(store)
      return store
    }

    mutating func step() throws {
      switch generator.below(100) {
      case 0..<14: if stores.count < 4 { stores.append(try open()) }
      case 14..<22: if marks > 0, stores.count < 4 { stores.append(try open(isReadOnly: true)) }
      case 22..<28: _ = try ModelStore.migrationPlan(path: path, models: Mark.self)
      case 28..<48:
        if !stores.isEmpty { stores.remove(at: generator.below(stores.count)) }
      case 48..<54:
        let pool = try DatabasePool(path: path)
        _ = try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") }
        try pool.close()
      case 54..<58:
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { _ = try $0.checkpoint(.passive) }
      case 58..<62: try runProgram()
      default:
        let count = generator.oneIn(20) ? 500 : 1 + generator.below(3)
        let new = (marks..<marks + count).map { Mark(id: $0, text: "mark \($0)") }
        try writer().write { try $0.save(new) }
        marks += count
      }
    }

    /// Runs another program that saves, until it exits or is killed.
    mutating func runProgram() throws {
      let isKilled = generator.oneIn(2)
      let program = try KillableProgram(
        ["save", "\(batches)", isKilled ? "1000000" : "2"], store: path)
      if isKilled { program.kill(after: Double(generator.below(10_000)) / 1e6) }
      let (lines, status) = try program.lines()
      #expect(isKilled || status == 0)
      // A batch that was not acknowledged can be stored, too.
      batches += lines.count + 1
      let saved = lines.compactMap(Int.init)
      let queue = try DatabaseQueue(path: path)
      let count = try queue.read { database in
        guard try database.tableExists("Track") else { return 0 }
        return try Int.fetchOne(
          database, sql: "SELECT count(*) FROM Track WHERE batch >= ? AND batch <= ?",
          arguments: [saved.first ?? 0, saved.last ?? -1]) ?? 0
      }
      #expect(count == saved.count * 10)
    }

    mutating func check(_ comment: Comment) throws {
      guard marks > 0 else { return }
      let request = ModelRequest<Mark>()
      for store in stores { #expect(try store.fetchCount(request) == marks, comment) }
      guard stores.isEmpty || generator.oneIn(10) else { return }
      let queue = try DatabaseQueue(path: path)
      let (count, problems) = try queue.read { database in
        let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM Mark")
        return (count, try String.fetchAll(database, sql: "PRAGMA integrity_check"))
      }
      #expect(count == marks, comment)
      #expect(problems == ["ok"], comment)
    }
  }
}

extension ModelStore {
  fileprivate var isWriter: Bool { (try? writer.configuration.readonly) == false }
}
