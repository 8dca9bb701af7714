import ArgumentParser

extension ParsableCommand {
  /// Runs the command that the process's arguments name, and ends the process
  /// with a message and a status where it fails.
  ///
  /// - Parameter failure: Tells of errors of the program's own.
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
      guard let failure = failure(error) ?? Failure(error) else { exit(withError: error) }
      failure.report()
      exit(withError: ExitCode(failure.status.rawValue))
    }
  }
}
