import CPostgres
import MohoRows

/// A connection string. Its description, and everything else that messages can show,
/// does not contain passwords.
struct PostgresAddress: Sendable {
  /// The connection string for libpq, with passwords.
  let text: String
  private let options: [String: String]

  /// - Throws: A `StoreError` if the text is not a connection string, or if the
  ///   extent of a password in it is uncertain.
  init(_ text: String) throws {
    let isURL = try Self.checkUserinfo(text)
    guard let options = Self.options(of: text) else {
      throw StoreError(
        .invalidConnectionString,
        reason: isURL
          ? "the URL cannot be parsed" : "the text is not a URL or a list of parameters",
        suggestion: isURL
          ? "check the names of the parameters, and percent-encode special characters, such as"
            + " `%40` for `@`"
          : "pass a URL such as postgresql://user@host/database")
    }
    for port in (options["port"] ?? "").split(separator: ",") where !Self.isPort(port) {
      throw StoreError(
        .invalidConnectionString, reason: "the port is not a number from 1 to 65535",
        suggestion: "pass a URL such as postgresql://user@host:5432/database")
    }
    self.text = text
    self.options = options
  }

  /// - Returns: Whether the text is a URL.
  private static func checkUserinfo(_ text: String) throws -> Bool {
    // libpq would use other texts as the names of databases, which messages contain.
    guard let scheme = ["postgresql://", "postgres://"].first(where: { text.hasPrefix($0) })
    else { return false }
    let rest = text.utf8.dropFirst(scheme.utf8.count)
    guard let end = rest.firstIndex(of: UInt8(ascii: "@")) else { return true }
    // libpq would use what follows a special character as the host, the port, the
    // database or a parameter, and messages would contain it.
    let hasSecond = rest[rest.index(after: end)...].contains(UInt8(ascii: "@"))
    guard !hasSecond, isEncoded(rest[..<end]) else {
      throw StoreError(
        .invalidConnectionString,
        reason: "the user or the password contains special characters, or `@` occurs twice",
        suggestion: "percent-encode special characters: `%40` for `@`, `%2F` for `/`, `%3A` for"
          + " `:`, `%3F` for `?`, `%23` for `#` and `%25` for `%`")
    }
    return true
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

  /// libpq's messages quote parts of the text, so that they cannot be shown.
  private static func options(of text: String) -> [String: String]? {
    guard let first = PQconninfoParse(text, nil) else { return nil }
    defer { PQconninfoFree(first) }
    var options: [String: String] = [:]
    var option = first
    // SAFETY: The list ends with an option without a keyword.
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val {
        options[String(cString: keyword)] = String(cString: value)
      }
      option += 1
    }
    return options
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      && (1...65_535).contains(Int(text) ?? 0)
  }
}

extension PostgresAddress: CustomStringConvertible, CustomReflectable {
  /// The URL without parameters and the password.
  var description: String {
    let user = options["user"].map { "\($0)@" } ?? ""
    let database = options["dbname"] ?? ""
    let host = options["host"] ?? options["hostaddr"] ?? ""
    let port = options["port"] ?? ""
    if host.contains("/") {
      return "postgresql://\(user)/\(database)?host=\(host)" + (port.isEmpty ? "" : "&port=\(port)")
    }
    let ports = port.split(separator: ",", omittingEmptySubsequences: false)
    let hosts = host.split(separator: ",", omittingEmptySubsequences: false)
    let pairs = hosts.enumerated().map { index, host in
      // One port applies to all hosts.
      let port = ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : ""
      return host + (port.isEmpty ? "" : ":\(port)")
    }
    return "postgresql://\(user)\(pairs.joined(separator: ","))/\(database)"
  }

  var customMirror: Mirror { Mirror(self, children: [:]) }
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
