/// The rules that protect the server from other sites.
public struct PageSafety: Hashable, Sendable {
  /// The port of the server.
  public let port: UInt16
  /// The maximum size of the head of a request in bytes, which is checked while
  /// the head arrives.
  public static let headLimit = 8 << 10

  /// Creates the rules of a server on this machine.
  public init(port: UInt16) { self.port = port }

  /// Checks the host and the origin of a request.
  ///
  /// - Throws: ``PageError``.
  public func check(host: String?, origin: String?, isCommand: Bool) throws {
    // Another site can have a name that resolves to this machine (DNS rebinding).
    guard let host = host?.lowercased(), hosts.contains(host) else {
      throw PageError(
        .wrongHost, "the server does not have this name: open http://localhost:\(port)/")
    }
    // Browsers send the origin with every command, and pages cannot change it.
    guard !isCommand || origin?.lowercased() == "http://\(host)" else {
      throw PageError(.forbiddenOrigin, "only the page of this server may change the list")
    }
  }

  private var hosts: [String] {
    let names = ["localhost", "127.0.0.1", "[::1]"]
    return names.map { "\($0):\(port)" } + (port == 80 ? names : [])
  }

  /// The header fields of every answer.
  public static let headers = [
    "Content-Security-Policy":
      "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self';"
      + " connect-src 'self'; img-src data: https:; media-src http: https:; base-uri 'none';"
      + " form-action 'none';"
      + " frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types streams",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
  ]
}
