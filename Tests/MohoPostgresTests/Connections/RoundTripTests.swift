import Fixtures
import MohoMapping
import MohoRows
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres

/// The number of times that a transaction waits for the server.
@Suite(.requiresPostgres)
struct RoundTripTests {
  private let url: String
  private let proxy: FaultyProxy
  private let store: ModelStore

  init() throws {
    let server = try PostgresServer.shared()
    url = try server.emptySchema()
    proxy = try FaultyProxy(server)
    store = try ModelStore(postgres: proxy.url(url), models: Track.self)
  }

  /// Returns the number of round trips after the statements have been prepared.
  private func roundTripCount(_ body: (Int) throws -> Void) throws -> Int {
    for number in 0..<4 {
      proxy.arm(nil)
      try body(number)
    }
    return proxy.disarm().roundTripCount
  }

  private func track(_ id: Int, batch: Int) -> Track {
    var track = Track.batch(batch)[0]
    track.id = id
    return track
  }

  @Test func `a transaction begins with its first statement`() throws {
    let counts = try [
      roundTripCount { number in
        try store.write { _ = try $0.save(track(1, batch: number)) }
      },
      roundTripCount { _ in try store.write { _ = try $0.reader.fetch(ModelRequest<Track>()) } },
      roundTripCount { _ in try store.read { _ = try $0.fetch(ModelRequest<Track>()) } },
      roundTripCount { _ in _ = try store.fetch(ModelRequest<Track>()) },
    ]

    #expect(counts == [2, 2, 2, 2])
  }

  @Test func `a transaction without statements has no round trips`() throws {
    let counts = try [
      roundTripCount { _ in try store.write { _ in } },
      roundTripCount { _ in try store.write { _ in try store.write { _ in } } },
      roundTripCount { _ in try store.read { _ in } },
    ]

    #expect(counts == [0, 0, 0])
  }

  @Test func `savepoints have no round trips of their own`() throws {
    let count = try roundTripCount { number in
      try store.write { writer in
        for id in 0..<5 {
          try store.write { _ = try $0.save(track(id, batch: number)) }
        }
      }
    }

    #expect(count == 6)
  }

  @Test func `the end of a transaction that reads ends its savepoints`() throws {
    let connection = try PostgresConnection(proxy.url(url))
    connection.begin(["BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"])
    _ = try connection.withSavepoint { try connection.query("SELECT 1") }
    #expect(connection.deferred.queries.map(\.sql) == ["RELEASE _moho_call"])
    proxy.arm(nil)

    try connection.endReading()

    #expect(proxy.disarm().roundTripCount == 1)
    #expect(!connection.isInTransaction)
    #expect(connection.deferred.queries.isEmpty)
  }

  @Test func `a nested transaction that throws is undone, and the outer one goes on`() throws {
    struct Failure: Error {}

    try store.write { writer in
      try writer.save(track(1, batch: 1))
      for hasWritten in [false, true] {
        #expect(throws: Failure.self) {
          try store.write { nested in
            if hasWritten { try nested.save(track(2, batch: 1)) }
            try store.write { _ = try $0.save(track(3, batch: 1)) }
            throw Failure()
          }
        }
      }
      try store.write { nested in
        #expect(throws: Failure.self) { try store.write { _ in throw Failure() } }
        try nested.save(track(4, batch: 1))
      }
    }

    let ids = try store.fetch(ModelRequest<Track>().order(by: \.id)).map(\.id)
    #expect(ids == [1, 4])
  }

  @Test func `an error of the first statement aborts the transaction`() throws {
    for ignoresError in [true, false] {
      var runs = 0
      let error = #expect(throws: StoreError.self) {
        try store.write { writer in
          runs += 1
          let sql = "SELECT 1 / (SELECT count(*) FROM \"Track\" WHERE false)"
          if ignoresError {
            _ = try? writer.reader.postgres.connection.query(sql)
          } else {
            try writer.reader.postgres.connection.query(sql)
          }
        }
      }
      #expect((error?.underlying as? PostgresError)?.sqlState == "22012")
      #expect(runs == 1)
    }
  }

  @Test func `a connection that is lost before the first statement is replaced`() throws {
    for ignoresError in [true, false] {
      try store.write { _ = try $0.save(track(0, batch: 0)) }
      proxy.arm(ProxyFault(.client, 1, .cut))
      var runs = 0

      try store.write { writer in
        runs += 1
        if ignoresError {
          _ = try? writer.save(track(1, batch: runs))
        } else {
          try writer.save(track(1, batch: runs))
        }
      }

      #expect(proxy.disarm().faultCount == 1)
      #expect(runs == 2)
      #expect(try store.fetch(ModelRequest<Track>().filter { $0.id == 1 }).count == 1)
    }
  }
}
