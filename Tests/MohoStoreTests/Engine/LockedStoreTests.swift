import Fixtures
import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

@Suite struct LockedStoreTests {
  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  @Test func aStoreIsOpenedAndReadWhileAnotherConnectionWrites() throws {
    try withFolder { folder in
      let path = folder.appending(path: "store.sqlite").path
      let store = try ModelStore(path: path, models: Episode.self)
      try store.write { try $0.save(Episode.number(1)) }

      try store.write { writer in
        try writer.save(Episode.number(2))
        let other = try ModelStore(
          path: path, models: Episode.self, configuration: StoreConfiguration(busyTimeout: 0))
        #expect(try other.fetch(ModelRequest<Episode>()) == [.number(1)])
      }
    }
  }

  @Test func aStoreThatMustBeMadeWaitsForTheOneThatWrites() throws {
    try withFolder { folder in
      let path = folder.appending(path: "store.sqlite").path
      let queue = try DatabaseQueue(path: path)
      try queue.inDatabase { database in
        try database.execute(sql: "BEGIN EXCLUSIVE")
        let error = #expect(throws: StoreError.self) {
          try ModelStore(
            path: path, models: Episode.self, configuration: StoreConfiguration(busyTimeout: 0))
        }
        #expect(error?.code == .busy)
        try database.execute(sql: "ROLLBACK")
      }
    }
  }
}
