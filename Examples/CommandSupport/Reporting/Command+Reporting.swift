import ArgumentParser
import Foundation
import TextTables

extension ParsableCommand {
  /// Runs the command that the process's arguments name. If it fails, writes a
  /// message and ends the process with a status.
  ///
  /// - Parameter failure: Describes errors of the program's own.
  public static func runReporting(
    _ failure: (any Error) -> Failure? = { _ in nil }
  ) async {
    do {
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      if let failure = failure(error) ?? Failure(error) {
        failure.report()
        exit(withError: ExitCode(failure.status.rawValue))
      }
      let status = exitCode(for: error)
      // Help, which quotes no data.
      if status.isSuccess { exit(withError: error) }
      Output.note(usageLines(fullMessage(for: error)))
      exit(withError: status)
    }
  }

  /// The lines of a message about the command line. Line breaks in what it
  /// quotes are escapes; those between its parts are not.
  private static func usageLines(_ message: String) -> [String] {
    let words = CommandLine.arguments.dropFirst().flatMap { word in
      // `--name=value` is quoted by its parts.
      [word] + word.split(separator: "=", maxSplits: 1).map(String.init)
    }
    let quoted = words.reduce(message) { text, word in
      let escaped = VisibleText.escaped(word)
      return escaped == word ? text : text.replacing(word, with: escaped)
    }
    return quoted.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
