import ArgumentParser
import TaskList

/// The lines of a session.
struct SessionLine: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tasks>",
    abstract: "Edit tasks. `save` and `quit` save all changes.",
    subcommands: [
      SessionAction<AddAction>.self, SessionAction<ListAction>.self,
      SessionAction<DoneAction>.self, SessionAction<EditAction>.self,
      SessionAction<DeleteAction>.self, Undo.self, Redo.self, Save.self, Revert.self, Quit.self,
    ])
}

/// What a line of a session does.
protocol SessionStep: ParsableCommand {
  func perform(in session: Session) throws -> [String]
}

/// One action, whose changes are not saved yet.
struct SessionAction<Action: TaskAction>: SessionStep {
  static var configuration: CommandConfiguration { Action.configuration }

  @OptionGroup var action: Action

  func perform(in session: Session) throws -> [String] {
    try action.run(session.editor).lines(session.editor)
  }
}

extension SessionLine {
  struct Undo: SessionStep {
    static let configuration = CommandConfiguration(abstract: "Undo the last change.")

    func perform(in session: Session) -> [String] {
      [session.editor.undo().map { "undone: \($0)" } ?? "nothing to undo"]
    }
  }

  struct Redo: SessionStep {
    static let configuration = CommandConfiguration(
      abstract: "Redo the change that was undone last.")

    func perform(in session: Session) -> [String] {
      [session.editor.redo().map { "redone: \($0)" } ?? "nothing to redo"]
    }
  }

  struct Save: SessionStep {
    static let configuration = CommandConfiguration(abstract: "Save all changes.")

    func perform(in session: Session) throws -> [String] {
      guard session.editor.hasChanges else { return ["nothing to save"] }
      try session.editor.save()
      return ["saved"]
    }
  }

  struct Revert: SessionStep {
    static let configuration = CommandConfiguration(
      abstract: "Discard unsaved changes and read the tasks again.")

    func perform(in session: Session) -> [String] {
      session.editor.revert()
      return ["reverted"]
    }
  }

  struct Quit: SessionStep {
    static let configuration = CommandConfiguration(
      abstract: "Save all changes and end the session.")

    @Flag(help: "Discard the changes instead.")
    var discard = false

    func perform(in session: Session) throws -> [String] {
      try session.quit(discarding: discard)
      return []
    }
  }
}
