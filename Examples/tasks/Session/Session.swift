import ArgumentParser
import TaskList

/// An interactive session, which runs lines on one editor.
final class Session {
  let editor: TaskEditor
  private(set) var isOver = false

  init(_ editor: TaskEditor) { self.editor = editor }

  /// The prompt of a terminal, with `*` if there are unsaved changes.
  var prompt: String { editor.hasChanges ? "tasks*> " : "tasks> " }

  /// Runs a line.
  ///
  /// - Returns: The lines to print.
  func run(_ line: String) throws -> [String] {
    var words = try ShellWords.split(line)
    // The help shows the commands as they are typed in a shell.
    if words.first == TaskStore.command { words.removeFirst() }
    if words.isEmpty { return [] }
    var command = try SessionLine.parseAsRoot(words)
    if let command = command as? any SessionCommand { return try command.run(in: self) }
    // The help command of the argument parser throws the help text.
    try command.run()
    return []
  }

  /// Ends the session at the end of the input, and saves all changes.
  func end() throws {
    isOver = true
    try editor.save()
  }

  /// Ends the session, unless saving fails.
  func quit(discarding: Bool) throws {
    if !discarding { try editor.save() }
    isOver = true
  }
}
