import Campaigns
import Fixtures
import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import MohoTesting
import Testing

/// Tests that damaged files lead to a documented error or to models, and never
/// to a crash.
@Suite struct DamagedFileTests {
  private static let entities: [Entity] = [.list, .task, .tag]

  /// Returns the bytes of a store that does not use a write-ahead log, so that
  /// a single file contains all of it.
  private func makeStore() throws -> Data {
    try withStorePath { path in
      do {
        let store = try ModelStore(path: path, models: Episode.self, entities: Self.entities)
        try store.write { writer in
          try writer.save(
            (1...60).map {
              Episode.number(
                $0, title: String(repeating: "Episode \($0) ", count: $0), season: $0 % 5)
            })
        }
        try store.writer.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try store.writer.close()
      }
      return try Data(contentsOf: URL(filePath: path))
    }
  }

  /// Opens, reads, writes and migrates a file with the given bytes.
  ///
  /// - Returns: The models in the file, or nil if a documented error was
  ///   thrown.
  private func use(_ data: Data, _ comment: Comment) throws -> [Episode]? {
    try withStorePath { path in
      try data.write(to: URL(filePath: path))
      func attempt<Result>(_ body: () throws -> Result) -> Result? {
        do {
          return try body()
        } catch {
          #expect(error is StoreError || error is MappingError, comment)
          return nil
        }
      }
      var models: [Episode]?
      if let store = attempt({
        try ModelStore(path: path, models: Episode.self, entities: Self.entities)
      }) {
        models = attempt { try store.fetch(ModelRequest<Episode>()) }
        _ = attempt { try store.fetch(ModelRequest<Episode>().order(by: \.publishedAt)) }
        _ = attempt { try store.write { try $0.save(Episode.number(100)) } }
        _ = attempt { try store.write { try $0.delete(ModelRequest<Episode>()) } }
        try? store.writer.close()
      }
      _ = attempt {
        try ModelStore.migrationPlan(path: path, models: Episode.self, entities: Self.entities)
      }
      _ = attempt {
        try ModelStore(
          path: path, models: Episode.self,
          entities: [Entity("List", attributes: [Attribute("label", .string, renamedFrom: "name")])]
        )
      }
      return models
    }
  }

  /// Overwrites one page after the other. No page type can survive this.
  @Test(arguments: [0x00, 0xFF, 0xA5] as [UInt8])
  func aPageThatIsOverwrittenIsNoticedOrNotRead(mask: UInt8) throws {
    let data = try makeStore()
    let whole = try use(data, "undamaged")
    #expect(whole?.count == 60)
    let pageSize = 4_096
    #expect(data.count >= 8 * pageSize)

    for page in 0..<data.count / pageSize {
      var damaged = data
      for index in page * pageSize..<(page + 1) * pageSize {
        damaged[index] = mask == 0 ? 0 : damaged[index] ^ mask
      }
      let models = try use(damaged, "page \(page + 1)")
      #expect(models == nil || models == whole, "page \(page + 1)")
    }
  }

  /// A flipped byte in a value changes the value, which cannot be detected. All
  /// other flipped bytes must not cause a crash.
  @Test func bytesThatAreFlippedNeverEndTheProcess() throws {
    let data = try makeStore()
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)

    for _ in 0..<Campaign.count(short: 30, full: 80) {
      var damaged = data
      for _ in 0..<1 + generator.below(12) {
        // The start of a page contains its structure, so it is flipped more
        // often.
        let place =
          generator.oneIn(2)
          ? generator.below(damaged.count)
          : generator.below(damaged.count / 4_096) * 4_096 + generator.below(140)
        damaged[place] ^= UInt8(1 + generator.below(255))
      }
      _ = try use(damaged, "seed \(seed)")
    }
  }

  @Test func aFileThatIsCutShortIsNoticed() throws {
    let data = try makeStore()

    for count in stride(from: 0, to: data.count, by: 3_000) {
      let models = try use(data.prefix(count), "\(count) bytes")
      #expect(models?.isEmpty != false || models?.count == 60, "\(count) bytes")
    }
  }
}
