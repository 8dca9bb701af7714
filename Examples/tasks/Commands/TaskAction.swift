import ArgumentParser
import CommandSupport
import Foundation
import Moho
import TaskList

/// An action on tasks, which is a command of the program and a line of a
/// session.
protocol TaskAction: ParsableArguments {
  static var configuration: CommandConfiguration { get }
  /// Whether the action creates the store if it does not exist.
  static var createsStore: Bool { get }

  func run(_ editor: TaskEditor) throws -> ActionResult
}

/// The result of an action.
enum ActionResult {
  case listed([TaskItem])
  /// The changed tasks, and a word for the change.
  case changed([TaskNumber], String)

  /// The lines to print, with the current numbers of the tasks.
  func lines(_ editor: TaskEditor) -> [String] {
    switch self {
    case .listed(let tasks): TaskText.lines(tasks)
    case .changed(let numbers, let what):
      numbers.map { "\(editor.currentNumber(of: $0))  \(what)" }
    }
  }
}

/// A command that runs an action and saves its changes.
struct ActionCommand<Action: TaskAction>: ParsableCommand {
  static var configuration: CommandConfiguration { Action.configuration }

  @OptionGroup var action: Action
  @OptionGroup var options: StoreOptions<TaskStore>

  func run() throws {
    let editor = TaskEditor(try Action.createsStore ? options.open() : options.openExisting())
    let result = try action.run(editor)
    try editor.save()
    if case .listed(let tasks) = result, tasks.isEmpty { Output.note("No tasks.") }
    try Output.print(result.lines(editor))
  }
}

/// The options for the values of a task.
struct TaskValueOptions: ParsableArguments {
  @Option(help: "The priority, from 1 (most urgent) to 5.")
  var priority: Int?

  @Option(
    help: ArgumentHelp("The due date, such as 2026-12-01.", valueName: "date"),
    transform: Self.day)
  var due: Date?

  /// Parses a date in UTC.
  private static func day(_ text: String) throws -> Date {
    guard let date = Date(day: text) else {
      throw ValidationError("expected a date such as 2026-12-01")
    }
    return date
  }
}

extension TaskNumber: ExpressibleByArgument {}
