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

  /// Removes the password before the host, and the values of parameters whose
  /// names contain `password`.
  private static func withoutPasswords(_ url: String) -> String {
    guard let scheme = url.firstRange(of: "://") else { return "" }
    let rest = url[scheme.upperBound...]
    // A password may contain an at sign, although it should be escaped. It may
    // also contain a slash, so the last at sign before the parameters counts.
    let query = rest.firstIndex(of: "?") ?? rest.endIndex
    var text = String(url[..<scheme.upperBound])
    if let at = rest[..<query].lastIndex(of: "@") {
      let user = rest[..<at].prefix { $0 != ":" }
      text += user + rest[at..<query]
    } else {
      text += rest[..<query]
    }
    guard query < rest.endIndex else { return text }
    let parameters = rest[query...].dropFirst().split(separator: "&").map { parameter in
      let name = parameter.prefix { $0 != "=" }
      return name.lowercased().contains("password") ? name + "=…" : parameter
    }
    return text + "?" + parameters.joined(separator: "&")
  }
}
