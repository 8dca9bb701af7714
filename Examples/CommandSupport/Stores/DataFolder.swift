import Foundation

/// The folder for the data of programs, by the XDG Base Directory
/// Specification; on macOS by Apple's file system conventions.
enum DataFolder {
  static var url: URL {
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

  /// A file in the folder as help texts show it.
  static func shown(_ path: String) -> String {
    #if os(macOS)
      "~/Library/Application Support/\(path)"
    #else
      "$XDG_DATA_HOME/\(path) or ~/.local/share/\(path)"
    #endif
  }

  /// Makes the folder of a program.
  static func make(_ name: String) throws {
    let folder = url.appending(path: name)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw Failure(
        .cannotCreate,
        "\(folder.path): the folder cannot be created: \(error.localizedDescription)",
        advice: "Choose another file with --store.")
    }
  }
}
