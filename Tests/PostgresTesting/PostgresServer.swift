import CPostgres
import Foundation
import Synchronization

/// A private PostgreSQL server for tests, in a temporary folder and on a Unix
/// socket. It ends with this object or with the process, also if the process is
/// killed.
///
/// Tests share one server, and each test uses a schema of its own:
///
/// ```swift
/// let url = try PostgresServer.shared().emptySchema()
/// ```
public final class PostgresServer: Sendable {
  /// A failure to start or to use the server.
  public struct Failure: Error, CustomStringConvertible {
    /// The reason.
    public let description: String
  }

  /// Whether tests of PostgreSQL are skipped, with `MOHO_ENGINE=sqlite`.
  public static let isSkipped = ProcessInfo.processInfo.environment["MOHO_ENGINE"] == "sqlite"

  private static let started = Mutex<Result<PostgresServer, any Error>?>(nil)

  /// Returns the server of the process. It does not survive a crash of the
  /// machine, because it does not wait for the disk.
  public static func shared() throws -> PostgresServer {
    try started.withLock { started in
      if let started { return try started.get() }
      let result = Result { try PostgresServer() }
      started = result
      atexit { PostgresServer.endShared() }
      return try result.get()
    }
  }

  private static func endShared() {
    started.withLock { started in (try? started?.get())?.end() }
  }

  /// The folder of the cluster and its socket.
  public let folder: String
  /// The port, which is part of the name of the socket.
  public let port: Int
  private let settings: [String]
  private let state = Mutex(State())
  private static let lastSchema = Atomic<Int>(0)

  private struct State {
    var process: ServerProcess?
    var administrator: AdministratorConnection?
  }

  /// Creates a cluster and starts its server.
  ///
  /// - Parameters:
  ///   - isDurable: Whether the server waits for the disk at each commit.
  ///   - settings: Settings such as `max_connections=10`.
  ///   - port: The port, which is part of the name of the socket.
  public init(
    isDurable: Bool = false, settings: [String] = [], port: Int = 5432
  ) throws {
    (folder, self.port) = (try ServerProcess.makeFolder(inMemory: !isDurable), port)
    var settings =
      [
        "deadlock_timeout=200ms", "max_connections=200", "jit=off",
        // Tests that run at the same time lock thousands of tables.
        "max_locks_per_transaction=256",
      ] + settings
    if !isDurable {
      settings += [
        "fsync=off", "full_page_writes=off", "synchronous_commit=off", "max_wal_size=256MB",
      ]
    }
    self.settings = settings
    try ServerProcess.run(
      "initdb",
      ["-D", folder + "/data", "-U", "moho", "--auth=trust", "--no-sync", "-E", "UTF8"]
        + ServerProcess.localeOptions)
    // Members of the role `secured` need passwords.
    let rules = """
      local all +secured scram-sha-256
      local all all trust
      local replication all trust

      """
    try Data(rules.utf8).write(to: URL(filePath: folder + "/data/pg_hba.conf"))
    try start()
    try execute("CREATE ROLE secured")
  }

  /// Creates a hot standby of another server and starts it.
  public init(standbyOf primary: PostgresServer) throws {
    (folder, port) = (try ServerProcess.makeFolder(), 5432)
    settings = primary.settings
    try ServerProcess.run(
      "pg_basebackup",
      [
        "-h", primary.folder, "-U", "moho", "-D", folder + "/data", "-R", "-X", "stream",
        "--checkpoint=fast",
      ])
    try start()
  }

  deinit { end() }

  /// Starts the server again, and waits until it accepts connections.
  public func start() throws {
    try state.withLock { state in
      state.process = try ServerProcess(folder: folder, port: port, settings)
    }
    try waitUntilReady()
  }

  /// Waits until the server accepts connections.
  public func waitUntilReady() throws {
    let end = ContinuousClock.now + .seconds(60)
    while PQping(url()) != PQPING_OK {
      guard ContinuousClock.now < end, state.withLock({ $0.process?.isRunning ?? false }) else {
        let log = (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? ""
        throw Failure(description: "the server did not start: \(log.suffix(2_000))")
      }
      usleep(10_000)
    }
  }

  /// Kills all processes of the server, as the loss of power does.
  public func kill() {
    state.withLock { state in
      state.administrator = nil
      state.process?.end(.kill)
      state.process = nil
    }
  }

  /// Stops the server without waiting for its clients.
  public func stop() {
    state.withLock { state in
      state.administrator = nil
      state.process?.end(.interrupt)
      state.process = nil
    }
  }

  /// Makes a standby the primary server.
  public func promote() throws {
    try execute("SELECT pg_promote(true, 60)")
  }

  private func end() {
    state.withLock { state in
      state.administrator = nil
      if let process = state.process {
        process.send(.end)
      } else {
        try? FileManager.default.removeItem(atPath: folder)
      }
      state.process = nil
    }
  }
}

extension PostgresServer {
  /// The URL of a database and a schema of the server.
  public func url(schema: String? = nil, database: String = "postgres", user: String = "moho")
    -> String
  {
    let options = schema.map { "&options=-csearch_path%3D\($0)" } ?? ""
    return "postgresql://\(user)@/\(database)?host=\(folder)&port=\(port)\(options)"
  }

  /// Creates a schema, and returns the URL of connections to it.
  public func emptySchema() throws -> String {
    let name = "schema_\(Self.lastSchema.add(1, ordering: .relaxed).newValue)"
    try execute("CREATE SCHEMA \(name)")
    return url(schema: name)
  }

  /// Executes SQL as the administrator and returns the texts of the rows.
  @discardableResult
  public func execute(_ sql: String) throws -> [[String?]] {
    try state.withLock { state in
      if state.administrator?.isLost ?? true {
        state.administrator = try AdministratorConnection(url())
      }
      return try state.administrator?.execute(sql) ?? []
    }
  }

  /// Writes the SQL that restores a schema to a file, by `pg_dump`.
  public func dump(schema: String, to file: String) throws {
    try ServerProcess.run("pg_dump", ["-d", url(), "-n", schema, "-f", file])
  }

  /// Executes the SQL of a file, by `psql`.
  public func restore(_ file: String) throws {
    try ServerProcess.run("psql", ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", url(), "-f", file])
  }
}
