import ArgumentParser
import Foundation

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
      Output.note(UsageMessage.lines(fullMessage(for: error), CommandLine.arguments.dropFirst()))
      exit(withError: status)
    }
  }
}
