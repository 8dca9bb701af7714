import ArgumentParser
import EpisodeFeed
import Foundation
import Moho

/// The options that every command has: which store, and how patient.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The SQLite file that keeps the episodes. (default: \(Self.shownDefault))",
      valueName: "path"))
  var store: String?

  @Option(
    help: ArgumentHelp(
      "How long to wait for a store that another program has locked.", valueName: "seconds"))
  var lockTimeout = 5.0

  func validate() throws {
    guard lockTimeout >= 0, lockTimeout <= 86_400 else {
      throw ValidationError("--lock-timeout takes seconds from 0 to 86400.")
    }
    if store?.isEmpty == true { throw ValidationError("--store takes the path of a file.") }
  }

  /// Opens the store, and makes it where there is none.
  func open() throws -> ModelStore {
    let path = self.store ?? Self.defaultPath
    if self.store == nil { try makeFolder(of: path) }
    return try open(path)
  }

  /// Opens the store, which must be there.
  func openExisting() throws -> ModelStore {
    let path = self.store ?? Self.defaultPath
    guard FileManager.default.fileExists(atPath: path) else {
      throw Failure(
        .noInput, "\(path): there is no store",
        advice: "Make one with `episode-feed import FILE`, or name another with --store.")
    }
    return try open(path)
  }

  private func open(_ path: String) throws -> ModelStore {
    do {
      return try ModelStore(
        path: path, models: Episode.self,
        configuration: StoreConfiguration(busyTimeout: lockTimeout))
    } catch var error as StoreError {
      error.subject = error.subject ?? path
      throw error
    }
  }

  private func makeFolder(of path: String) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw Failure(
        .cannotCreate, "\(folder.path): cannot make the folder: \(error.localizedDescription)",
        advice: "Name another place for the store with --store.")
    }
  }

  /// By the XDG Base Directory Specification, on macOS by Apple's file system
  /// conventions.
  private static var defaultPath: String {
    let environment = ProcessInfo.processInfo.environment
    let home = FileManager.default.homeDirectoryForCurrentUser
    let folder: URL
    #if os(macOS)
      folder = home.appending(path: "Library/Application Support")
    #else
      // The specification ignores relative paths.
      if let path = environment["XDG_DATA_HOME"], path.hasPrefix("/") {
        folder = URL(fileURLWithPath: path)
      } else {
        folder = home.appending(path: ".local/share")
      }
    #endif
    return folder.appending(path: "episode-feed/episodes.sqlite").path
  }

  private static var shownDefault: String {
    #if os(macOS)
      "~/Library/Application Support/episode-feed/episodes.sqlite"
    #else
      "$XDG_DATA_HOME/episode-feed/episodes.sqlite, or in ~/.local/share"
    #endif
  }
}
