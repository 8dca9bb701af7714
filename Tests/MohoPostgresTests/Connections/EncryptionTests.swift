import Foundation
import MohoMapping
import MohoRows
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres

/// Encrypted connections, with a server that has a certificate of its own.
@Suite(
  .requiresPostgres,
  .enabled(if: FileManager.default.fileExists(atPath: openssl), "requires OpenSSL"))
struct EncryptionTests {
  private let server: PostgresServer
  private let port: Int
  private let certificate: String

  init() throws {
    port = try Self.freePort()
    server = try PostgresServer(settings: ["listen_addresses=127.0.0.1"], port: port)
    certificate = server.folder + "/data/server.crt"
    let key = server.folder + "/data/server.key"
    try Self.run(
      openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
      "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
      "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate)
    // The files belong to the user of the server.
    let data = server.folder + "/data"
    try Self.run("/bin/chown", "--reference", data, key, certificate)
    try Self.run("/bin/chmod", "600", key)
    // Only encrypted connections are allowed.
    let rules = try FileHandle(forWritingTo: URL(filePath: data + "/pg_hba.conf"))
    try rules.seekToEnd()
    try rules.write(contentsOf: Data("hostssl all all 127.0.0.1/32 trust\n".utf8))
    try rules.close()
    try setEncryption(true)
  }

  private static func freePort() throws -> Int {
    let descriptor = socket(AF_INET, stream, 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // SAFETY: A socket address of this family begins like any socket address.
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isBound else { throw CocoaError(.featureUnsupported) }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  private static func run(_ words: String...) throws {
    let process = Process()
    process.executableURL = URL(filePath: words[0])
    process.arguments = Array(words.dropFirst())
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(words)")
  }

  private func setEncryption(_ isEnabled: Bool) throws {
    try server.execute("ALTER SYSTEM SET ssl = \(isEnabled ? "on" : "off")")
    try server.execute("SELECT pg_reload_conf()")
    while try server.execute("SHOW ssl") != [[isEnabled ? "on" : "off"]] { usleep(1_000) }
  }

  private func url(_ parameters: String, host: String = "localhost") -> String {
    "postgresql://moho@\(host):\(port)/postgres?hostaddr=127.0.0.1&\(parameters)"
  }

  private func error(_ url: String) -> StoreError? {
    #expect(throws: StoreError.self) { _ = try PostgresConnection(url) }
  }

  @Test func `a store uses a connection whose certificate it has verified`() throws {
    let store = try ModelStore(
      postgres: url("sslmode=verify-full&sslrootcert=\(certificate)"), models: Track.self)
    let isEncrypted = try store.read {
      try $0.postgres.connection.query(
        "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")[0].bool(0)
    }
    try store.write { _ = try $0.save(Track.batch(1)) }

    #expect(isEncrypted)
    #expect(try store.fetch(ModelRequest<Track>().order(by: \.id)) == Track.batch(1))
  }

  @Test func `a connection that cannot be encrypted or verified has advice`() throws {
    let verified = "sslmode=verify-full&sslrootcert=\(certificate)"
    let otherName = error(url(verified, host: "db.example.com"))
    let noRoot = error(url("sslmode=verify-full&sslrootcert=/nowhere"))
    let unencrypted = error(url("sslmode=disable"))
    try setEncryption(false)
    let unsupported = error(url("sslmode=require"))

    #expect(otherName?.code == .cannotConnect)
    #expect(otherName?.suggestion?.contains("the name of the host") == true)
    #expect(noRoot?.code == .cannotConnect)
    #expect(noRoot?.suggestion?.contains("`sslrootcert`") == true)
    #expect(unencrypted?.code == .accessDenied)
    #expect(unencrypted?.suggestion?.contains("`sslmode=require`") == true)
    #expect(unsupported?.code == .cannotConnect)
    #expect(unsupported?.suggestion?.contains("`ssl`") == true)
  }
}

private let openssl = "/usr/bin/openssl"
