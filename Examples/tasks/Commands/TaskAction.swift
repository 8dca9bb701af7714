import ArgumentParser
import CommandSupport
import Foundation
import Moho
import TaskList

/// What a line asks for, be it one of the shell or one of a session.
protocol TaskAction: ParsableArguments {
  static var configuration: CommandConfiguration { get }
  /// Whether it has a meaning where there is no store yet.
  static var makesStore: Bool { get }

  func run(_ editor: TaskEditor) throws -> ActionResult
}

/// What an action has done.
enum ActionResult {
  case listed([TaskItem])
  case changed([TaskNumber], String)

  /// The lines that tell of it, with the numbers that tasks have now.
  func lines(_ editor: TaskEditor) -> [String] {
    switch self {
    case .listed(let tasks): TaskText.lines(tasks)
    case .changed(let numbers, let what):
      numbers.map { "\(editor.currentNumber(of: $0))  \(what)" }
    }
  }
}

/// One action as a command of its own, whose changes are saved.
struct OneCommand<Action: TaskAction>: ParsableCommand {
  static var configuration: CommandConfiguration { Action.configuration }

  @OptionGroup var action: Action
  @OptionGroup var options: StoreOptions<TaskStore>

  func run() throws {
    let editor = TaskEditor(try Action.makesStore ? options.open() : options.openExisting())
    let result = try action.run(editor)
    try editor.save()
    if case .listed(let tasks) = result, tasks.isEmpty { Output.note("No tasks.") }
    try Output.print(result.lines(editor))
  }
}

extension TaskNumber: ExpressibleByArgument {}

/// A day, such as 2026-12-01, in UTC.
func day(_ text: String) throws -> Date {
  guard let date = ISO8601.date(text + "T00:00:00Z") else {
    throw ValidationError("expected a date such as 2026-12-01")
  }
  return date
}
