import Fixtures
import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

/// Opens files with declarations that are older than those that wrote them.
@Suite struct NewerFileTests {
  private func configuration(_ version: Int, readOnly: Bool = false) -> StoreConfiguration {
    var configuration = StoreConfiguration(isReadOnly: readOnly)
    configuration.version = version
    return configuration
  }

  private func expectNewer(
    _ path: String, location: SourceLocation = #_sourceLocation, _ open: () throws -> Void
  ) throws {
    let before = try Data(contentsOf: URL(filePath: path))
    let error = #expect(throws: StoreError.self, sourceLocation: location) { try open() }
    #expect(error?.code == .newerVersion, sourceLocation: location)
    #expect(error?.subject == path, sourceLocation: location)
    #expect(try Data(contentsOf: URL(filePath: path)) == before, sourceLocation: location)
  }

  private func expectNewer(_ path: String, location: SourceLocation = #_sourceLocation) throws {
    for isReadOnly in [false, true] {
      try expectNewer(path, location: location) {
        _ = try ModelStore(
          path: path, models: Episode.self, configuration: configuration(1, readOnly: isReadOnly))
      }
    }
    try expectNewer(path, location: location) {
      _ = try ModelStore.migrationPlan(
        path: path, models: Episode.self, Note.self, configuration: configuration(1))
    }
  }

  @Test func aFileIsUnchanged() throws {
    try withStorePath { path in
      do {
        let store = try ModelStore(
          path: path, models: Episode.self, configuration: configuration(2))
        try store.write { try $0.save(Episode.number(1)) }
      }

      try expectNewer(path)
    }
  }

  @Test func aFileWithoutAWriteAheadLogIsUnchanged() throws {
    try withStorePath { path in
      _ = try ModelStore(path: path, models: Episode.self, configuration: configuration(2))
      let queue = try DatabaseQueue(path: path)
      try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
      try queue.close()

      try expectNewer(path)

      #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    }
  }

  @Test func anAdoptedDatabaseIsUnchanged() throws {
    let queue = try DatabaseQueue()
    _ = try ModelStore(adopting: queue, models: Episode.self, configuration: configuration(2))
    let before = try queue.read { try $0.dump() }

    let error = #expect(throws: StoreError.self) {
      try ModelStore(adopting: queue, models: Episode.self, Note.self)
    }

    #expect(error?.code == .newerVersion)
    #expect(try queue.read { try $0.dump() } == before)
    #expect(try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 0)
  }
}
