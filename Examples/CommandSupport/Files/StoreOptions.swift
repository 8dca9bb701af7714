import ArgumentParser
import Foundation
import Moho

/// A program that has a store: the default location of the store, and how to
/// open it.
public protocol StoreProgram {
  /// The name of the command, and of the folder for its data.
  static var command: String { get }
  /// The default name of the store's file.
  static var file: String { get }
  /// A command that creates a store, for error messages.
  static var creatingCommand: String { get }

  /// Opens the store at a path, and creates the file if it does not exist.
  static func open(_ path: String, _ configuration: StoreConfiguration) throws -> ModelStore

  /// Whether the store can be a database of a PostgreSQL server.
  static var supportsServers: Bool { get }

  /// Opens the store in a database, and creates the tables if they do not exist
  /// and may be created.
  static func open(_ server: ServerStore) throws -> ModelStore
}

extension StoreProgram {
  /// False.
  public static var supportsServers: Bool { false }

  /// - Throws: ``Failure``.
  public static func open(_ server: ServerStore) throws -> ModelStore {
    throw Failure(.usage, "\(StoreLocation.server(server.url)): the store must be a file")
  }
}

/// A store in a database of a PostgreSQL server, and how to open it.
public struct ServerStore: Sendable {
  /// The URL of the database.
  public let url: String
  /// How many seconds a statement waits for a lock.
  public let lockTimeout: Double
  /// Whether the tables are created if they do not exist.
  public let createsTables: Bool
  /// Whether the store is not changed.
  public let isReadOnly: Bool
}

/// The options of every command that uses a store.
public struct StoreOptions<Program: StoreProgram>: ParsableArguments {
  /// The path or URL of the store; nil for the default location.
  @Option(
    help: ArgumentHelp(
      Program.supportsServers
        ? "The SQLite file of the store, or the postgresql:// URL of a database. (default: \(defaultHelp))"
        : "The SQLite file of the store. (default: \(defaultHelp))",
      valueName: Program.supportsServers ? "path-or-url" : "path"),
    completion: .file())
  public var store: String?

  /// How many seconds to wait for a locked store.
  @Option(
    help: ArgumentHelp(
      "How long to wait if another program has locked the store.", valueName: "seconds"))
  public var lockTimeout = 5.0

  /// Creates options with default values, for the argument parser.
  public init() {}

  /// Checks the values of the options.
  public func validate() throws {
    guard lockTimeout >= 0, lockTimeout <= 86_400 else {
      throw ValidationError("--lock-timeout must be between 0 and 86400 seconds.")
    }
    if store?.isEmpty == true { throw ValidationError("--store must not be empty.") }
    if case .server = location, !Program.supportsServers {
      throw ValidationError("--store must be a file.")
    }
  }

  /// Opens the store, and creates the file or the tables if they do not exist.
  public func open() throws -> ModelStore {
    if store == nil {
      try ProgramFolder.create(ProgramFolder.base.appending(path: Program.command))
    }
    return try open(location)
  }

  /// Opens the store. Writes nothing if the file or the tables do not exist.
  ///
  /// - Throws: ``Failure`` if the store does not exist; `StoreError`.
  public func openExisting() throws -> ModelStore {
    if case .file(let path) = location, !FileManager.default.fileExists(atPath: path) {
      throw notFound(path)
    }
    do {
      return try open(location, createsTables: false)
    } catch let error as StoreError where error.code == .storeNotFound && error.underlying == nil {
      throw notFound(error.subject ?? "\(location)")
    }
  }

  private func notFound(_ name: String) -> Failure {
    Failure(
      .noInput, "\(name): store not found",
      advice: "Create one with `\(Program.creatingCommand)`, or choose another with --store.")
  }

  /// The store that the words of an incomplete command line select, for shell
  /// completions; nil if it does not exist or cannot be opened.
  public static func existingStore(selectedBy words: [String]) -> ModelStore? {
    let option = "--store"
    let value =
      words.firstIndex(of: option).map { words.dropFirst($0 + 1).first ?? "" }
      ?? words.first { $0.hasPrefix(option + "=") }.map { String($0.dropFirst(option.count + 1)) }
    let timeout = 0.5
    switch value.map({ StoreLocation($0) }) ?? .file(defaultPath) {
    case .file(let path):
      let path = NSString(string: path).expandingTildeInPath
      guard FileManager.default.fileExists(atPath: path) else { return nil }
      return try? Program.open(path, StoreConfiguration(busyTimeout: timeout))
    case .server(let url):
      guard Program.supportsServers else { return nil }
      return try? Program.open(
        ServerStore(url: url, lockTimeout: timeout, createsTables: false, isReadOnly: true))
    }
  }

  private static var defaultPath: String {
    ProgramFolder.base.appending(path: "\(Program.command)/\(Program.file)").path
  }

  private static var defaultHelp: String {
    ProgramFolder.helpPath("\(Program.command)/\(Program.file)")
  }

  private var location: StoreLocation { store.map { StoreLocation($0) } ?? .file(Self.defaultPath) }

  private func open(
    _ location: StoreLocation, createsTables: Bool = true
  ) throws -> ModelStore {
    do {
      switch location {
      case .file(let path):
        return try Program.open(path, StoreConfiguration(busyTimeout: lockTimeout))
      case .server(let url):
        return try Program.open(
          ServerStore(
            url: url, lockTimeout: lockTimeout, createsTables: createsTables, isReadOnly: false))
      }
    } catch var error as StoreError {
      error.subject = error.subject ?? "\(location)"
      throw error
    }
  }
}
