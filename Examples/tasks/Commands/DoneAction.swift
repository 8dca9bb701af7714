import ArgumentParser
import TaskList

struct DoneAction: TaskAction {
  static let configuration = CommandConfiguration(
    commandName: "done", abstract: "Mark tasks as done.")
  static let makesStore = false

  @Argument(help: "The numbers of the tasks, as `list` shows them.")
  var numbers: [TaskNumber]

  @Flag(name: .customLong("not"), help: "Mark them as open again.")
  var isOpen = false

  func run(_ editor: TaskEditor) throws -> ActionResult {
    var change = TaskChange()
    change.isCompleted = !isOpen
    try editor.edit(numbers, change, named: isOpen ? "done --not" : "done")
    return .changed(numbers, isOpen ? "open" : "done")
  }
}
