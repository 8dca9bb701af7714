import CommandTesting
import Foundation
import GRDB
import MohoMapping
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres
@testable import MohoRows
@testable import MohoSQLite

/// Stores that do not exist.
@Suite(.allEngines) struct MissingStoreTests {
  private struct Note: MappedModel {
    var id: Int

    static let mapping = Mapping("Note", Note.init, .key("id", \.id, .unique))
  }

  private let folder: TemporaryFolder
  private let location: String

  init() throws {
    folder = try TemporaryFolder()
    location =
      switch TestedEngine.current {
      case .sqlite: folder.url.appending(path: "notes.sqlite").path
      case .postgres: try PostgresServer.shared().emptySchema()
      }
  }

  private func open(createsTables: Bool) throws -> ModelStore {
    switch TestedEngine.current {
    case .sqlite:
      var configuration = StoreConfiguration()
      configuration.createsTables = createsTables
      return try ModelStore(path: location, models: Note.self, configuration: configuration)
    case .postgres:
      var configuration = PostgresConfiguration()
      configuration.createsTables = createsTables
      return try ModelStore(postgres: location, models: Note.self, configuration: configuration)
    }
  }

  @Test func `a store that does not exist is not created unless it may be`() throws {
    let error = #expect(throws: StoreError.self) { try open(createsTables: false) }

    #expect(error?.code == .storeNotFound)
    #expect(error?.suggestion != nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    try open(createsTables: true).write { try $0.save(Note(id: 1)) }
    #expect(try open(createsTables: false).fetchCount(ModelRequest<Note>()) == 1)
  }

  @Test(.engine(.sqlite)) func `no tables are created in a file without tables`() throws {
    for bytes in [Data(), try database()] {
      try bytes.write(to: URL(fileURLWithPath: location))

      let error = #expect(throws: StoreError.self) { try open(createsTables: false) }

      #expect(error?.code == .storeNotFound)
      #expect(error?.reason == "the file has no tables of the store")
      #expect(try Data(contentsOf: URL(fileURLWithPath: location)) == bytes)
    }
  }

  /// Another program's database.
  private func database() throws -> Data {
    let path = folder.url.appending(path: "other.sqlite").path
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: "CREATE TABLE other (x)") }
    try queue.close()
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }
}
