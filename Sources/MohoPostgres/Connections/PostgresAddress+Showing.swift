import Foundation
import MohoMapping

extension PostgresAddress {
  /// Returns an address for messages: its description, or the scheme and an ellipsis if the
  /// text cannot be parsed.
  public static func shown(_ text: String) -> String {
    if let address = try? PostgresAddress(text) { return address.description }
    return String(scheme(of: text) ?? "") + "…"
  }

  /// Whether a text is meant as an address of a database, not as the path of a file. The
  /// text need not be valid.
  ///
  /// Such a text contains `postgresql:` or `postgres:` and a slash, or it has a parameter of
  /// libpq such as `host=`, a parameter with a name such as `passwd`, or a user with a
  /// password. A path that begins like this can be written as `./host=x`.
  public static func isAddress(_ text: String) -> Bool {
    let lowercase = text.lowercased()
    return scheme(of: text) != nil || hasForeignScheme(text) || hasParameter(text)
      || ["postgres:/", "postgresql:/"].contains { lowercase.contains($0) } || hasPassword(text)
  }

  /// Returns `postgresql://`, with the case and the slashes of the text.
  private static func scheme(of text: String) -> Substring? {
    let rest = text.drop(while: \.isWhitespace)
    let name = rest.prefix { $0 != ":" }
    guard name.endIndex != rest.endIndex, ["postgres", "postgresql"].contains(name.lowercased())
    else { return nil }
    let slashes = rest.dropFirst(name.count + 1).prefix { $0 == "/" }.prefix(2)
    return rest[..<slashes.endIndex]
  }

  /// Whether the text is a URL of another scheme with a user or parameters. `C:/` is a drive,
  /// and `file:` a file.
  private static func hasForeignScheme(_ text: String) -> Bool {
    let text = text.drop(while: \.isWhitespace)
    let name = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    guard name.count > 1, name.first?.isLetter == true, name.lowercased() != "file" else {
      return false
    }
    let rest = text.dropFirst(name.count)
    if rest.hasPrefix(":/"), rest.contains(where: { "@=".contains($0) }) { return true }
    guard rest.hasPrefix("://") else { return false }
    // A password whose host is missing, or the port of a web page.
    let authority = rest.dropFirst(3).prefix { $0 != "/" }
    guard let colon = authority.firstIndex(of: ":") else { return false }
    let isPort = authority[authority.index(after: colon)...].allSatisfy { $0.isNumber }
    return !isPort || !["http", "https", "feed"].contains(name.lowercased())
  }

  /// Whether the text is not a path from a folder, and a user and a password precede `@`.
  private static func hasPassword(_ text: String) -> Bool {
    let isPath = text.hasPrefix(".") || text.hasPrefix("/") && !text.hasPrefix("//")
    guard !isPath, let at = text.firstIndex(of: "@") else { return false }
    return text[..<at].contains(":")
  }

  /// Whether the text contains a parameter of a connection string, such as `host=` or
  /// `?password=`, also with small mistakes in the name of a secret.
  static func hasParameter(_ text: String) -> Bool {
    let text = (text.removingPercentEncoding ?? text).lowercased()
    let parts = text.split(separator: "=", omittingEmptySubsequences: false).dropLast()
    return parts.contains { part in
      guard let name = part.split(whereSeparator: \.isWhitespace).last else { return false }
      // The parameters of URLs, and of the connection strings of other databases.
      let last = name.split { "?&;,'\"".contains($0) }.last.map(String.init) ?? ""
      return parameters.contains(String(name)) || isSecret(last)
        || last.count < name.count && parameters.contains(last) && !name.hasPrefix("/")
    }
  }

  /// Whether a parameter with a name contains a password.
  private static func isSecret(_ name: String) -> Bool {
    guard name.allSatisfy({ $0.isLetter || $0.isNumber || "_-".contains($0) }) else { return false }
    return secretSpellings.contains(name) || similar(to: name, among: secretParameters) != nil
  }

  /// The parameters that no message contains.
  static let secretParameters = ["password", "sslpassword"]

  /// Other names of passwords, which users may write instead of ``secretParameters``.
  private static let secretSpellings: Set = [
    "pgpassword", "pass", "passwd", "passphrase", "passcode", "pwd", "pw", "secret",
  ]

  /// The parameters that identify a database, except ``secretParameters``.
  private static let parameters: Set = [
    "host", "hostaddr", "port", "dbname", "user", "passfile", "service", "sslmode",
    "sslkey", "sslcert", "sslrootcert", "options", "connect_timeout",
    "application_name", "target_session_attrs", "channel_binding", "require_auth",
  ]
}
