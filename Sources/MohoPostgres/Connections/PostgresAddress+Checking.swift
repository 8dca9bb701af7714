import MohoRows

/// The parts of a URL that libpq could confuse with a password.
struct URLParts {
  /// The hosts and ports, after the user and the password.
  private let hosts: Substring
  private let hasUser: Bool

  /// Parses a text that begins with a scheme of libpq, or returns nil.
  ///
  /// - Throws: A `StoreError` if a special character is not percent-encoded. libpq would use
  ///   what follows it as the host, the port, the database or a parameter, and messages would
  ///   contain it.
  init?(_ text: String) throws {
    // libpq would use other texts as the names of databases, which messages contain.
    guard let scheme = ["postgresql://", "postgres://"].first(where: { text.hasPrefix($0) })
    else { return nil }
    let rest = text.dropFirst(scheme.count)
    try Self.checkUserinfo(rest.utf8)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let path = rest.dropFirst(authority.count).prefix { $0 != "?" }
    let query = rest.dropFirst(authority.count + path.count).dropFirst()
    guard !path.contains(where: { ":#&=;".contains($0) }),
      !query.contains(where: { "?#".contains($0) })
    else {
      throw StoreError(
        .invalidConnectionString,
        reason: "the database or a parameter contains special characters",
        suggestion: "percent-encode special characters: `%3A` for `:`, `%23` for `#`, `%26` for"
          + " `&`, `%3D` for `=` and `%3F` for `?`")
    }
    guard query.split(separator: "&").allSatisfy({ $0.count { $0 == "=" } < 2 }) else {
      throw StoreError(
        .invalidConnectionString, reason: "the value of a parameter contains `=`",
        suggestion: "percent-encode it, as in `options=-csearch_path%3Dfeeds`")
    }
    let at = authority.firstIndex(of: "@")
    hasUser = at != nil
    hosts = at.map { authority[authority.index(after: $0)...] } ?? authority
  }

  /// Whether a host and its port can be a user and a password without a host.
  var mayNameUser: Bool {
    !hasUser
      && hosts.split(separator: ",").contains { host in
        host.contains(":") && !host.hasPrefix("[")
          && !host.contains(".") && !host.hasPrefix("localhost:")
      }
  }

  private static func checkUserinfo(_ rest: Substring.UTF8View) throws {
    guard let end = rest.firstIndex(of: UInt8(ascii: "@")) else { return }
    let hasSecond = rest[rest.index(after: end)...].contains(UInt8(ascii: "@"))
    guard !hasSecond, isEncoded(rest[..<end]) else {
      throw StoreError(
        .invalidConnectionString,
        reason: "the user or the password contains special characters, or `@` occurs twice",
        suggestion: "percent-encode special characters: `%40` for `@`, `%2F` for `/`, `%3A` for"
          + " `:`, `%3F` for `?`, `%23` for `#` and `%25` for `%`")
    }
  }

  /// Whether the user and the password have no characters that must be encoded.
  private static func isEncoded(_ userinfo: Substring.UTF8View) -> Bool {
    let others = "-._~!$&'()*+,;=:".utf8
    var rest = userinfo
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard rest.popFirst()?.isHexadecimalDigit == true,
          rest.popFirst()?.isHexadecimalDigit == true
        else { return false }
      } else if byte < 0x80, !byte.isLetterOrDigit, !others.contains(byte) {
        return false
      }
    }
    return true
  }
}

extension PostgresAddress {
  /// Refuses values that contain another connection string, or a user and a password.
  /// Messages of libpq and of servers quote them.
  ///
  /// - Parameter options: The decoded parameters.
  static func checkValues(_ options: [String: String]) throws {
    for (key, value) in options where !secretParameters.contains(key) {
      guard !isConnectionString(value), !hasParameter(value) else {
        throw StoreError(
          .invalidConnectionString, reason: "a parameter contains another parameter",
          suggestion: "check the spaces and quotation marks, or pass a URL such as"
            + " postgresql://user@host/database")
      }
    }
    let hosts = ["host", "hostaddr"].flatMap { (options[$0] ?? "").split(separator: ",") }
    guard hosts.allSatisfy(isHost), options["user"]?.contains(":") != true else {
      throw StoreError(
        .invalidConnectionString, reason: "the user or the host contains special characters",
        suggestion: "pass a URL such as postgresql://user@host/database")
    }
  }

  private static func isConnectionString(_ value: String) -> Bool {
    value.contains("://") || value.contains(":") && value.contains("@")
  }

  /// Whether the text is a name, an IP address, or the folder or name of a socket.
  private static func isHost(_ host: Substring) -> Bool {
    if host.hasPrefix("/") { return true }
    let name = host.hasPrefix("@") ? host.dropFirst() : host
    let isIPv6 = name.prefix { $0 != "%" }.allSatisfy { $0.isHexDigit || ":.".contains($0) }
    return isIPv6 || !name.contains { "@:;=&?# ".contains($0) }
  }
}

extension UInt8 {
  fileprivate var isHexadecimalDigit: Bool {
    Character(UnicodeScalar(self)).isHexDigit
  }

  fileprivate var isLetterOrDigit: Bool {
    let character = Character(UnicodeScalar(self))
    return character.isLetter || character.isNumber
  }
}
