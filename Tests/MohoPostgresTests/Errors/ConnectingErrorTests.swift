import Campaigns
import Foundation
import MohoMapping
import MohoRows
import MohoTesting
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres

/// Connections that cannot be made.
@Suite(.requiresPostgres)
struct ConnectingErrorTests {
  private let server: PostgresServer
  private let schema: Schema

  init() throws {
    server = try PostgresServer.shared()
    schema = try Schema([])
  }

  private func error(_ url: String) -> StoreError? {
    #expect(throws: StoreError.self) { _ = try ModelStore(postgres: url, schema) }
  }

  @Test(arguments: [
    "postgresql://user:hidden@[/x", "postgresql://user:hid@den@host/x",
    "postgresql://user:hid/den@host/x", "postgresql://user:hid?den@host/x",
    "postgresql://user:hid#den@host/x", "postgresql://user:hid%zzden@host/x",
    "postgresql://user:hid den@host/x", "postgresql://user:hid/den?x=y@host/x",
    "postgresql://user@host/x?password=hid@den", "postgresql://user@host/x?password=hid&den",
    "postgresql://user@host/x?password=hid%zzden", "postgresql://host:den/x",
    "postgresql://host:70000/x", "postgresql://host/x?nonsense=hidden",
    "postgresql:///x?sslmode=nonsense&host=/nowhere", "nonsense",
    "mysql://user:hidden@host/x", "POSTGRESQL://user:hidden@host/x",
    "host=/nowhere password=hid den", "host=/nowhere password='hid", "host=/nowhere hidden=x",
  ])
  func `an invalid connection string is not repeated in the message`(text: String) {
    let error = error(text)

    #expect(error?.code == .invalidConnectionString, "\(String(describing: error))")
    #expect(error?.suggestion != nil)
    for part in ["hid", "den"] { #expect(!"\(String(describing: error))".contains(part)) }
  }

  @Test func `a parameter whose value contains an equals sign is explained`() throws {
    let error = #expect(throws: StoreError.self) {
      _ = try PostgresAddress("postgresql://localhost/feeds?options=-csearch_path=feeds")
    }

    #expect(
      error.map { "\($0)" }?.hasSuffix(
        "the value of a parameter contains `=`;"
          + " percent-encode it, as in `options=-csearch_path%3Dfeeds`") == true)
  }

  @Test func `special characters of a password can be percent-encoded`() throws {
    let user = "u\(UUID().uuidString.prefix(8).lowercased())"
    let password = "@/:?#%&=+' \"\\[]é"
    let literal = "E'" + password.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    try server.execute("CREATE ROLE \(user) LOGIN PASSWORD \(literal) IN ROLE secured")
    let encoded = password.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""

    _ = try PostgresConnection(server.url(user: "\(user):\(encoded)"))
    #expect(error(server.url(user: "\(user):\(encoded)1"))?.code == .accessDenied)
  }

  @Test func `no part of a random password is shown`() throws {
    let user = "u\(UUID().uuidString.prefix(8).lowercased())"
    try server.execute("CREATE ROLE \(user) LOGIN PASSWORD 'right' IN ROLE secured")
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    let alphabet = Array("@/:?#%&=+'\"\\[]{}<>^| ;,.XQZJxqzj\t\n\u{1}é")
    // Parts that messages also show for other passwords.
    let common = try ["neutral", "neu@tral", "neu'tral"].flatMap { try shown($0, of: user) }
      .map(\.shown).joined()
    for _ in 1...Campaign.count(short: 10, full: 300) {
      let password = String(
        (0..<3 + generator.below(10)).map { _ in alphabet[generator.below(alphabet.count)] })
      for (text, shown) in try shown(password, of: user) {
        let letters = Array(password)
        for start in 0...letters.count - 3 {
          let part = String(letters[start..<start + 3])
          let isShown = !common.contains(part) && shown.contains(part)
          #expect(!isShown, "\(part), seed \(seed): \(text)")
        }
      }
    }
  }

  /// Returns connection strings with a wrong password, and everything that their
  /// errors can show.
  private func shown(
    _ password: String, of user: String
  ) throws -> [(text: String, shown: String)] {
    let encoded = password.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let location = "host=\(server.folder) port=5432 dbname=postgres user=\(user)"
    let texts = [
      server.url(user: "\(user):\(password)"), server.url(user: "\(user):\(encoded)"),
      server.url(user: user) + "&password=\(password)",
      server.url(user: user) + "&password=\(encoded)",
      "postgresql://\(user):\(password)@host.invalid/x",
      "postgresql://\(user):\(password)@", "\(password)://\(user):\(password)@host.invalid/x",
      "\(location) password=\(password)", "password=\(password) \(location)",
      "\(location) password='\(password)'",
    ]
    return try texts.map { text in
      do {
        let connection = try PostgresConnection(text)
        Issue.record("connected: \(text)")
        return (text, "\(connection)")
      } catch let error as StoreError {
        var dumped = ""
        dump(error, to: &dumped)
        return (
          text, "\(error) \(error.localizedDescription) \(String(reflecting: error)) \(dumped)"
        )
      }
    }
  }

  @Test func `a store does not show its password`() throws {
    let user = "u\(UUID().uuidString.prefix(8).lowercased())"
    try server.execute("CREATE ROLE \(user) LOGIN PASSWORD 'XQZJ' IN ROLE secured")
    try server.execute("CREATE SCHEMA \(user) AUTHORIZATION \(user)")
    let store = try ModelStore(postgres: server.url(schema: user, user: "\(user):XQZJ"), schema)
    var shown = "\(store) \(String(reflecting: store))"

    dump(store, to: &shown)
    dump(try store.postgres, to: &shown)

    #expect(!shown.contains("XQZJ"))
  }

  @Test func `unknown databases, users and schemas are named`() throws {
    let database = error(server.url(database: "nowhere"))
    let user = error(server.url(user: "nobody"))
    let namespace = error(server.url(schema: "nowhere"))

    #expect(database?.code == .storeNotFound)
    #expect(database?.suggestion == "create the database, or check its name")
    #expect(user?.code == .accessDenied)
    #expect(user?.suggestion == "create the user, or check its name")
    #expect(namespace?.code == .cannotOpen)
    #expect(namespace?.suggestion?.hasPrefix("create the schema") == true)
  }

  @Test func `a connection that the server refuses has advice`() throws {
    let role = "u\(UUID().uuidString.prefix(8).lowercased())"
    let statements = [
      "CREATE ROLE \(role) LOGIN CONNECTION LIMIT 0",
      "CREATE DATABASE \(role) TEMPLATE template0",
      "REVOKE CONNECT ON DATABASE \(role) FROM PUBLIC",
      "CREATE ROLE \(role)_2 LOGIN PASSWORD 'x' IN ROLE secured",
      "CREATE DATABASE \(role)_2 TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C'"
        + " LC_CTYPE 'C'",
    ]
    for sql in statements { try server.execute(sql) }
    defer {
      _ = try? server.execute("DROP DATABASE \(role)")
      _ = try? server.execute("DROP DATABASE \(role)_2")
    }
    let count = error(server.url(user: role))
    try server.execute("ALTER ROLE \(role) CONNECTION LIMIT 10")
    let right = error(server.url(database: role, user: role))
    let password = error(server.url(user: "\(role)_2"))
    let encoding = error(server.url(database: "\(role)_2"))
    let option = error(server.url() + "&options=-cnonsense%3D1")
    let socket = error("postgresql:///x?host=/nowhere")
    let host = error("postgresql://host.invalid/x")
    let address = error("postgresql://127.0.0.1:1/x")

    #expect(count?.code == .cannotConnect)
    #expect(count?.suggestion?.contains("`max_connections`") == true)
    #expect(right?.code == .accessDenied)
    #expect(right?.suggestion?.contains("CONNECT") == true)
    #expect(password?.code == .accessDenied)
    #expect(password?.suggestion?.contains("PGPASSWORD") == true)
    #expect(encoding?.code == .unsupportedServer)
    #expect(encoding?.reason.contains("LATIN1") == true)
    #expect(option?.code == .invalidConnectionString)
    #expect(socket?.code == .cannotConnect)
    #expect(socket?.subject == "postgresql:///x?host=/nowhere")
    #expect(host?.code == .cannotConnect)
    #expect(host?.suggestion == "check the name of the host")
    #expect(address?.suggestion == "check the address, and that the server is running")
  }

  @Test func `an older server is refused with its version`() throws {
    for (version, name) in [(130_004, "13"), (90_624, "9.6")] {
      let error = #expect(throws: StoreError.self) {
        try PostgresConnection.checkVersion(version)
      }
      #expect(error?.code == .unsupportedServer)
      #expect(error?.reason == "the server has PostgreSQL \(name), but 14 or later is required")
    }
    try PostgresConnection.checkVersion(140_000)
  }

  @Test(arguments: [
    (
      "SCHWERWIEGEND: Passwort-Authentifizierung fehlgeschlagen", "28P01" as String?,
      StoreError.Code.accessDenied
    ),
    ("FATAL: no pg_hba.conf entry for host \"10.0.0.1\", no encryption", "28000", .accessDenied),
    ("FATAL: the database system is starting up", "57P03", .cannotConnect),
    ("FATAL: sorry, too many clients already", "53300", .cannotConnect),
    ("FATAL: something else", "XX000", .cannotConnect),
    ("timeout expired", nil, .cannotConnect),
    ("session is read-only", nil, .cannotConnect),
  ])
  func `the code of an error does not depend on the language of the server`(
    message: String, state: String?, code: StoreError.Code
  ) throws {
    let address = try PostgresAddress("postgresql://a:secret@h1,h2:6000/x?sslmode=require")

    let error = StoreError(connecting: message, state, address)

    #expect(error.code == code)
    #expect(error.subject == "postgresql://a@h1,h2:6000/x")
    #expect(error.suggestion != nil)
    #expect(error.isServerStarting == (state == "57P03"))
  }

  @Test(arguments: [
    (
      "invalid integer value \"hunter2\" for connection option \"port\"",
      "invalid integer value \"…\" for connection option \"port\""
    ),
    ("invalid sslmode value: \"hun\"ter2\"", "invalid sslmode value: \"…\""),
    ("invalid port number: \"hunter2\"", "invalid port number: \"…\""),
    ("database \"feeds\" does not exist", "database \"feeds\" does not exist"),
  ])
  func `an invalid value of a parameter is not quoted`(message: String, shown: String) throws {
    let address = try PostgresAddress("postgresql://a@h/x")

    #expect(StoreError(connecting: message, nil, address).reason == shown)
  }

  @Test func `an error of a connection pooler has advice`() {
    var error = StoreError(
      PostgresError("prepared statement \"moho_1\" does not exist", sqlState: "26000"))

    error.explainPooler()

    #expect(error.suggestion?.contains("`pool_mode`") == true)
  }
}
