import CommandSupport
import EpisodeFeed
import Foundation

/// The file with the user's keys of `watch`.
enum KeyBindingsFile {
  /// The bindings in a file; nil for the default file, which need not exist.
  ///
  /// - Throws: `Failure`.
  static func read(_ path: String?) throws -> KeyBindings {
    let defaultPath = ProgramFolder.configuration.appending(path: "episode-feed/keys").path
    if path == nil, !FileManager.default.fileExists(atPath: defaultPath) { return KeyBindings() }
    let path = path ?? defaultPath
    let data = try DataFile.read(path)
    guard let text = String(validating: data, as: UTF8.self) else {
      throw Failure(.badData, "\(path): not a text in UTF-8")
    }
    do {
      return try KeyBindings(text)
    } catch let error as KeyBindingsError {
      let mistakes = error.mistakes.map { "\($0)" }
      throw Failure(
        .badData,
        mistakes.count == 1 ? mistakes[0] : "\(mistakes.count) lines are invalid",
        details: mistakes.count == 1 ? [] : mistakes,
        advice: "`episode-feed watch --print-keys` prints the commands and their default keys."
      ).naming(path)
    }
  }
}
