import ArgumentParser
import Foundation
import TaskList

struct EditAction: TaskAction {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a task.",
    discussion: "Changes only the values that options name.")
  static let makesStore = false

  @Argument(help: "The number of the task, as `list` shows it.")
  var number: TaskNumber

  @Option(help: "The text of the task.")
  var text: String?

  @Option(help: "From 1, the most urgent, to 5.")
  var priority: Int?

  @Option(
    help: ArgumentHelp("The due date, such as 2026-12-01.", valueName: "date"),
    transform: day)
  var due: Date?

  @Flag(help: "Remove the due date.")
  var noDue = false

  func validate() throws {
    if text == nil, priority == nil, due == nil, !noDue {
      throw ValidationError("Nothing to change: give --text, --priority, --due or --no-due.")
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
