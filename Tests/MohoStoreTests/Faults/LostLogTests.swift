import Fixtures
import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import Testing

/// Tests stores whose files are deleted, replaced or truncated while they are open.
@Suite struct LostLogTests {
  private let all = ModelRequest<Episode>()

  private func open(_ path: String) throws -> ModelStore {
    var configuration = StoreConfiguration()
    configuration.logCheckInterval = 0
    return try ModelStore(path: path, models: Episode.self, configuration: configuration)
  }

  private static let damages: [(cause: String, damage: @Sendable (String) throws -> Void)] = [
    ("deleted or replaced", { try FileManager.default.removeItem(atPath: $0) }),
    (
      "deleted or replaced",
      { path in
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.removeItem(atPath: String(path.dropLast(3)) + "shm")
      }
    ),
    (
      "deleted or replaced",
      { path in
        let copy = try Data(contentsOf: URL(filePath: path))
        try FileManager.default.removeItem(atPath: path)
        try copy.write(to: URL(filePath: path))
      }
    ),
    ("truncated", { #expect(truncate($0, 0) == 0) }),
    ("truncated", { #expect(truncate($0, 5_000) == 0) }),
  ]

  @Test(arguments: damages.indices)
  func aStoreWithoutItsLogTakesNoMoreWrites(index: Int) throws {
    try withStorePath { path in
      let (cause, damage) = Self.damages[index]
      do {
        let store = try open(path)
        try store.write { try $0.save((1...200).map { Episode.number($0) }) }
        try damage(path + "-wal")

        for _ in 0..<2 {
          let error = #expect(throws: StoreError.self) {
            try store.write { try $0.save(Episode.number(201)) }
          }
          #expect(error?.code == .damagedLog)
          #expect(error?.subject == path)
          #expect(error?.reason == "\(path)-wal was \(cause) while the store was open")
        }
        if cause != "truncated" { #expect(try store.fetchCount(all) == 200) }
      }

      // Closing the store writes the log to the file, unless the log was truncated.
      let count = try open(path).fetchCount(all)
      #expect(count == (cause == "truncated" ? 0 : 200))
    }
  }

  @Test func aLogThatOtherProgramsShortenIsIntact() throws {
    try withStorePath { path in
      let store = try open(path)
      let other = try DatabaseQueue(path: path)
      for round in 1...20 {
        try store.write { try $0.save((1...20).map { Episode.number($0 + round * 20) }) }
        try other.writeWithoutTransaction { database in
          let mode: Database.CheckpointMode = round % 2 == 0 ? .truncate : .restart
          _ = try database.checkpoint(mode)
        }
      }
      #expect(try store.fetchCount(all) == 400)
    }
  }

  @Test func aStoreThatIsAdoptedWithoutALogIsWritten() throws {
    try withStorePath { path in
      let queue = try DatabaseQueue(path: path)
      let store = try ModelStore(adopting: queue, models: Episode.self)
      try store.write { try $0.save(Episode.number(1)) }
      #expect(try store.fetchCount(all) == 1)
    }
  }

  @Test func anEmptyFileWithALogIsNotOpened() throws {
    try withStorePath { path in
      let store = try open(path)
      try store.write { try $0.save(Episode.number(1)) }
      let copy = path + ".copy"
      try Data().write(to: URL(filePath: copy))
      try FileManager.default.copyItem(atPath: path + "-wal", toPath: copy + "-wal")

      let error = #expect(throws: StoreError.self) { try open(copy) }

      #expect(
        error.map { "\($0)" } == """
          the store is damaged: the file is empty, but it has a write-ahead log - \(copy); \
          restore the file and its log from a copy
          """)
      #expect(FileManager.default.fileExists(atPath: copy + "-wal"))
      withExtendedLifetime(store) {}
    }
  }

  @Test(arguments: [10, 5_000, 8_192]) func aTruncatedFileIsNotCalledAnotherFile(size: Int) throws {
    try withStorePath { path in
      do { try open(path).write { try $0.save((1...500).map { Episode.number($0) }) } }
      #expect(truncate(path, off_t(size)) == 0)

      let error = #expect(throws: StoreError.self) { try open(path) }

      #expect(error?.suggestion?.contains("restore") == true, "\(String(describing: error))")
    }
  }
}
