import ArgumentParser
import TaskList

/// An editor that takes lines.
final class Session {
  let editor: TaskEditor
  private(set) var isOver = false

  init(_ editor: TaskEditor) { self.editor = editor }

  /// What a terminal shows before a line, with a mark where something is not
  /// saved.
  var prompt: String { editor.hasChanges ? "tasks*> " : "tasks> " }

  /// Does what a line says.
  ///
  /// - Returns: The lines that tell of it.
  func perform(_ line: String) throws -> [String] {
    let words = try LineWords.split(line)
    if words.isEmpty { return [] }
    var command = try SessionLine.parseAsRoot(words)
    if let step = command as? any SessionStep { return try step.perform(in: self) }
    // The argument parser's own command for help, which throws it.
    try command.run()
    return []
  }

  /// Saves what is not saved, and takes no more lines.
  func end() throws {
    isOver = true
    try editor.save()
  }

  /// Takes no more lines, once they are saved.
  func quit(discarding: Bool) throws {
    if !discarding { try editor.save() }
    isOver = true
  }
}
