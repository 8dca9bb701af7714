import ArgumentParser
import TaskList

struct ListAction: TaskAction {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List tasks: open tasks first, then by priority and text.",
    discussion: """
      Each line has the number, [x] if the task is done, the priority, the due date and the \
      text. In a session, * marks tasks with unsaved changes.

      EXAMPLES:
        tasks list --open --priority 1 --priority 2
        tasks list --search cafe
      """)
  static let createsStore = false

  @Option(help: "List only tasks with this priority, from 1 to 5. Can be repeated.")
  var priority: [Int] = []

  @Flag(exclusivity: .exclusive, help: "List only tasks that are done, or only open tasks.")
  var state: State?

  @Option(
    help: ArgumentHelp(
      "List only tasks with this text, ignoring case and accents.", valueName: "text"))
  var search = ""

  enum State: EnumerableFlag { case completed, open }

  func validate() throws {
    guard priority.allSatisfy((1...5).contains) else {
      throw ValidationError("--priority must be between 1 and 5.")
    }
  }

  func run(_ editor: TaskEditor) throws -> ActionResult {
    var query = TaskQuery()
    query.priorities = Set(priority)
    query.isCompleted = state.map { $0 == .completed }
    query.search = search
    return .listed(try editor.tasks(query))
  }
}
