import ArgumentParser
import Foundation
import TaskList

struct EditAction: TaskAction {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a task.",
    discussion: "What no option names stays as it is.")
  static let makesStore = false

  @Argument(help: "The number of the task, as `list` shows it.")
  var number: TaskNumber

  @Option(help: "What is to be done.")
  var text: String?

  @Option(help: "From 1, the most urgent, to 5.")
  var priority: Int?

  @Option(
    help: ArgumentHelp("The day by which it is to be done, such as 2026-12-01.", valueName: "day"),
    transform: day)
  var due: Date?

  @Flag(help: "Take away the day by which it is to be done.")
  var noDue = false

  func validate() throws {
    if text == nil, priority == nil, due == nil, !noDue {
      throw ValidationError("Say what to change: --text, --priority, --due or --no-due.")
    }
    if due != nil && noDue { throw ValidationError("--due and --no-due exclude each other.") }
  }

  func run(_ editor: TaskEditor) throws -> ActionResult {
    var change = TaskChange()
    change.text = text
    change.priority = priority
    change.due = noDue ? .some(nil) : due.map { .some($0) }
    try editor.edit([number], change)
    return .changed([number], "changed")
  }
}
