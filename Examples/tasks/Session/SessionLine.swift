import ArgumentParser
import TaskList

/// The grammar of the lines in a session.
struct SessionLine: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: TaskStore.command,
    abstract: "Edit tasks. `save` and `quit` save all changes.",
    subcommands: [
      SessionAction<AddAction>.self, SessionAction<ListAction>.self,
      SessionAction<DoneAction>.self, SessionAction<EditAction>.self,
      SessionAction<DeleteAction>.self, Undo.self, Redo.self, Save.self, Revert.self, Quit.self,
    ])
}

/// A command of a session.
protocol SessionCommand: ParsableCommand {
  /// Returns the lines to print.
  func run(in session: Session) throws -> [String]
}

/// A session command that runs an action without saving its changes.
struct SessionAction<Action: TaskAction>: SessionCommand {
  static var configuration: CommandConfiguration { Action.configuration }

  @OptionGroup var action: Action

  func run(in session: Session) throws -> [String] {
    try action.run(session.editor).lines(session.editor)
  }
}

extension SessionLine {
  struct Undo: SessionCommand {
    static let configuration = CommandConfiguration(abstract: "Undo the last change.")

    func run(in session: Session) -> [String] {
      [session.editor.undo().map { "undone: \($0)" } ?? "nothing to undo"]
    }
  }

  struct Redo: SessionCommand {
    static let configuration = CommandConfiguration(
      abstract: "Redo the change that was undone last.")

    func run(in session: Session) -> [String] {
      [session.editor.redo().map { "redone: \($0)" } ?? "nothing to redo"]
    }
  }

  struct Save: SessionCommand {
    static let configuration = CommandConfiguration(abstract: "Save all changes.")

    func run(in session: Session) throws -> [String] {
      guard session.editor.hasChanges else { return ["nothing to save"] }
      try session.editor.save()
      return ["saved"]
    }
  }

  struct Revert: SessionCommand {
    static let configuration = CommandConfiguration(
      abstract: "Discard unsaved changes and read the tasks again.")

    func run(in session: Session) -> [String] {
      session.editor.revert()
      return ["reverted"]
    }
  }

  struct Quit: SessionCommand {
    static let configuration = CommandConfiguration(
      abstract: "Save all changes and end the session.")

    @Flag(help: "Discard the changes instead.")
    var discard = false

    func run(in session: Session) throws -> [String] {
      try session.quit(discarding: discard)
      return []
    }
  }
}
