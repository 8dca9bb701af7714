import Foundation
import MohoMapping
import MohoRows
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres

/// Connections that the server ends.
@Suite(.requiresPostgres)
struct EndedConnectionTests {
  private let server: PostgresServer
  private let url: String

  init() throws {
    server = try PostgresServer.shared()
    url = try server.emptySchema()
  }

  /// Waits until a process of the server has ended.
  private func waitForEnd(of process: Int32) throws {
    let sql = "SELECT count(*) FROM pg_stat_activity WHERE pid = \(process)"
    while try server.execute(sql) != [["0"]] { usleep(1_000) }
  }

  @Test func `a transaction that waits for too long is an error that names the setting`() throws {
    _ = try ModelStore(postgres: url, models: Track.self)
    let store = try ModelStore(
      postgres: url + "%20-cidle_in_transaction_session_timeout%3D200", models: Track.self)

    for savesLater in [true, false] {
      let error = #expect(throws: StoreError.self) {
        try store.write { writer in
          try writer.save(Track.batch(1))
          try waitForEnd(of: writer.reader.postgres.connection.processID)
          if savesLater { try writer.save(Track.batch(2)) }
        }
      }

      #expect(error?.code == .connectionLost)
      #expect(error?.suggestion?.contains("`idle_in_transaction_session_timeout`") == true)
    }
    #expect(try store.fetchCount(ModelRequest<Track>()) == 0)
    try store.write { _ = try $0.save(Track.batch(1)) }
  }

  @Test func `an idle connection that the server has ended is replaced`() throws {
    let store = try ModelStore(
      postgres: url + "%20-cidle_session_timeout%3D200", models: Track.self)
    for batch in 0..<3 {
      let process = try store.write { writer in
        try writer.save(Track.batch(batch))
        return try writer.reader.postgres.connection.processID
      }
      try waitForEnd(of: process)
    }

    #expect(try store.fetchCount(ModelRequest<Track>()) == 3 * Track.countInBatch)
  }

  @Test func `an administrator ends a connection without a trace of its transaction`() throws {
    let store = try ModelStore(postgres: url, models: Track.self)

    let error = #expect(throws: StoreError.self) {
      try store.write { writer in
        try writer.save(Track.batch(1))
        let process = try writer.reader.postgres.connection.processID
        try server.execute("SELECT pg_terminate_backend(\(process), 5000)")
      }
    }

    #expect(error?.code == .connectionLost)
    #expect(error?.reason == "terminating connection due to administrator command")
    #expect(error?.suggestion == "nothing of the transaction was committed; try again")
    #expect(try store.fetchCount(ModelRequest<Track>()) == 0)
  }

  @Test func `an observer that has lost its connection connects again at once`() throws {
    let store = try ModelStore(postgres: url, models: Track.self)
    let observation = try store.observe({ _ in Observer() }, onCommit: { _, _, _ in })
    let schema = try PostgresConnection(url).schemaName
    let listeners = "FROM pg_stat_activity WHERE application_name = '_moho \(schema)'"
    for round in 1...10 {
      let lost = try server.execute("SELECT pid \(listeners)")[0][0] ?? ""

      try server.execute("SELECT pg_terminate_backend(\(lost), 10000)")

      let start = ContinuousClock.now
      while try server.execute("SELECT pid \(listeners) AND pid <> \(lost)").isEmpty {
        usleep(1_000)
      }
      // Without this, it would notice the loss when it extends its registration.
      #expect(ContinuousClock.now - start < .seconds(10), "round \(round)")
    }
    withExtendedLifetime(observation) {}
  }
}

private final class Observer: Sendable {}
