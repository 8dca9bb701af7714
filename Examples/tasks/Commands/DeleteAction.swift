import ArgumentParser
import TaskList

struct DeleteAction: TaskAction {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete tasks.")
  static let makesStore = false

  @Argument(help: "The numbers of the tasks, as `list` shows them.")
  var numbers: [TaskNumber]

  func run(_ editor: TaskEditor) throws -> ActionResult {
    try editor.delete(numbers)
    return .changed(numbers, "deleted")
  }
}
