import ArgumentParser
import CommandSupport
import Moho
import TaskList

/// Stores tasks in a SQLite file.
@main
struct TasksCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tasks",
    abstract: "Store tasks and edit them with undo.",
    discussion: """
      A task has a text of up to 120 characters, a priority from 1 (most urgent) to 5, and an \
      optional due date.

      EXAMPLES:
        tasks add "Buy milk" --priority 1 --due 2026-12-01
        tasks list --open --search cafe
        tasks done 1 2
        tasks session        (then type help)

      EXIT STATUS:
        0   Done.
        64  Invalid command-line arguments.
        65  A task has invalid values; the message lists all of them.
        66  The task or the store does not exist.
        73  The store cannot be opened.
        74  The disk failed or is full.
        75  Another program has locked the store or changed the task: try again.

      An error leaves the store unchanged.
      """,
    version: PackageVersion.current,
    subcommands: [
      ActionCommand<AddAction>.self, ActionCommand<ListAction>.self,
      ActionCommand<DoneAction>.self, ActionCommand<EditAction>.self,
      ActionCommand<DeleteAction>.self, RunSessionCommand.self,
    ])

  static func main() async {
    await runReporting { ($0 as? TaskListError).map { Failure($0) } }
  }
}

enum TaskStore: StoreProgram {
  static let command = "tasks"
  static let file = "tasks.sqlite"
  static let creatingCommand = "tasks add TEXT"

  static func open(_ path: String, _ configuration: StoreConfiguration) throws -> ModelStore {
    try ModelStore(path: path, entities: [.task], configuration: configuration)
  }
}

extension Failure {
  init(_ error: TaskListError) {
    switch error {
    case .noSuchTask:
      self.init(.noInput, "\(error)", advice: "Use `list` to see the numbers of the tasks.")
    case .invalid(let reasons):
      self.init(
        .badData, reasons.count == 1 ? reasons[0] : "the tasks are invalid",
        details: reasons.count == 1 ? [] : reasons,
        advice: "Nothing was saved. Correct the values.")
    }
  }
}
