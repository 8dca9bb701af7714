import ArgumentParser
import Foundation
import TaskList

struct AddAction: TaskAction {
  static let configuration = CommandConfiguration(commandName: "add", abstract: "Add a task.")
  static let makesStore = true

  @Argument(help: "The text of the task.")
  var text: String

  @Option(help: "From 1, the most urgent, to 5. (default: 3)")
  var priority: Int?

  @Option(
    help: ArgumentHelp("The due date, such as 2026-12-01.", valueName: "date"),
    transform: day)
  var due: Date?

  func run(_ editor: TaskEditor) throws -> ActionResult {
    var change = TaskChange()
    change.text = text
    change.priority = priority
    change.due = due.map { .some($0) }
    return .changed([try editor.add(change)], "added")
  }
}
