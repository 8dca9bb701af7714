import ArgumentParser
import TaskList

struct DeleteAction: TaskAction {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete tasks.")
  static let createsStore = false

  @Argument(help: "The numbers of the tasks, as shown by `list`.")
  var numbers: [TaskNumber]

  func run(_ editor: TaskEditor) throws -> ActionResult {
    try editor.delete(numbers)
    return .changed(numbers, "deleted")
  }
}
