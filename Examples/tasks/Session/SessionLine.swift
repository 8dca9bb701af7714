import ArgumentParser
import TaskList

/// The lines of a session.
struct SessionLine: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "",
    abstract: "Edit tasks. Nothing is saved before `save` or `quit`.",
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
    static let configuration = CommandConfiguration(abstract: "Take back what was done last.")

    func perform(in session: Session) -> [String] {
      [session.editor.undo().map { "undone: \($0)" } ?? "nothing to undo"]
    }
  }

  struct Redo: SessionStep {
    static let configuration = CommandConfiguration(abstract: "Do again what was undone.")

    func perform(in session: Session) -> [String] {
      [session.editor.redo().map { "done again: \($0)" } ?? "nothing to do again"]
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
      abstract: "Forget what is not saved, and read the tasks anew.")

    func perform(in session: Session) -> [String] {
      session.editor.revert()
      return ["reverted"]
    }
  }

  struct Quit: SessionStep {
    static let configuration = CommandConfiguration(abstract: "Save all changes and end.")

    @Flag(help: "Do not save.")
    var discard = false

    func perform(in session: Session) throws -> [String] {
      try session.quit(discarding: discard)
      return []
    }
  }
}
