import Foundation

extension PostgresServer {
  private static let openssl = "/usr/bin/openssl"

  /// Whether tests can create certificates.
  package static let canEncrypt = FileManager.default.isExecutableFile(atPath: openssl)

  /// Creates a server that also accepts encrypted connections to a port of this machine, and
  /// has a certificate of its own. Members of the role `secured` need passwords.
  package static func encrypted() throws -> PostgresServer {
    let descriptor = LocalAddress.port(0).newSocket()
    let port = try LocalAddress.bindToUnusedPort(descriptor)
    close(descriptor)
    let server = try PostgresServer(settings: ["listen_addresses=127.0.0.1"], port: port)
    let (data, key) = (server.folder + "/data", server.folder + "/data/server.key")
    try run(
      openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
      "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
      "subjectAltName=DNS:localhost", "-keyout", key, "-out", server.certificate)
    // The files belong to the user of the server.
    try run("/bin/chown", "--reference", data, key, server.certificate)
    try run("/bin/chmod", "600", key)
    let rules = try FileHandle(forWritingTo: URL(filePath: data + "/pg_hba.conf"))
    try rules.seekToEnd()
    let lines = """
      hostssl all +secured 127.0.0.1/32 scram-sha-256
      hostssl all all 127.0.0.1/32 trust

      """
    try rules.write(contentsOf: Data(lines.utf8))
    try rules.close()
    try server.setEncryption(true)
    return server
  }

  /// The path of the certificate of an encrypted server.
  package var certificate: String { folder + "/data/server.crt" }

  /// The URL of encrypted connections.
  package func encryptedURL(
    _ parameters: String, host: String = "localhost", user: String = "moho"
  ) -> String {
    "postgresql://\(user)@\(host):\(port)/postgres?hostaddr=127.0.0.1&\(parameters)"
  }

  /// Makes the server accept or refuse encrypted connections.
  package func setEncryption(_ isEnabled: Bool) throws {
    try execute("ALTER SYSTEM SET ssl = \(isEnabled ? "on" : "off")")
    try execute("SELECT pg_reload_conf()")
    while try execute("SHOW ssl") != [[isEnabled ? "on" : "off"]] { usleep(1_000) }
  }

  private static func run(_ words: String...) throws {
    let process = Process()
    process.executableURL = URL(filePath: words[0])
    process.arguments = Array(words.dropFirst())
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "\(words) failed")
    }
  }
}
