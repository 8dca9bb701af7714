import Fixtures
import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import Testing

@Suite struct ReadOnlyTests {
  private let all = ModelRequest<Episode>()
  private let readOnly = StoreConfiguration(isReadOnly: true)

  @Test func aStoreIsReadAndNotWritten() throws {
    try withStorePath { path in
      try ModelStore(path: path, models: Episode.self).write { try $0.save(Episode.number(1)) }
      let before = try Data(contentsOf: URL(filePath: path))

      let store = try ModelStore(path: path, models: Episode.self, configuration: readOnly)
      let error = #expect(throws: StoreError.self) {
        try store.write { try $0.save(Episode.number(2)) }
      }

      #expect(error?.code == .readOnly)
      #expect(try store.fetch(all) == [.number(1)])
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }
  }

  @Test func aStoreThatIsNotThereIsNotMade() throws {
    try withStorePath { path in
      let error = #expect(throws: StoreError.self) {
        try ModelStore(path: path, models: Episode.self, configuration: readOnly)
      }

      #expect(error?.code == .cannotOpen)
      #expect(
        error?.suggestion == "the file does not exist: create it with a store that can write")
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func aStoreThatMustBeMigratedIsRefused() throws {
    try withStorePath { path in
      _ = try ModelStore(path: path, models: Note.self)

      let error = #expect(throws: StoreError.self) {
        try ModelStore(path: path, models: Episode.self, configuration: readOnly)
      }

      #expect(error?.code == .incompatibleSchema)
      #expect(error?.differences.contains { $0.entity == "Episode" && $0.change == .added } == true)
    }
  }
}
