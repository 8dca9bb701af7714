import ArgumentParser
import TaskList

struct DoneAction: TaskAction {
  static let configuration = CommandConfiguration(
    commandName: "done", abstract: "Mark tasks as done, or as open with --not.")
  static let createsStore = false

  @Argument(help: "The numbers of the tasks, as shown by `list`.")
  var numbers: [TaskNumber]

  @Flag(name: .customLong("not"), help: "Mark the tasks as open.")
  var isOpen = false

  func run(_ editor: TaskEditor) throws -> ActionResult {
    var change = TaskChange()
    change.isCompleted = !isOpen
    try editor.edit(numbers, change, named: isOpen ? "done --not" : "done")
    return .changed(numbers, isOpen ? "open" : "done")
  }
}
