import CommandTesting
import Foundation
import Testing

@Suite struct TasksCommandTests {
  private let folder: TemporaryFolder
  private let tool = Tool("tasks")

  init() throws { folder = try TemporaryFolder() }

  private func run(
    _ arguments: String..., input: String = "", location: SourceLocation = #_sourceLocation
  ) async throws -> String {
    let result = try await tool.run(arguments, in: folder, input: Data(input.utf8))
    #expect(result.status == 0, "\(result.errors)", sourceLocation: location)
    return result.output
  }

  @Test func tasksAreAddedListedEditedDoneAndDeleted() async throws {
    #expect(try await run("add", "Write report", "--priority", "1") == "1  added\n")
    #expect(try await run("add", "Buy café crème", "--due", "2026-12-01") == "2  added\n")
    #expect(try await run("add", "Call mother") == "3  added\n")
    #expect(try await run("done", "1") == "1  done\n")
    #expect(try await run("edit", "3", "--text", "Call home", "--priority", "2") == "3  changed\n")

    #expect(
      try await run("list") == """
        3  [ ]  2              Call home
        2  [ ]  3  2026-12-01  Buy café crème
        1  [x]  1              Write report

        """)
    #expect(try await run("list", "--search", "CAFE") == "2  [ ]  3  2026-12-01  Buy café crème\n")
    #expect(try await run("list", "--completed") == "1  [x]  1  Write report\n")
    #expect(
      try await run("list", "--open", "--priority", "2", "--priority", "1")
        == "3  [ ]  2  Call home\n")

    #expect(try await run("delete", "1", "2") == "1  deleted\n2  deleted\n")
    #expect(try await run("list") == "3  [ ]  2  Call home\n")
  }

  @Test func aSessionUndoesRedoesAndSavesAtTheEnd() async throws {
    let output = try await run(
      "session",
      input: """
        add "Buy milk" --priority 1
        add 'Write report'
        done +1
        list
        undo
        undo
        redo
        list
        save
        list
        delete 1
        undo
        edit 2 --priority 4
        """)

    #expect(
      output == """
        +1  added
        +2  added
        +1  done
        *  +2  [ ]  3  Write report
        *  +1  [x]  1  Buy milk
        undone: done
        undone: add
        redone: add
        *  +1  [ ]  1  Buy milk
        *  +2  [ ]  3  Write report
        saved
        1  [ ]  1  Buy milk
        2  [ ]  3  Write report
        1  deleted
        undone: delete
        2  changed

        """)
    #expect(
      try await run("list") == """
        1  [ ]  1  Buy milk
        2  [ ]  4  Write report

        """)
  }

  @Test func anInvalidTaskIsReportedWithAllReasonsAndNotAdded() async throws {
    let result = try await tool.run(["add", "", "--priority", "9"], in: folder)

    #expect(result.status == 65)
    #expect(result.output == "")
    #expect(
      result.errors == """
        Error: the tasks are invalid
          task +1: text is string "", expected length from 1 to 120
          task +1: priority is number 9, expected at most 5
        Nothing was saved. Correct the values.

        """)
    #expect(try await run("list") == "")
  }

  @Test(arguments: [
    (["add", "  "], "", 65, "white space"), (["edit", "1", "--priority", "x"], "", 64, "x"),
    (["list", "--priority", "9"], "", 64, "--priority must be between 1 and 5"),
    (["done", "0"], "", 64, "0"), (["done"], "", 64, "numbers"),
    (["session"], "add ' '", 65, "white space"), (["session"], "list --priority 9", 64, "1 and 5"),
    (["list"], "", 66, "store not found"), (["done", "x"], "", 64, "x"),
    (["edit", "1"], "", 64, "Nothing to change"), (["add", "a", "--due", "soon"], "", 64, "soon"),
    (["session"], "done 5", 66, "task 5 does not exist"), (["session"], "add \"x", 64, "quotes"),
    (["session"], "fly", 64, "fly"), (["list", "--open", "--completed"], "", 64, "--open"),
  ])
  func invalidInputIsReportedWithAReason(
    arguments: [String], input: String, status: Int32, reason: String
  ) async throws {
    let result = try await tool.run(arguments, in: folder, input: Data(input.utf8))

    #expect(result.status == status)
    #expect(result.errors.hasPrefix("Error: "))
    #expect(result.errors.contains(reason))
  }

  @Test func anInvalidLineEndsANoninteractiveSessionWithoutSaving() async throws {
    let result = try await tool.run(
      ["session"], in: folder, input: Data("add One\ndelete 9\nadd Two\n".utf8))

    #expect(result.status == 66)
    #expect(result.output == "+1  added\n")
    #expect(try await run("list") == "")
  }

  @Test func helpListsTheCommandsOfASession() async throws {
    let help = try await run("session", input: "help\nadd One\n")

    #expect(help.contains("  undo "))
    #expect(help.contains("USAGE: tasks <subcommand>"))
    #expect(help.contains("See 'tasks help <subcommand>' for detailed help."))
    #expect(!help.contains("--store"))
    #expect(help.hasSuffix("+1  added\n"))
  }

  @Test(arguments: ["help add", "add --help", "tasks help add"])
  func helpDescribesACommandOfASession(line: String) async throws {
    let help = try await run("session", input: line)

    #expect(help.contains("USAGE: tasks add <text> [--priority <priority>] [--due <date>]"))
  }

  @Test func theProgramsNameBeforeACommandOfASessionIsOptional() async throws {
    let output = try await run("session", input: "tasks\ntasks add One\nlist\n")

    #expect(output == "+1  added\n*  +1  [ ]  3  One\n")
  }

  @Test func discardingDoesNotSave() async throws {
    _ = try await run("session", input: "add One\nquit --discard\n")
    #expect(try await run("list") == "")
  }

  @Test(arguments: ["", "add", "list", "done", "edit", "delete", "session"])
  func everyCommandHasHelp(command: String) async throws {
    let help = try await run(command.isEmpty ? "--help" : command, "--help")

    #expect(help.contains("USAGE: tasks"))
  }
}
