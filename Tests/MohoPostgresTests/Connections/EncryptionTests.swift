import MohoMapping
import MohoRows
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres

/// Encrypted connections, with a server that has a certificate of its own.
@Suite(
  .requiresPostgres, .enabled(if: PostgresServer.canEncrypt, "requires OpenSSL"))
struct EncryptionTests {
  private let server: PostgresServer

  init() throws { server = try .encrypted() }

  private func error(_ url: String) -> StoreError? {
    #expect(throws: StoreError.self) { _ = try PostgresConnection(url) }
  }

  @Test func `a store uses a connection whose certificate it has verified`() throws {
    let store = try ModelStore(
      postgres: server.encryptedURL("sslmode=verify-full&sslrootcert=\(server.certificate)"),
      models: Track.self)
    let isEncrypted = try store.read {
      try $0.postgres.connection.query(
        "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")[0].bool(0)
    }
    try store.write { _ = try $0.save(Track.batch(1)) }

    #expect(isEncrypted)
    #expect(try store.fetch(ModelRequest<Track>().order(by: \.id)) == Track.batch(1))
  }

  @Test func `a connection that cannot be encrypted or verified has advice`() throws {
    let verified = "sslmode=verify-full&sslrootcert=\(server.certificate)"
    let otherName = error(server.encryptedURL(verified, host: "db.example.com"))
    let noRoot = error(server.encryptedURL("sslmode=verify-full&sslrootcert=/nowhere"))
    let unencrypted = error(server.encryptedURL("sslmode=disable"))
    try server.setEncryption(false)
    let unsupported = error(server.encryptedURL("sslmode=require"))

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
