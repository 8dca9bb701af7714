import ArgumentParser
import Foundation
import TextTables

extension ParsableCommand {
  /// Runs the command in the process's arguments. If it fails, reports the
  /// error and exits with the status of the error.
  ///
  /// - Parameter failure: Describes the errors of the program.
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
      // Help quotes no data.
      if status.isSuccess { exit(withError: error) }
      Output.note(usageLines(fullMessage(for: error)))
      exit(withError: status)
    }
  }

  /// The lines of a message about the arguments. Line breaks in quoted
  /// arguments are escaped; line breaks of the message itself are not. URLs of servers
  /// are quoted without passwords.
  private static func usageLines(_ message: String) -> [String] {
    let words = CommandLine.arguments.dropFirst().flatMap { word in
      // Messages quote name and value of `--name=value` separately.
      [word] + word.split(separator: "=", maxSplits: 1).map(String.init)
    }
    let quoted = words.reduce(message) { text, word in
      let escaped = VisibleText.escaped("\(StoreLocation(word))")
      return escaped == word ? text : text.replacing(word, with: escaped)
    }
    return quoted.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
