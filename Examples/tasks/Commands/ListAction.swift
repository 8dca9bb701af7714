import ArgumentParser
import TaskList

struct ListAction: TaskAction {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List tasks: what is open first, then the most urgent, then by text.",
    discussion: """
      A line has the number, whether the task is done, the priority, the day by which it is to \
      be done and the text. In a session, * marks what is not saved.
      """)
  static let makesStore = false

  @Option(help: "Only tasks of this priority; may be given several times.")
  var priority: [Int] = []

  @Flag(exclusivity: .exclusive, help: "Only tasks that are done, or only those that are not.")
  var state: State?

  @Option(
    help: ArgumentHelp(
      "Only tasks that contain a text, whatever the case and the accents.", valueName: "text"))
  var search = ""

  enum State: EnumerableFlag { case completed, open }

  func run(_ editor: TaskEditor) throws -> ActionResult {
    var query = TaskQuery()
    query.priorities = Set(priority)
    query.isCompleted = state.map { $0 == .completed }
    query.search = search
    return .listed(try editor.tasks(query))
  }
}
