import ArgumentParser
import TaskList

struct ListAction: TaskAction {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List tasks: open ones first, then by priority and text.",
    discussion: """
      A line has the number, [x] if the task is done, the priority, the due date and the text. \
      In a session, * marks tasks with unsaved changes.
      """)
  static let makesStore = false

  @Option(help: "Only tasks of this priority, from 1 to 5. Can be repeated.")
  var priority: [Int] = []

  @Flag(exclusivity: .exclusive, help: "Only tasks that are done, or only open ones.")
  var state: State?

  @Option(
    help: ArgumentHelp(
      "Only tasks that contain a text, in any case, with or without accents.",
      valueName: "text"))
  var search = ""

  enum State: EnumerableFlag { case completed, open }

  func validate() throws {
    guard priority.allSatisfy((1...5).contains) else {
      throw ValidationError("--priority takes a number from 1 to 5.")
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
