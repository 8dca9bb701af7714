import Foundation
import Moho
import MohoPostgres
import PostgresTesting

/// A server with a schema, and proxies whose messages can be damaged.
final class ServerWorkspace {
  private static let schema = "faults"
  private static let password = "secret"

  private let server: PostgresServer
  /// A proxy of the socket of the server.
  private let proxy: FaultyProxy
  /// A proxy of the port of the server, or nil if it cannot encrypt connections.
  private let encryptedProxy: FaultyProxy?
  /// The store of another program, without a proxy.
  private(set) var store: ModelStore
  /// The state before the operation of a case, for its changes.
  private(set) var token: HistoryToken
  private var hasChangedTables = false

  init() throws {
    if PostgresServer.canEncrypt {
      server = try .encrypted()
      encryptedProxy = try FaultyProxy(port: server.port)
    } else {
      server = try PostgresServer()
      encryptedProxy = nil
    }
    proxy = try FaultyProxy(server)
    try server.execute(
      """
      CREATE ROLE member LOGIN SUPERUSER PASSWORD '\(Self.password)' IN ROLE secured;
      CREATE SCHEMA \(Self.schema)
      """)
    store = try ServerOperation.open.openStore(server.url(schema: Self.schema))
    token = try store.currentHistoryToken()
  }

  /// The operations that the machine supports.
  var operations: [ServerOperation] {
    ServerOperation.allCases.filter { $0 != .openEncrypted || encryptedProxy != nil }
  }

  /// Brings the tables into the state before an operation.
  func restore(before operation: ServerOperation) throws {
    if hasChangedTables || operation.changesTables {
      try? store.close()
      try server.execute(
        "DROP SCHEMA \(Self.schema) CASCADE; CREATE SCHEMA \(Self.schema)")
      hasChangedTables = operation.changesTables
      if operation.createsTables { return }
      store = try ServerOperation.open.openStore(server.url(schema: Self.schema))
    }
    try store.write { try $0.deleteHistory(before: .distantFuture) }
    try store.write { writer in
      try writer.delete(ModelRequest<Podcast>())
      try writer.delete(ModelRequest<Mark>())
      try writer.save((1...40).map { Mark.number($0) })
      try writer.save((1...4).map { Podcast.number($0) })
    }
    token = try store.currentHistoryToken()
  }

  private func proxy(of operation: ServerOperation) -> FaultyProxy {
    operation == .openEncrypted ? encryptedProxy ?? proxy : proxy
  }

  /// The URL of the server for an operation, with a proxy.
  func url(_ operation: ServerOperation) -> String {
    let options = "options=-csearch_path%3D\(Self.schema)"
    let url: String
    switch operation {
    case .openEncrypted:
      let verification = "sslmode=verify-full&sslrootcert=\(server.certificate)"
      url = server.encryptedURL(
        "\(options)&\(verification)", user: "member:\(Self.password)")
    case .openWithPassword:
      url = server.url(schema: Self.schema, user: "member:\(Self.password)")
    default: url = server.url(schema: Self.schema)
    }
    return proxy(of: operation).url(url)
  }

  /// Damages the messages of an operation from now on.
  func arm(_ fault: ProxyFault?, _ operation: ServerOperation) {
    proxy(of: operation).arm(fault, on: operation.scope)
  }

  func disarm(_ operation: ServerOperation) -> FaultyProxy.Record {
    proxy(of: operation).disarm()
  }

  /// The rows of all tables and the changes in the history since the operation began, after all
  /// transactions have ended.
  func state() throws -> [String] {
    try awaitIdleServer()
    let tables = try server.execute(
      """
      SELECT c.oid::regclass, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum)
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace = '\(Self.schema)'::regnamespace AND c.relkind = 'r'
        AND a.attnum > 0 AND NOT a.attisdropped AND NOT starts_with(c.relname, '_moho ')
      GROUP BY c.oid ORDER BY c.relname
      """)
    var lines = try tables.flatMap { table in
      let (name, columns) = (table[0] ?? "", table[1] ?? "")
      return try ["\(name): \(columns)"]
        + server.execute("SELECT row(\(columns))::text FROM \(name)")
        .map { "\(name): \($0[0] ?? "")" }.sorted()
    }
    if hasChangedTables { return lines }
    do {
      lines += try store.fetchHistory(since: token).map { transaction in
        "transaction: " + transaction.changes.map { "\($0)" }.sorted().joined(separator: ", ")
      }
    } catch let error as StoreError where error.code == .historyDeleted {
      lines.append("deleted history")
    }
    return lines
  }

  /// Waits until no client has a transaction. The server may not have noticed yet that a
  /// connection has ended.
  private func awaitIdleServer() throws {
    let end = ContinuousClock.now + .seconds(10)
    while try server.execute(
      """
      SELECT FROM pg_stat_activity WHERE backend_type = 'client backend' AND state <> 'idle'
        AND pid <> pg_backend_pid()
      """) != []
    {
      guard ContinuousClock.now < end else { throw RunningTransaction() }
      usleep(2_000)
    }
  }

  struct RunningTransaction: Error {}
}
