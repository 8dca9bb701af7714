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
  /// libpq such as `host=`, or a user with a password. A path that begins like this can be
  /// written as `./host=x`.
  public static func isAddress(_ text: String) -> Bool {
    let lowercase = text.lowercased()
    return scheme(of: text) != nil || hasForeignScheme(text) || hasParameter(lowercase)
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
    let rest = text.drop(while: \.isWhitespace)
    let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    return name.count > 1 && name.first?.isLetter == true && name.lowercased() != "file"
      && rest.dropFirst(name.count).hasPrefix(":/") && text.contains { "@=".contains($0) }
  }

  /// Whether the text is not a path from a folder, and a user and a password precede `@`.
  private static func hasPassword(_ text: String) -> Bool {
    guard let at = text.firstIndex(of: "@"), !text.hasPrefix("."), !text.hasPrefix("/")
    else { return false }
    return text[..<at].contains(":")
  }

  private static func hasParameter(_ text: String) -> Bool {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false).dropLast()
    return parts.contains { part in
      let words = part.split(whereSeparator: \.isWhitespace)
      return words.last.map { parameters.contains(String($0)) } ?? false
    }
  }

  /// The parameters that identify a database or contain secrets.
  private static let parameters: Set = [
    "host", "hostaddr", "port", "dbname", "user", "password", "passfile", "service", "sslmode",
    "sslkey", "sslpassword", "sslcert", "options", "connect_timeout",
  ]
}
