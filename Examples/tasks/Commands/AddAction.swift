import ArgumentParser
import TaskList

struct AddAction: TaskAction {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a task.",
    discussion: """
      The default priority is 3.

      EXAMPLES:
        tasks add "Write report"
        tasks add "Buy milk" --priority 1 --due 2026-12-01
      """)
  static let createsStore = true

  @Argument(help: "The text of the task.")
  var text: String

  @OptionGroup var values: TaskValueOptions

  func run(_ editor: TaskEditor) throws -> ActionResult {
    var change = TaskChange()
    change.text = text
    change.priority = values.priority
    change.due = values.due.map { .some($0) }
    return .changed([try editor.add(change)], "added")
  }
}
