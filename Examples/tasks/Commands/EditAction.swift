import ArgumentParser
import TaskList

struct EditAction: TaskAction {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a task.",
    discussion: """
      Values without an option remain unchanged.

      EXAMPLES:
        tasks edit 2 --text "Call home" --priority 1
        tasks edit 2 --no-due
      """)
  static let createsStore = false

  @Argument(help: "The number of the task, as shown by `list`.")
  var number: TaskNumber

  @Option(help: "The new text.")
  var text: String?

  @OptionGroup var values: TaskValueOptions

  @Flag(help: "Remove the due date.")
  var noDue = false

  func validate() throws {
    if text == nil, values.priority == nil, values.due == nil, !noDue {
      throw ValidationError("Nothing to change: give --text, --priority, --due or --no-due.")
    }
    if values.due != nil && noDue {
      throw ValidationError("--due and --no-due cannot be combined.")
    }
  }

  func run(_ editor: TaskEditor) throws -> ActionResult {
    var change = TaskChange()
    change.text = text
    change.priority = values.priority
    change.due = noDue ? .some(nil) : values.due.map { .some($0) }
    try editor.edit([number], change)
    return .changed([number], "changed")
  }
}
