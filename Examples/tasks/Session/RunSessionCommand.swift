import ArgumentParser
import CommandSupport
import Foundation
import TaskList

struct RunSessionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "session",
    abstract: "Edit tasks interactively, with undo, and save them together.",
    discussion: """
      Each line is a command of this program, or undo, redo, save, revert, help or quit. The \
      word `tasks` before a command is optional. `save` and `quit` save all changes; \
      `quit --discard` discards them.

      If standard input is not a terminal, the first error ends the session and discards \
      unsaved changes.

      EXAMPLES:
        tasks session
        printf 'add "Buy milk"\\ndone +1\\n' | tasks session
      """)

  @OptionGroup var options: StoreOptions<TaskStore>

  func run() throws {
    let session = Session(TaskEditor(try options.open()))
    let isInteractive = Terminal.isInput && Terminal.isOutput
    while !session.isOver {
      if isInteractive { try Output.prompt(session.prompt) }
      do {
        guard let line = readLine() else {
          try session.end()
          break
        }
        try Output.print(session.run(line))
      } catch {
        if SessionLine.exitCode(for: error) == .success {
          // The user has requested help.
          try Output.print(SessionLine.fullMessage(for: error).components(separatedBy: "\n"))
          continue
        }
        guard isInteractive else { throw error }
        report(error)
        // At the end of the input, the user cannot correct the error.
        if session.isOver { throw error }
      }
    }
  }

  private func report(_ error: any Error) {
    if let failure = (error as? TaskListError).map({ Failure($0) }) ?? Failure(error) {
      failure.report()
    } else {
      Output.note(
        "Error: \(SessionLine.message(for: error))", "Type help to see the commands.")
    }
  }
}
