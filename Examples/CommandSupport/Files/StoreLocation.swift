/// The location of a store: a file, or a database of a server.
public enum StoreLocation: Sendable, CustomStringConvertible {
  /// The path of a SQLite file.
  case file(String)
  /// The URL of a PostgreSQL database.
  case server(String)

  /// Reads the value of the option `--store`.
  public init(_ text: String) {
    self = Self.isServer(text) ? .server(text) : .file(text)
  }

  static func isServer(_ text: String) -> Bool {
    ["postgresql://", "postgres://"].contains { text.lowercased().hasPrefix($0) }
  }

  /// The path, or the URL without passwords.
  public var description: String {
    switch self {
    case .file(let path): path
    case .server(let url): Self.withoutPasswords(url)
    }
  }

  /// Removes the password before the host, and all parameters but the host and the
  /// port. Nothing remains if the extent of a password is uncertain.
  private static func withoutPasswords(_ url: String) -> String {
    guard let scheme = url.firstRange(of: "://") else { return "" }
    let prefix = url[..<scheme.upperBound]
    let rest = url[scheme.upperBound...]
    let query = rest.firstIndex(of: "?") ?? rest.endIndex
    var location = rest[..<query]
    if let at = rest.firstIndex(of: "@") {
      // Only one that no special character precedes ends the password.
      guard !rest[rest.index(after: at)...].contains("@"),
        !rest[..<at].contains(where: { "/?#[]".contains($0) })
      else { return prefix + "…" }
      location = rest[..<at].prefix { $0 != ":" } + rest[at..<query]
    }
    let shown = rest[query...].dropFirst().split(separator: "&").filter { parameter in
      ["host=", "port="].contains { parameter.hasPrefix($0) }
    }
    return prefix + location + (shown.isEmpty ? "" : "?" + shown.joined(separator: "&"))
  }
}
