import MohoPostgres

/// The location of a store: a file, or a database of a server.
public enum StoreLocation: Sendable, CustomStringConvertible {
  /// The path of a SQLite file.
  case file(String)
  /// The connection string of a PostgreSQL database.
  case server(String)

  /// Reads the value of the option `--store`.
  public init(_ text: String) {
    self = Self.isServer(text) ? .server(text) : .file(text)
  }

  static func isServer(_ text: String) -> Bool { PostgresAddress.isAddress(text) }

  /// The path, or the URL of the database without passwords.
  public var description: String {
    switch self {
    case .file(let path): path
    case .server(let address): PostgresAddress.shown(address)
    }
  }
}
