import Foundation
import MohoMapping
import MohoResults
import MohoRows
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres

/// Stores whose connections share two connections of the server, if PgBouncer is
/// installed.
@Suite(
  .requiresPostgres,
  .enabled(if: FileManager.default.fileExists(atPath: pooler), "requires PgBouncer"))
struct PoolerTests {
  private let server: PostgresServer
  private let name: String
  private let folder: String
  private let process = Process()

  init() throws {
    server = try PostgresServer.shared()
    name = try PostgresConnection(server.emptySchema()).schemaName
    folder = server.folder + "/pool-\(name)"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o777])
    // The mode of new folders depends on the process.
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
    let settings = """
      [databases]
      postgres = host=\(server.folder) port=\(server.port) user=moho \
      connect_query='SET search_path = \(name)'
      [pgbouncer]
      listen_addr =
      unix_socket_dir = \(folder)
      listen_port = 6432
      auth_type = any
      pool_mode = transaction
      default_pool_size = 2
      """
    try Data(settings.utf8).write(to: URL(filePath: folder + "/settings"))
    let user =
      getuid() == 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = user + [pooler, "-q", folder + "/settings"]
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    while process.isRunning, (try? PostgresConnection(url)) == nil { usleep(1_000) }
  }

  private var url: String { "postgresql://moho@/postgres?host=\(folder)&port=6432" }

  @Test func `stores work and follow each other through a pooler of transactions`() async throws {
    defer { process.terminate() }
    let schema = try Schema([Track.self], entities: [])
    let stores = try (0..<3).map { _ in try ModelStore(postgres: url, schema) }
    let direct = try await ModelStore(postgres: server.url(schema: name), models: Track.self)
    let controller = try await ResultsController(
      ModelRequest<Track>().order(by: \.id), in: stores[0])
    var updates = controller.updates.makeAsyncIterator()

    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, store) in stores.enumerated() {
        group.addTask {
          for batch in 0..<10 {
            try await store.write { _ = try $0.save(Track.batch(batch * 3 + index)) }
            _ = try await store.fetch(ModelRequest<Track>().order(by: \.id))
          }
        }
      }
      try await group.waitForAll()
    }
    try await direct.write { _ = try $0.save(Track.batch(30)) }

    var count = 0
    while count < 31 * Track.countInBatch, let update = try await updates.next() {
      count = update.after.count
    }
    #expect(count == 31 * Track.countInBatch)
    // The sessions of the server belong to all clients of the pooler.
    let client = try AdministratorConnection(url)
    for _ in 0..<8 {
      #expect(
        try client.execute(
          """
          SELECT current_setting('plan_cache_mode'), current_setting('lock_timeout'),
            current_setting('idle_in_transaction_session_timeout'),
            (SELECT count(*) FROM pg_listening_channels())
          """) == [["auto", "0", "0", "0"]])
    }
    #expect(try await direct.fetchCount(ModelRequest<Track>()) == count)
  }
}

private let pooler = "/usr/sbin/pgbouncer"
