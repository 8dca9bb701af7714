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
}

/// The options of every command that uses a store.
public struct StoreOptions<Program: StoreProgram>: ParsableArguments {
  /// The path of the store; nil for the default location.
  @Option(
    help: ArgumentHelp(
      "The SQLite file of the store. (default: \(ProgramFolder.helpPath("\(Program.command)/\(Program.file)")))",
      valueName: "path"),
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
  }

  /// Opens the store, and creates the file if it does not exist.
  public func open() throws -> ModelStore {
    if store == nil {
      try ProgramFolder.create(ProgramFolder.base.appending(path: Program.command))
    }
    return try open(path)
  }

  /// Opens the store.
  ///
  /// - Throws: ``Failure`` if the file does not exist; `StoreError`.
  public func openExisting() throws -> ModelStore {
    guard FileManager.default.fileExists(atPath: path) else {
      throw Failure(
        .noInput, "\(path): store not found",
        advice: "Create one with `\(Program.creatingCommand)`, or choose another with --store.")
    }
    return try open(path)
  }

  /// The store that the words of an incomplete command line select, for shell
  /// completions; nil if it does not exist or cannot be opened.
  public static func existingStore(selectedBy words: [String]) -> ModelStore? {
    let option = "--store"
    let value =
      words.firstIndex(of: option).map { words.dropFirst($0 + 1).first ?? "" }
      ?? words.first { $0.hasPrefix(option + "=") }.map { String($0.dropFirst(option.count + 1)) }
    let path = value.map { NSString(string: $0).expandingTildeInPath } ?? defaultPath
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return try? Program.open(path, StoreConfiguration(busyTimeout: 0.5))
  }

  private static var defaultPath: String {
    ProgramFolder.base.appending(path: "\(Program.command)/\(Program.file)").path
  }

  private var path: String { store ?? Self.defaultPath }

  private func open(_ path: String) throws -> ModelStore {
    do {
      return try Program.open(path, StoreConfiguration(busyTimeout: lockTimeout))
    } catch var error as StoreError {
      error.subject = error.subject ?? path
      throw error
    }
  }
}
