import Foundation
import MohoMapping
import MohoPostgres
import MohoResults
import MohoRows
import PostgresTesting
import Synchronization

/// Inserts rows by connections of other programs, each row in a transaction of its own, while
/// stores observe the table.
final class PostgresWriters {
  private struct Entry: MappedModel {
    var id: Int
    var text: String

    static let mapping = Mapping(
      "Entry", Entry.init, .key("id", \.id, .unique), .key("text", \.text))
  }

  /// A table in a schema of its own.
  private final class Table {
    let controllers: [ResultsController<Entry>]
    let connections: [AdministratorConnection]

    init(observers: Int, writers: Int, _ server: PostgresServer) throws {
      let url = try server.emptySchema()
      let owner = try ModelStore(postgres: url, models: Entry.self)
      let stores =
        try [owner]
        + (1..<max(1, observers)).map { _ in
          try ModelStore(postgres: url, models: Entry.self)
        }
      controllers = try stores.prefix(observers).map {
        try ResultsController(ModelRequest<Entry>().order(by: \.id), in: $0)
      }
      connections = try (0..<writers).map { _ in try AdministratorConnection(url) }
    }
  }

  private let count: Int
  private let tables: [(name: String, table: Table)]

  /// - Parameters:
  ///   - count: The number of rows.
  ///   - writers: The number of connections, which write at the same time.
  init(count: Int, writers: Int, _ server: PostgresServer) throws {
    self.count = count / writers
    tables = try [
      ("Moho, observed by one store", 1), ("Moho, observed by ten stores", 10), ("not observed", 0),
    ].map { name, observers in
      (name, try Table(observers: observers, writers: writers, server))
    }
  }

  var contenders: [Contender] {
    tables.map { name, table in
      Contender(
        name: name,
        reset: {
          try table.connections[0].execute("TRUNCATE \"Entry\"")
          try table.connections[0].execute("VACUUM \"Entry\"")
          try self.waitForObservers(of: table, count: 0)
        },
        work: { try self.insert(into: table) },
        checksum: {
          let rows = self.count * table.connections.count
          try self.waitForObservers(of: table, count: rows)
          let found = try table.connections[0].execute("SELECT count(*) FROM \"Entry\"")
          return found.first?.first.flatMap { $0 }.flatMap { Double($0) } ?? .nan
        })
    }
  }

  private func insert(into table: Table) throws {
    let failure = Mutex<(any Error)?>(nil)
    let threads = DispatchGroup()
    for (writer, connection) in table.connections.enumerated() {
      threads.enter()
      // Dispatch has fewer threads than some workloads have writers.
      Thread.detachNewThread { [count] in
        defer { threads.leave() }
        do {
          for row in 0..<count {
            try connection.execute(
              "INSERT INTO \"Entry\" (id, text) VALUES (\(writer * count + row), 'A text')")
          }
        } catch { failure.withLock { $0 = error } }
      }
    }
    threads.wait()
    if let error = failure.withLock({ $0 }) { throw error }
  }

  /// Waits until all observers have followed.
  private func waitForObservers(of table: Table, count: Int) throws {
    let end = ContinuousClock.now + .seconds(60)
    while let late = table.controllers.first(where: { $0.snapshot.count != count }) {
      guard ContinuousClock.now < end else {
        throw ChecksumMismatch(
          description: "an observer has \(late.snapshot.count) of \(count) rows")
      }
      usleep(1_000)
    }
  }
}
