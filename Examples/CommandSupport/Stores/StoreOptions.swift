import ArgumentParser
import Foundation
import Moho

/// Where a program keeps its store unless it is told, and what makes one.
public protocol StoreProgram {
  /// The name of the command, and of the folder for its data.
  static var command: String { get }
  /// The name of the file.
  static var file: String { get }
  /// A command that makes a store, to be recommended where there is none.
  static var first: String { get }

  /// Opens the store at a path, and makes it where there is none.
  static func open(_ path: String, _ configuration: StoreConfiguration) throws -> ModelStore
}

/// The options that every command on a store has: which one, and how patient.
public struct StoreOptions<Program: StoreProgram>: ParsableArguments {
  /// The path of the store.
  @Option(
    help: ArgumentHelp(
      "The SQLite file of the store. (default: \(DataFolder.shown("\(Program.command)/\(Program.file)")))",
      valueName: "path"))
  public var store: String?

  /// How many seconds to wait for a locked store.
  @Option(
    help: ArgumentHelp(
      "How long to wait for a store that another program has locked.", valueName: "seconds"))
  public var lockTimeout = 5.0

  /// Makes the options; the argument parser gives them their values.
  public init() {}

  /// Refuses what makes no sense.
  public func validate() throws {
    guard lockTimeout >= 0, lockTimeout <= 86_400 else {
      throw ValidationError("--lock-timeout takes seconds from 0 to 86400.")
    }
    if store?.isEmpty == true { throw ValidationError("--store takes the path of a file.") }
  }

  /// Opens the store, and makes it where there is none.
  public func open() throws -> ModelStore {
    if store == nil { try DataFolder.make(Program.command) }
    return try open(path)
  }

  /// Opens the store, which must be there.
  public func openExisting() throws -> ModelStore {
    guard FileManager.default.fileExists(atPath: path) else {
      throw Failure(
        .noInput, "\(path): there is no store",
        advice: "Create one with `\(Program.first)`, or choose another with --store.")
    }
    return try open(path)
  }

  private var path: String {
    store ?? DataFolder.url.appending(path: "\(Program.command)/\(Program.file)").path
  }

  private func open(_ path: String) throws -> ModelStore {
    do {
      return try Program.open(path, StoreConfiguration(busyTimeout: lockTimeout))
    } catch var error as StoreError {
      error.subject = error.subject ?? path
      throw error
    }
  }
}
