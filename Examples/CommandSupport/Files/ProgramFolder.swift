import Foundation

/// The folders in which programs store their data.
public enum ProgramFolder {
  /// The parent of all data folders, by the XDG Base Directory Specification;
  /// on macOS by Apple's file system conventions.
  static var base: URL {
    let home = FileManager.default.homeDirectoryForCurrentUser
    #if os(macOS)
      return home.appending(path: "Library/Application Support")
    #else
      // The specification ignores relative paths.
      if let path = ProcessInfo.processInfo.environment["XDG_DATA_HOME"], path.hasPrefix("/") {
        return URL(fileURLWithPath: path)
      }
      return home.appending(path: ".local/share")
    #endif
  }

  /// The parent of the folders with the settings of programs, by the XDG Base
  /// Directory Specification.
  public static var configuration: URL {
    if let path = ProcessInfo.processInfo.environment["XDG_CONFIG_HOME"], path.hasPrefix("/") {
      return URL(fileURLWithPath: path)
    }
    return FileManager.default.homeDirectoryForCurrentUser.appending(path: ".config")
  }

  /// The path of a file below ``base``, as help texts show it.
  static func helpPath(_ path: String) -> String {
    #if os(macOS)
      "~/Library/Application Support/\(path)"
    #else
      "$XDG_DATA_HOME/\(path) or ~/.local/share/\(path)"
    #endif
  }

  /// Creates a folder, if it does not exist yet.
  static func create(_ folder: URL) throws {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw Failure(
        .cannotCreate,
        "\(folder.path): the folder cannot be created: \(error.localizedDescription)",
        advice: "Choose another file with --store.")
    }
  }

  /// Runs a body with the path of a file in a new temporary folder, and then
  /// deletes the folder.
  ///
  /// - Throws: ``Failure`` if the folder cannot be created; errors of the body.
  public static func withTemporaryFile(
    _ name: String, of program: String, _ body: (String) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "\(program)-\(UUID().uuidString)")
    try create(folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder.appending(path: name).path)
  }
}
