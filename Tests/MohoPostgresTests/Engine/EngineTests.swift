import Dispatch
import Foundation
import MohoMapping
import MohoRows
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres

/// The transactions of a store, without its tables.
@Suite(.requiresPostgres)
struct EngineTests {
  private let url: String
  private let store: ModelStore

  init() throws {
    url = try PostgresServer.shared().emptySchema()
    store = try ModelStore(postgres: url, Schema([]))
    let connection = try PostgresConnection(url)
    try connection.execute("CREATE TABLE t (id int8 PRIMARY KEY, value int8 NOT NULL DEFAULT 0)")
  }

  private func connection(_ reader: StoreReader) throws -> PostgresConnection {
    try reader.postgres.connection
  }

  private func connection(_ writer: StoreWriter) throws -> PostgresConnection {
    try writer.reader.postgres.connection
  }

  private func ids(_ reader: StoreReader) throws -> [Int64] {
    try connection(reader).query("SELECT id FROM t ORDER BY id").rows.map { $0.int64(0) }
  }

  private func insert(_ id: Int64, _ writer: StoreWriter) throws {
    var arguments = PostgresArguments()
    arguments.append(id)
    try connection(writer).query("INSERT INTO t (id) VALUES ($1)", arguments)
  }

  @Test func `a write is committed as a whole or not at all`() throws {
    try store.write { try insert(1, $0) }
    #expect(throws: CocoaError.self) {
      try store.write {
        try insert(2, $0)
        throw CocoaError(.featureUnsupported)
      }
    }

    #expect(try store.read { try ids($0) } == [1])
  }

  @Test func `a nested write is part of the outer one`() throws {
    try store.write { writer in
      try insert(1, writer)
      try store.write { try insert(2, $0) }
      #expect(throws: CocoaError.self) {
        try store.write {
          try insert(3, $0)
          throw CocoaError(.featureUnsupported)
        }
      }
      #expect(try store.read { try ids($0) } == [1, 2])
    }

    #expect(try store.read { try ids($0) } == [1, 2])
  }

  @Test func `an error that the closure catches is thrown by the commit`() throws {
    #expect {
      try store.write { writer in
        try insert(1, writer)
        try? insert(1, writer)
      }
    } throws: { ($0 as? StoreError)?.code == .notUnique }

    #expect(try store.read { try ids($0) } == [])
  }

  @Test func `a read sees one state while others write`() throws {
    try store.write { try insert(1, $0) }

    try store.read { reader in
      #expect(try ids(reader) == [1])
      let thread = Thread { [store] in try? store.write { try insert(2, $0) } }
      thread.start()
      while try store.engine.count(in: url) < 2 { usleep(1_000) }
      #expect(try ids(reader) == [1])
    }
    #expect(try store.read { try ids($0) } == [1, 2])
  }

  @Test(arguments: PostgresConfiguration.Isolation.allCases)
  func `concurrent increments are not lost`(isolation: PostgresConfiguration.Isolation) async throws
  {
    try await store.write { try insert(1, $0) }

    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...4 {
        group.addTask { [url] in
          var configuration = PostgresConfiguration()
          configuration.isolation = isolation
          configuration.maximumRetryCount = 100
          let store = try ModelStore(postgres: url, Schema([]), configuration)
          for _ in 1...10 {
            try await store.write { writer in
              let connection = try writer.reader.postgres.connection
              let value = try connection.query("SELECT value FROM t FOR UPDATE")[0].int64(0)
              var arguments = PostgresArguments()
              arguments.append(value + 1)
              try connection.query("UPDATE t SET value = $1", arguments)
            }
          }
        }
      }
      try await group.waitForAll()
    }

    let value = try await store.read { try connection($0).query("SELECT value FROM t")[0].int64(0) }
    #expect(value == 40)
  }

  @Test func `canceling a task interrupts its statement and rolls it back`() async throws {
    let (started, continuation) = AsyncStream.makeStream(of: Void.self)
    let task = Task { [store] in
      try await store.write { writer in
        try insert(1, writer)
        continuation.yield()
        _ = try? connection(writer).query("SELECT pg_sleep(60)")
        try? insert(2, writer)
      }
    }
    for await _ in started { break }
    task.cancel()

    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await store.read { try ids($0) } == [])
  }

  @Test func `a lost connection is replaced, and its transaction is not committed`() throws {
    #expect {
      try store.write { writer in
        try insert(1, writer)
        try PostgresServer.shared().execute(
          "SELECT pg_terminate_backend(\(connection(writer).processID))")
        try insert(2, writer)
      }
    } throws: { ($0 as? StoreError)?.code == .connectionLost }

    let reader = try store.read { try connection($0).processID }
    try PostgresServer.shared().execute("SELECT pg_terminate_backend(\(reader))")
    try store.write { try insert(3, $0) }
    #expect(try store.read { try ids($0) } == [3])
  }

  @Test func `a reader fails after its closure has returned`() throws {
    let reader = try store.read { $0 }

    #expect { try ids(reader) } throws: { ($0 as? StoreError)?.code == .invalidRequest }
  }
}

extension StoreEngine {
  fileprivate func count(in url: String) throws -> Int {
    try PostgresConnection(url).query("SELECT count(*) FROM t")[0].int(0)
  }
}
