import ArgumentParser
import CommandSupport
import Foundation
import TaskList

struct SessionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "session",
    abstract: "Edit tasks line by line, with undo, and save them together.",
    discussion: """
      Lines are the commands of this program without its name, and undo, redo, save, revert and \
      quit. Nothing is saved before `save` or the end; `quit --discard` saves nothing.

      Where lines do not come from a terminal, the first that fails ends the session, and what \
      is not saved by then is not.
      """)

  @OptionGroup var options: StoreOptions<TaskStore>

  func run() throws {
    let session = Session(TaskEditor(try options.open()))
    let isInteractive = Terminal.isInput && Terminal.isOutput
    while !session.isOver {
      if isInteractive { try Output.write(Data(session.prompt.utf8)) }
      do {
        guard let line = readLine() else {
          try session.end()
          break
        }
        try Output.print(session.perform(line))
      } catch {
        if SessionLine.exitCode(for: error) == .success {
          // Help that was asked for.
          try Output.print([SessionLine.fullMessage(for: error)])
          continue
        }
        guard isInteractive else { throw error }
        report(error)
        // Without further lines there is nothing that could mend it.
        if session.isOver { throw error }
      }
    }
  }

  private func report(_ error: any Error) {
    if let failure = (error as? TaskListError).map({ Failure($0) }) ?? Failure(error) {
      failure.report()
    } else {
      Output.note("Error: \(SessionLine.message(for: error))\nType help to see what there is.")
    }
  }
}
