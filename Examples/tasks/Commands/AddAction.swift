import ArgumentParser
import Foundation
import TaskList

struct AddAction: TaskAction {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a task.",
    discussion: """
      EXAMPLES:
        tasks add "Write report"
        tasks add "Buy milk" --priority 1 --due 2026-12-01
      """)
  static let createsStore = true

  @Argument(help: "The text of the task.")
  var text: String

  @Option(help: "The priority, from 1 (most urgent) to 5. (default: 3)")
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
