import CPostgres
import MohoRows

/// The address of a PostgreSQL database: a connection string of libpq, which is a URL or a
/// list of parameters. Its description does not contain passwords.
///
/// A program shows ``shown(_:)`` instead of a text that a user has entered:
///
/// ```swift
/// print("opening \(PostgresAddress.shown(argument))")
/// ```
public struct PostgresAddress: Sendable {
  /// The connection string for libpq, with passwords.
  let text: String
  private let options: [String: String]
  /// The port, if it can be a password whose host is missing, as in
  /// `postgresql://user:12345/database`.
  private let uncertainPort: String?

  /// Parses a connection string. Refuses a text that may contain a password in another
  /// part, because messages of libpq and of servers quote the other parts.
  ///
  /// - Throws: A `StoreError` if the text is not a connection string, or if the
  ///   extent of a password in it is uncertain. The error quotes no part of the text.
  public init(_ text: String) throws {
    let url = try URLParts(text)
    guard let options = Self.options(of: text) else {
      throw StoreError(
        .invalidConnectionString,
        reason: url != nil
          ? "the URL cannot be parsed" : "the text is not a URL or a list of parameters",
        suggestion: url != nil
          ? "check the names of the parameters, and percent-encode special characters, such as"
            + " `%40` for `@`"
          : "pass a URL such as postgresql://user@host/database")
    }
    for port in (options["port"] ?? "").split(separator: ",") where !Self.isPort(port) {
      throw StoreError(
        .invalidConnectionString, reason: "the port is not a number from 1 to 65535",
        suggestion: "pass a URL such as postgresql://user@host:5432/database")
    }
    try Self.checkValues(options)
    self.text = text
    self.options = options
    uncertainPort = url?.mayNameUser == true ? options["port"] : nil
  }

  /// Parses a connection string, or returns nil if it is invalid.
  ///
  /// libpq's messages quote parts of the text, so that they cannot be shown.
  private static func options(of text: String) -> [String: String]? {
    guard !text.utf8.contains(0), let first = PQconninfoParse(text, nil) else { return nil }
    defer { PQconninfoFree(first) }
    return options(first)
  }

  /// Checks the parameters that a connection uses, also those of the environment and of
  /// service files.
  static func checkParameters(of connection: OpaquePointer) throws {
    guard let first = PQconninfo(connection) else { return }
    defer { PQconninfoFree(first) }
    try checkValues(options(first))
  }

  // SAFETY: `first` is the first element of a list of libpq, which ends with an option
  // without a keyword.
  private static func options(_ first: UnsafePointer<PQconninfoOption>) -> [String: String] {
    var options: [String: String] = [:]
    var option = first
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

  /// Returns a message of libpq without the port, if that can be a password.
  func redacted(_ message: String) -> String {
    guard let uncertainPort else { return message }
    return uncertainPort.split(separator: ",").reduce(message) {
      $0.replacing(", port \($1)", with: "")
    }
  }
}

extension PostgresAddress: CustomStringConvertible, CustomReflectable {
  /// The URL without the password, and without parameters except the folder of a socket.
  ///
  /// A port after a name without dots, and without a user, is omitted: it can be a password
  /// whose host is missing.
  public var description: String {
    let user = options["user"].map { "\($0)@" } ?? ""
    let database = options["dbname"] ?? ""
    let host = options["host"] ?? options["hostaddr"] ?? ""
    let port = uncertainPort == nil ? options["port"] ?? "" : ""
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

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
